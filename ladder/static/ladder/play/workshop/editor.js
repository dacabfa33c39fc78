// A place to write a bot in, file by file. It stands in a shadow root, where its styles need no leave of the page.

import { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";
import { html } from "../../theatre/dom.js";

const LOOK = {
  "&": { height: "100%", fontSize: "0.875rem", backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--paper-2)", color: "var(--ink-2)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--wash) 45%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--wash) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line-2)" },
  ".cm-line.faulty, .cm-activeLine.faulty": {
    backgroundColor: "var(--bad-wash)", boxShadow: "inset 3px 0 var(--bad)",
    textDecoration: "underline wavy var(--bad)", textUnderlineOffset: "0.2em",
  },
  ".fault-message": {
    padding: "0.1rem 0.75rem 0.2rem", backgroundColor: "var(--bad-wash)", color: "var(--bad)",
    boxShadow: "inset 3px 0 var(--bad)", fontFamily: "var(--sans)", overflowWrap: "anywhere",
  },
};

// The site's own colours, so that it can be read by day and by night.
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--seat3)" },
  { tag: tags.comment, color: "var(--ink-2)", fontStyle: "italic" },
  { tag: tags.definition(tags.variableName), color: "var(--seat4)" },
  { tag: [tags.function(tags.variableName), tags.className], color: "var(--seat1)" },
]);

const LANGUAGES = {
  py: { name: "Python", extension: python, data: pythonLanguage.data, before: /["']\w*/ },
  js: { name: "JavaScript", extension: javascript, data: javascriptLanguage.data, before: /["'.]\w*/ },
};

// Where a field of a view can stand, in quotes or behind a dot, these are offered.
const offered = ({ data, before }, fields) => data.of({
  autocomplete: (context) => {
    const word = context.matchBefore(before);
    return word && { from: word.from + 1, options: fields.map((label) => ({ label, type: "property" })), validFor: /^\w*$/ };
  },
});

/** What is wrong with a line, below it. */
class Message extends WidgetType {
  constructor(words) {
    super();
    this.words = words;
  }

  eq(other) { return other.words === this.words; }

  toDOM() { return html("div", { class: "fault-message", role: "note" }, this.words); }
}

/** @type {import("@codemirror/state").StateEffectType<{line: number, words: string} | null>} */
const mark = StateEffect.define();
const faultyLine = StateField.define({
  create: () => Decoration.none,
  update(marks, { state, changes, effects }) {
    let now = marks.map(changes);
    for (const effect of effects) {
      if (!effect.is(mark)) continue;
      now = Decoration.none;
      if (!effect.value) continue;
      const { from, to } = state.doc.line(Math.min(effect.value.line, state.doc.lines));
      now = Decoration.set([
        Decoration.line({ class: "faulty" }).range(from),
        Decoration.widget({ widget: new Message(effect.value.words), block: true, side: 1 }).range(to),
      ]);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * @param {{main: string, runners: Record<string, string>, fields: string[], changed: () => void}} given - `main` is the
 * file that is run, `runners` what plays a language, by its ending
 */
export function createEditor({ main, runners, fields, changed }) {
  const host = html("div", { class: "editor" });
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({ root, parent: root });
  let states = new Map(); // by file; the shown one's is older than the view's
  let shown = "";

  function fresh(name, text) {
    const ending = name.split(".").at(-1);
    const language = LANGUAGES[runners[ending] ?? ending];
    const title = name === main ? "Your bot" : name;
    return EditorState.create({
      doc: text,
      extensions: [
        basicSetup, language ? [language.extension(), offered(language, fields)] : [],
        syntaxHighlighting(COLOURS), EditorView.theme(LOOK), EditorView.lineWrapping, faultyLine,
        EditorView.contentAttributes.of({ "aria-label": language ? `${title}, in ${language.name}` : title }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ],
    });
  }

  const keep = () => { if (states.has(shown)) states.set(shown, view.state); };
  const unmark = () => {
    for (const [name, state] of states) states.set(name, state.update({ effects: mark.of(null) }).state);
    view.dispatch({ effects: mark.of(null) });
  };

  const editor = {
    host,
    shown: () => shown,
    /** All files by name, the one that is run first. */
    files() {
      keep();
      return Object.fromEntries([...states].map(([name, state]) => [name, state.doc.toString()]));
    },
    /** Open these files instead. */
    replace(files) {
      states = new Map(Object.entries(files).map(([name, text]) => [name, fresh(name, text)]));
      shown = main;
      view.setState(states.get(main));
    },
    show(name) {
      keep();
      shown = name;
      view.setState(states.get(name));
    },
    add(name, text = "") {
      states.set(name, fresh(name, text));
      editor.show(name);
      changed();
    },
    rename(name, to) {
      const texts = editor.files();
      editor.replace(Object.fromEntries(Object.entries(texts).map(([one, text]) => [one === name ? to : one, text])));
      editor.show(to);
      changed();
    },
    remove(name) {
      states.delete(name);
      if (shown === name) editor.show(main);
      changed();
    },
    /** Mark a line with what is wrong there, and bring it into sight. */
    mark({ file, line }, words) {
      unmark();
      if (file !== shown) editor.show(file);
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ effects: [mark.of({ line, words }), EditorView.scrollIntoView(from, { y: "center" })] });
    },
    unmark,
    focus: () => view.focus(),
  };
  return editor;
}
