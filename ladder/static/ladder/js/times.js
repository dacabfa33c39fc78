// Times in the visitor's own zone, which they name.

const FULL = new Intl.DateTimeFormat(undefined, {
  day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
  hourCycle: "h23", timeZoneName: "short",
});

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZoneName: "short" });

const HOURS = new Intl.DateTimeFormat(undefined, {
  day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short",
});

/** @param {ParentNode} root */
export function localTimes(root) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = root.querySelectorAll("time[datetime]");
  for (const time of times) {
    const moment = new Date(time.dateTime);
    time.title = FULL.format(moment);
    if ("local" in time.dataset) time.textContent = (time.dataset.local === "day" ? DAY : FULL).format(moment);
  }
  /** @type {NodeListOf<SVGElement>} */
  const marks = root.querySelectorAll("svg [data-at]");
  for (const mark of marks) {
    const form = mark.dataset.local === "day" ? DAY : HOURS;
    mark.textContent = form.format(new Date(mark.dataset.at)) + (mark.dataset.words ?? "");
  }
}

/** A moment as such a field writes it, shifted by a number of minutes.
 * @param {string} text @param {number} minutes */
const shifted = (text, minutes) => new Date(Date.parse(`${text}Z`) + minutes * 60_000).toISOString().slice(0, 16);

// Fields for a time hold UTC. Here they show and take the visitor's own, and still send UTC.
export function localFields() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll("input[type=datetime-local]");
  for (const field of fields) {
    if (field.value) field.value = shifted(field.value, -new Date(`${field.value}Z`).getTimezoneOffset());
    const label = field.labels[0];
    const zone = FULL.formatToParts(new Date()).find(({ type }) => type === "timeZoneName").value;
    label.textContent = label.textContent.replace("(UTC)", `(${zone})`);
    field.form.addEventListener("formdata", ({ formData }) => {
      if (field.value) formData.set(field.name, new Date(field.value).toISOString().slice(0, 16));
    });
  }
}
