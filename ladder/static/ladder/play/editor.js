// A place to write Python in. It stands in a shadow root, where its styles need no leave of the page.

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

// Inside quotes, the fields of a view are offered.
const offered = (fields) => pythonLanguage.data.of({
  autocomplete: (context) => {
    const word = context.matchBefore(/["']\w*/);
    return word && { from: word.from + 1, options: fields.map((label) => ({ label, type: "property" })), validFor: /^\w*$/ };
  },
});

export function createEditor({ source, fields, changed }) {
  const host = html("div", { class: "editor" });
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({
    doc: source,
    root,
    parent: root,
    extensions: [
      basicSetup, python(), offered(fields), syntaxHighlighting(COLOURS), EditorView.theme(LOOK), EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Your bot, in Python" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); }),
    ],
  });
  return {
    host,
    source: () => view.state.doc.toString(),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
  };
}
