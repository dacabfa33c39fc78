// What the decisions of a play were worth: asked for by a click, shown as it gets better.

import { html } from "./dom.js";
import { createExpectation } from "./expectation.js";
import { next, swings } from "./marks.js";

const PASSES = ["quick", "standard"]; // the second refines the first while it is being read
const SIGNS = { slip: "?!", mistake: "?", blunder: "??", only: "!" };
const MOST_QUESTIONS = 10;
// Why a decision carries no mark, where that is worth a sentence.
const UNMARKED = {
  forced: "Forced: only one move was legal.",
  indifferent: "Indifferent: no move is better than another by a point.",
  disputed: "Disputed: the quick judge prefers another move, the slower one does not agree.",
};

// What is known of the decisions, by step, and who wants to hear of it.
export class Judged {
  constructor() {
    this.steps = new Map();
    this.listeners = [];
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  set(decisions) {
    this.steps = new Map(decisions.map((one) => [one.step, one]));
    for (const listener of this.listeners) listener();
  }

  // A sign beside a move, as players of chess write it.
  badge(step) {
    const sign = signOf(this.steps.get(step));
    return sign ? html("b", { class: `judged ${sign}`, title: sign === "only" ? "the only good move" : sign }, SIGNS[sign]) : null;
  }
}

const signOf = (decision) => decision?.mark || (decision?.label === "only" ? "only" : "");
const points = (hundredths) => (hundredths / 100).toFixed(0);

export function createAnalysis({ player, film, judged, board, stage, analyse, stored = null }) {
  if (!analyse || new Set(film.sides).size < 2) return null;
  const box = html("div", { class: "analysis" });
  const status = html("p", { class: "quiet small", role: "status" });
  let run = 0; // which one is wanted: a cancelled one finds that it is no longer
  let begin = null; // starts a pass, once Python is loaded
  let curve = null;
  const now = html("p", { class: "now" }); // about the decision on stage
  let advised = null; // the decision whose better move is shown on the board

  const button = (words, act, more = "") => html("button", { type: "button", class: `button ${more}`, onclick: act }, words);

  function offer(problem = "") {
    box.replaceChildren(
      problem ? html("p", { class: "problem", role: "alert" }, problem) : "", // the reason it is offered again
      html("p", {}, button("Analyse this play", () => start(PASSES), "main")),
      html("p", { class: "quiet small" }, "Finds the expensive decisions and tells luck from skill. It runs in this tab, for some seconds."),
      onServer() ?? "",
    );
  }

  // What the server has, or can be asked for.
  function onServer() {
    if (stored?.is_stored) return html("p", {}, button(stored.is_stale ? "Show the server's analysis, by an earlier analyst" : "Show the server's analysis", fetchStored));
    if (stored?.status) return html("p", { class: "quiet small" }, statusWords(stored));
    if (!stored?.token) return null;
    const line = html("p", {}, button("Ask the server to analyse it", async () => {
      try {
        const response = await fetch(stored.address, { method: "POST", headers: { "X-CSRFToken": stored.token } });
        const told = await response.json();
        line.textContent = told.problem ?? statusWords(told);
      } catch (error) {
        line.textContent = `The server could not be asked: ${error.message}.`;
      }
    }, "slight"));
    return line;
  }

  async function fetchStored() {
    try {
      const response = await fetch(stored.address);
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      show(await response.json(), "");
    } catch (error) {
      offer(`The analysis could not be loaded: ${error.message}.`);
    }
  }

  async function start(budgets) {
    run += 1;
    const mine = run;
    const bar = html("progress", { max: 1, value: 0, "aria-label": "Analysis" });
    const cancel = button("Cancel", () => {
      run += 1;
      working.remove();
      if (!judged.steps.size) offer();
      else status.textContent = "";
    }, "slight");
    const working = html("p", { class: "working" }, bar, cancel);
    if (judged.steps.size) box.prepend(working);
    else box.replaceChildren(working, status);
    try {
      status.textContent = begin ? "" : "Loading Python …";
      begin ??= await analyse((share) => { bar.value = share; });
      for (const budget of budgets) {
        for await (const { done, total, analysis } of begin(budget)) {
          if (run !== mine) return;
          bar.value = done / total;
          status.textContent = `${budget === PASSES[0] ? "A quick look" : "Looking closer"}: ${done} of ${total} decisions`;
          if (analysis) show(analysis, working);
        }
      }
      working.remove();
      status.textContent = "";
    } catch (error) {
      if (run !== mine) return;
      begin = null;
      offer(`The play could not be analysed: ${error.message}.`);
    }
  }

  function show(analysis, working) {
    const { decisions, reports, trust } = analysis;
    judged.set(decisions);
    const marked = decisions.filter(({ mark }) => mark);
    const turns = swings(analysis).map(({ step }) => step).sort((a, b) => a - b);
    curve = createExpectation({ player, film, analysis });
    box.replaceChildren(...[
      working, status, curve.figure,
      html(
        "p", { class: "jumps" },
        jumper(marked.map(({ step }) => step), "Next mark", "a slip, a mistake or a blunder"),
        jumper(turns, "Turning point", "the expected results change most"),
      ),
      now,
      note(trust),
      html("dl", { class: "balance" }, reports.map((report) => [
        html("dt", { class: `seat${film.sides[report.seat]}` }, film.names[report.seat]),
        html("dd", {}, `${report.sentence}. ${lost(report)}`),
      ])),
      list(marked),
      ...foot(analysis),
    ].filter(Boolean));
    follow();
    box.dataset.worlds = String(analysis.settings.worlds);
  }

  function follow() {
    curve?.read();
    comment();
  }

  // Guess before the answer is shown: the most expensive decisions, each from the table before it.
  function quiz(analysis) {
    run += 1; // a closer look would give the answers away
    judged.set([]);
    const questions = analysis.decisions.filter(({ mark }) => mark).toSorted((a, b) => b.regret - a.regret)
      .slice(0, MOST_QUESTIONS).sort((a, b) => a.step - b.step);
    let right = 0;
    const end = () => show(analysis, "");
    const ask = (at) => {
      const question = questions[at];
      if (!question) {
        box.replaceChildren(
          html("p", { role: "status" }, `You found ${right} of ${questions.length} better moves.`),
          html("p", {}, button("Show the analysis", end, "main")),
        );
        return;
      }
      player.jumpToStep(player.frames.findLast(({ step }) => step < question.step).step);
      const answer = (picked) => {
        if (picked === question.better) right += 1;
        player.jumpToStep(question.step);
        box.replaceChildren(
          html("p", { class: "now", role: "status" }, `${picked === question.better ? "Right." : "No."} ${question.sentence}`),
          html("p", {}, button("Next", () => ask(at + 1), "main")),
        );
      };
      // In alphabetical order, so that the place of an answer gives nothing away.
      const answers = [question.better, question.instead_of].sort();
      box.replaceChildren(
        html("p", {}, `Question ${at + 1} of ${questions.length}. What should ${film.names[question.seat]} do?`),
        html("p", { class: "answers" }, answers.map((words) => button(words, () => answer(words)))),
        html("p", {}, button("End the quiz", end, "slight")),
      );
    };
    ask(0);
  }

  function foot(analysis) {
    const { analyst, analyst_version, settings } = analysis;
    const budget = Object.entries(settings).map(([name, value]) => `${name} ${value}`).join(", ");
    const file = new Blob([JSON.stringify(analysis)], { type: "application/json" });
    return [
      html("p", { class: "quiet small" }, `Judged by ${analyst}, version ${analyst_version}; ${budget}.`),
      html(
        "p", { class: "actions" },
        analysis.decisions.some(({ mark }) => mark) ? button("Quiz me", () => quiz(analysis), "slight") : null,
        button("Look even closer", () => start(["thorough"]), "slight"),
        html("a", { class: "button slight", href: URL.createObjectURL(file), download: "ladle-analysis.json" }, "Download the analysis"),
      ),
    ];
  }

  function jumper(steps, words, title) {
    if (!steps.length) return null;
    return html(
      "button", { type: "button", class: "button slight", title, onclick: () => player.jumpToStep(next(steps, player.frame.step)) },
      `${words} (${steps.length})`,
    );
  }

  function list(marked) {
    if (!marked.length) return null;
    return html("ol", { class: "expensive" }, marked.map((one) => html(
      "li", {},
      html(
        "button", { type: "button", onclick: () => player.jumpToStep(one.step) },
        html("b", { class: `judged ${one.mark}` }, SIGNS[one.mark]), ` Move ${moveOf(one.step)}, ${film.names[one.seat]}: `,
        `${one.mark}, ${points(one.regret)} points.`,
      ),
    )));
  }

  const moveOf = (step) => player.frames[player.indexOf(step)].moves;

  // The decision on stage in a sentence, with the better one to be seen on the board.
  function comment() {
    const decision = judged.steps.get(player.frame.step);
    const sign = signOf(decision);
    if (advised && player.frame.step === advised.before) {
      now.replaceChildren(`Before move ${moveOf(advised.step)}. ${advised.sentence} `, button("Back", () => player.jumpToStep(advised.step), "slight"));
      mark();
      return;
    }
    advised = null;
    mark();
    if (!sign) return now.replaceChildren(UNMARKED[decision?.label] ?? "");
    now.replaceChildren(
      html("b", { class: `judged ${sign}` }, SIGNS[sign]), ` ${sign === "only" ? "" : `${sign[0].toUpperCase()}${sign.slice(1)}. `}${decision.sentence} `,
      decision.mark ? button("Show on the board", () => advise(decision), "slight") : "",
    );
  }

  function advise(decision) {
    const before = player.frames.findLast((frame) => frame.step < decision.step);
    advised = { ...decision, before: before.step };
    player.jumpToStep(before.step);
  }

  // A board names what can be touched, and by `ways` the touches that lead to an action.
  function mark() {
    const [touches = []] = advised ? (board.ways?.(advised.best, player.frame.view) ?? []) : [];
    for (const node of stage.querySelectorAll("[data-pick]")) {
      node.classList.toggle("advised", touches.includes(node.dataset.pick));
    }
  }
  new MutationObserver(mark).observe(stage.querySelector(".table"), { childList: true });

  player.listen(follow);
  offer();
  return box;
}

function statusWords({ status, ahead }) {
  if (status === "failed") return "The server could not analyse this play.";
  if (status === "running") return "The server is analysing this play.";
  return ahead ? `Queued on the server: ${ahead} ahead of it.` : "Queued on the server: next in line.";
}

function note(trust) {
  if (trust === "validated") return null;
  return html("p", { class: "notice" }, trust === "rough"
    ? "Rough: this game has no analyst of its own, so its greedy bot played on."
    : "This game's analyst has not been validated, so no decision is marked.");
}

function lost({ lost_per_100, lost_error, unforced }) {
  if (lost_per_100 === null) return "";
  return `Lost ${points(lost_per_100)} ± ${points(1.96 * lost_error)} points per 100 decisions (${unforced} judged).`;
}
