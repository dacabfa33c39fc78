// Where in a bot's files an error happened, read from what the bot's worker reported.

const AT = [
  /File "([^"]+)", line (\d+)/g, // a Python traceback: the last line is the innermost
  /(?:^|[\s(])([\w./-]+\.js):(\d+):\d+/gm, // a JavaScript stack: the first line is
  /^(?:It cannot be loaded: )?([\w./-]+\.(?:py|js)), line (\d+)/gm, // a syntax error
];

/**
 * The innermost line of the author's own files, or null.
 * @param {string} text - a traceback, a stack or a sentence
 * @param {string[]} names - the files' names
 */
export function placeOf(text, names) {
  for (const [at, pattern] of AT.entries()) {
    const places = [...text.matchAll(pattern)].filter(([, name]) => names.includes(name));
    if (places.length) {
      const [, file, line] = places.at(at === 0 ? -1 : 0);
      return { file, line: Number(line) };
    }
  }
  return null;
}
