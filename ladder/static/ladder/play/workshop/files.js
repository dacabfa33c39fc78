// The files of a bot being written: a row of tabs, with buttons to add, rename and delete them.

import { html } from "../../theatre/dom.js";

const NAME = /^(?:[A-Za-z0-9_][\w-]*\/){0,7}[A-Za-z0-9_][\w-]*(?:\.[\w-]+)+$/;

/** Why a file cannot have this name; empty if it can. */
function problemWith(name, taken, main) {
  if (!NAME.test(name) || name.length > 100) return "A file's name must have letters, digits, dashes or underscores, and an extension, such as kitchen.py.";
  if (taken.some((one) => one.toLowerCase() === name.toLowerCase())) return `A file named ${name} already exists.`;
  if (/^bot\.(py|js|wasm)$/i.test(name)) return `A bot begins with one file, ${main}.`;
  if (main === "bot.py" && /^bot\//i.test(name)) return "bot.py and a folder bot would be the same module. Choose another folder.";
  return "";
}

/** @param {{main: string, most: number, editor: any}} given */
export function createFiles({ main, most, editor }) {
  const host = html("div", { class: "files", role: "group", "aria-label": "Files" });
  const button = (label, onclick, more = {}) => html("button", { type: "button", class: "link small", onclick, ...more }, label);

  function askName(question, before, act) {
    const taken = Object.keys(editor.files()).filter((name) => name !== before);
    let name = prompt(question, before)?.trim();
    while (name) {
      const problem = problemWith(name, taken, main);
      if (!problem) { act(name); break; }
      name = prompt(`${problem}\n${question}`, name)?.trim();
    }
    draw();
    editor.focus();
  }

  function draw() {
    const names = Object.keys(editor.files());
    const shown = editor.shown();
    const isMain = shown === main;
    host.replaceChildren(
      ...names.map((name) => html(
        "button", { type: "button", class: "file", "aria-pressed": String(name === shown), onclick: () => { editor.show(name); draw(); editor.focus(); } }, name,
      )),
      names.length < most
        ? button("Add file", () => askName("Name of the new file", `kitchen.${main.split(".").at(-1)}`, (name) => editor.add(name)))
        : html("span", { class: "quiet small" }, `${names.length} of ${most} files used`),
      isMain ? "" : button("Rename", () => askName(`New name of ${shown}`, shown, (name) => name !== shown && editor.rename(shown, name))),
      isMain ? "" : button("Delete", () => { if (confirm(`Delete ${shown}?`)) { editor.remove(shown); draw(); } }, { "aria-label": `Delete ${shown}` }),
    );
  }

  return { host, draw };
}
