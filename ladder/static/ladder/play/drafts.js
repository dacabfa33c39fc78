// The texts of bots being written, kept in this browser: one for each game and language, and one for
// each stranger's bot that someone starts from.

/** @param {{game: string, starters: Record<string, string>, fork: {short: string, language: string, source: string} | null}} setup */
export async function createDrafts({ game, starters, fork }) {
  const begun = { ...starters };
  if (fork) {
    const response = await fetch(fork.source);
    if (!response.ok) throw new Error(`the bot's source cannot be had: the server answers ${response.status}`);
    begun[fork.language] = await response.text();
  }
  const from = (language) => (fork?.language === language ? `-${fork.short}` : "");
  const key = (language) => `${game}${from(language)}${language === "py" ? "" : `.${language}`}`;
  const stored = (language) => `ladle-draft-${key(language)}`;

  return {
    language: fork?.language ?? "py",
    key,
    starter: (language) => begun[language],
    // Some browsers keep nothing for a page; then the text lasts as long as the visit.
    recall(language) {
      try { return localStorage.getItem(stored(language)) ?? begun[language]; } catch { return begun[language]; }
    },
    keep(language, text) {
      try { localStorage.setItem(stored(language), text); } catch { /* for this visit, then */ }
    },
  };
}
