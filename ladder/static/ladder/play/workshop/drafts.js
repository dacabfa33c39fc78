// The bots being written: one draft for each game and language, and one for each bot or shared draft that someone
// starts from. A draft is kept in this browser, and for those who are signed in also in their account.

/**
 * @param {{game: string, starters: Record<string, string>, language: string, account: {address: string, token: string} | null,
 *   fork: {short: string, language: string, source?: string, files?: Record<string, string>} | null}} setup
 */
export async function createDrafts({ game, starters, language: usual, fork, account }) {
  const begun = Object.fromEntries(Object.entries(starters).map(([language, text]) => [language, { [`bot.${language}`]: text }]));
  if (fork?.files) begun[fork.language] = fork.files;
  else if (fork) {
    const response = await fetch(fork.source);
    if (!response.ok) throw new Error(`the bot's source cannot be loaded: the server answered ${response.status}`);
    begun[fork.language] = { [`bot.${fork.language}`]: await response.text() };
  }
  const from = (language) => (fork?.language === language ? `-${fork.short}` : "");
  const key = (language) => `${game}${from(language)}${language === "py" ? "" : `.${language}`}`;
  const slot = (language) => `${language}${from(language)}`;
  const revisions = new Map(); // of what the account holds, as far as this page knows

  // Some browsers keep nothing for a page; then the text lasts as long as the visit.
  function stored(name) {
    try { return localStorage.getItem(name); } catch { return null; }
  }
  function store(name, text) {
    try {
      if (text === null) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
    } catch { /* for this visit, then */ }
  }

  /** The files in this browser; the one that is run is stored by itself, where the upload page looks for it. */
  function local(language) {
    const text = stored(`ladle-draft-${key(language)}`);
    if (text === null) return null;
    return { [`bot.${language}`]: text, ...JSON.parse(stored(`ladle-files-${key(language)}`) ?? "{}") };
  }

  async function ask(address, options = {}) {
    const response = await fetch(address, options);
    const told = await response.json().catch(() => ({}));
    if (!response.ok) throw Object.assign(new Error(told.problem ?? `the server answered ${response.status}`), { status: response.status });
    return told;
  }

  const post = (address, given) => ask(address, {
    method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": account.token }, body: JSON.stringify(given),
  });

  return {
    language: fork?.language ?? usual,
    key,
    starter: (language) => begun[language],
    keep(language, files, isUnsaved = true) {
      const { [`bot.${language}`]: main, ...others } = files;
      store(`ladle-draft-${key(language)}`, main);
      store(`ladle-files-${key(language)}`, Object.keys(others).length ? JSON.stringify(others) : null);
      store(`ladle-unsaved-${key(language)}`, account && isUnsaved ? "1" : null);
    },
    /** The files to open, and whether this browser has changes that the account does not have. */
    async recall(language) {
      const here = local(language);
      if (!account) return { files: here ?? begun[language], isUnsaved: false };
      const there = await ask(`${account.address}${slot(language)}/`);
      revisions.set(language, there.revision);
      const isUnsaved = here !== null && (!there.files || stored(`ladle-unsaved-${key(language)}`) !== null);
      if (isUnsaved || !there.files) return { files: here ?? begun[language], isUnsaved };
      const { [`bot.${language}`]: main, ...others } = there.files;
      return { files: { [`bot.${language}`]: main ?? "", ...others }, isUnsaved: false };
    },
    /** Save to the account; `words` says how many drafts are used. A newer draft there is left alone unless `over`. */
    async save(language, files, over = false) {
      const told = await post(`${account.address}${slot(language)}/`, { files, revision: over ? null : revisions.get(language) ?? 0 });
      revisions.set(language, told.revision);
      return told;
    },
    /** Forget the changes in this browser and take what the account has. */
    discard(language) {
      for (const kind of ["draft", "files", "unsaved"]) store(`ladle-${kind}-${key(language)}`, null);
    },
    share: (language, files) => post(`${account.address}share/`, { language, files }),
  };
}
