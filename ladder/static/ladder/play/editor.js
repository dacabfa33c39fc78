// A place to write a bot in. It stands in a shadow root, where its styles need no leave of the page.

import { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";
import { html } from "../theatre/dom.js";

const LOOK = {
  "&": { height: "100%", fontSize: "0.875rem", backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--paper-2)", color: "var(--ink-2)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--wash) 45%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--wash) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line-2)" },
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

export function createEditor({ source, language, fields, changed }) {
  const host = html("div", { class: "editor" });
  const root = host.attachShadow({ mode: "open" });
  const spoken = LANGUAGES[language];
  const view = new EditorView({
    doc: source,
    root,
    parent: root,
    extensions: [
      basicSetup, spoken.extension(), offered(spoken, fields), syntaxHighlighting(COLOURS), EditorView.theme(LOOK), EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": `Your bot, in ${spoken.name}` }),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); }),
    ],
  });
  return {
    host,
    source: () => view.state.doc.toString(),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
  };
}
