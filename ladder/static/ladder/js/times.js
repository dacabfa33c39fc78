// Times in the visitor's own zone, which they name.

const FULL = new Intl.DateTimeFormat(undefined, {
  day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
  hourCycle: "h23", timeZoneName: "short",
});

/** @param {ParentNode} root */
export function localTimes(root) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = root.querySelectorAll("time[datetime]");
  for (const time of times) {
    const text = FULL.format(new Date(time.dateTime));
    if ("local" in time.dataset) time.textContent = text;
    else time.title = text;
  }
}
