// A table at which one plays: the theatre's own stage and panels, with moves to choose from.

import { decoder } from "../theatre/decode.js";
import { html, svg } from "../theatre/dom.js";
import { createLegend } from "../theatre/legend.js";
import { createMoves } from "../theatre/moves.js";
import { createPanels } from "../theatre/panels.js";
import { Player } from "../theatre/player.js";
import { createSeats } from "../theatre/seats.js";
import { createSound } from "../theatre/effects/sound.js";
import { createStage } from "../theatre/stage.js";
import { createTeller } from "../theatre/words.js";
import { createChoices } from "./choices.js";
import { createPicking } from "./picking.js";
import { createTray } from "./tray.js";

const WIDE = "(min-width: 60rem) and (min-height: 30.01rem)"; // as the theatre's panels have it
const PACES = { Slow: 1, Normal: 2, Fast: 8, Instant: 1000 };

export class Table {
  /** @param {{root: HTMLElement, board: any, told: any, people: number[], tools: Node[], guide?: any, rules: string, choose: (action: string) => void, pace: {speed: number}}} given */
  constructor({ root, board, told, people, tools, guide, rules, choose, pace }) {
    this.root = root;
    this.board = board;
    this.choose = choose;
    this.people = people;
    this.guide = guide;
    this.pace = pace;
    this.films = new Map(told.frames.map(([viewer]) => [viewer, { add: decoder(), frames: [] }]));
    this.viewer = told.frames[0][0];
    // Whose seat is drawn at the bottom: that of the person who looks.
    // The same person is "you" in sentences, but where several look at one table.
    this.film = {
      ...told, frames: [], moves: 0, result: null, me: this.viewer ?? people[0] ?? null,
      you: this.viewer ?? (people.length === 1 ? people[0] : null),
    };
    this.#take(told.frames);
    const { film } = this;
    film.frames = this.films.get(this.viewer).frames;
    const player = new Player(film.frames, film.frames.length - 1);
    this.player = player;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.byKeys = false; // the last answer was given by keys
    this.shown = 0; // when the last frame was, by the page's clock
    this.teller = createTeller(film, []);

    const stage = createStage(board, film, player);
    this.svg = stage.querySelector("svg");
    this.choices = createChoices({ choose });
    this.tray = createTray();
    this.picking = createPicking({
      table: this.svg, board, choose, tray: this.tray,
      narrow: (actions) => this.choices.narrow(actions),
      wrong: (touch, made) => this.choices.refuse(
        board.refusal?.(touch, made, this.player.frames.at(-1).view) ?? "You cannot pick that now: what you can pick is marked.",
      ),
    });
    this.caption = html("p", { class: "caption" });
    this.live = html("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });
    const back = html("button", { type: "button", class: "button slight", onclick: () => player.go(player.last) }, "Back to now");
    const words = html("pre", { tabindex: "0", "aria-label": "The table in words" });
    const seats = createSeats({ player, film, links: [] });
    player.listen(() => {
      const { frame } = player;
      const over = player.index === player.last && film.result;
      this.caption.textContent = over ? this.teller.result() : this.teller.caption(frame);
      back.hidden = player.index === player.last;
      words.textContent = frame.text;
      seats.show(seats.now());
    });
    this.sound = createSound({ player, film });
    const front = html(
      "div", { class: "front" },
      stage,
      html("div", { class: "bar" }, this.caption, this.tray.box, html("p", { class: "tools" }, back, tools, this.sound.button, createPace(pace, player))),
    );
    const legend = createLegend(board);
    const moves = html("div", { class: "choosing" });
    const side = createPanels({
      Score: seats.list,
      Move: moves,
      Moves: createMoves({ player, film, teller: this.teller }),
      More: [
        html("p", {}, html("a", { href: rules, target: "_blank" }, "The rules"), " (in a new tab)"),
        html("details", { class: "in-words", open: true }, html("summary", {}, "In words"), words),
        legend && html("details", { class: "in-words" }, html("summary", {}, "Symbols"), legend),
      ],
    }, 1);
    this.house = html("div", { class: "house playing" }, front, side);
    moves.append(this.choices.box);
    const wide = matchMedia(WIDE);
    const place = () => {
      const words = [...(this.guide ? [this.guide.box] : []), this.choices.words];
      if (wide.matches) moves.prepend(...words);
      else this.tray.box.before(...words);
    };
    place();
    wide.addEventListener("change", place);
    root.replaceChildren(this.house, this.live);
    player.tell(player.index);
  }

  #take(frames) {
    for (const [viewer, parts] of frames) {
      const film = this.films.get(viewer);
      film.frames = [...film.frames, ...parts.flatMap(film.add)];
    }
  }

  /** Show what happened, at a pace one can follow. */
  async show(told) {
    const { player, film } = this;
    this.#take(told.frames);
    const { frames } = this.films.get(this.viewer);
    const news = [];
    player.speed = this.pace.speed;
    for (let at = player.frames.length; at < frames.length; at += 1) {
      const wait = this.still.matches ? 0 : this.shown + player.interval - performance.now();
      if (wait > 0 && this.pace.speed < 1000) await new Promise((done) => setTimeout(done, wait));
      // A list of its own for each, so that the panels see that it has grown.
      player.frames = frames.slice(0, at + 1);
      film.frames = player.frames;
      film.moves = player.frames.at(-1).moves;
      if (at === frames.length - 1) film.result = told.result;
      player.go(at);
      this.shown = performance.now();
      if (!frames[at].beat) news.push(this.teller.whole(frames[at]));
    }
    if (!told.asked) film.result = told.result;
    this.say(news);
  }

  say(sentences) {
    this.live.append(html("p", {}, sentences.join(" ")));
    while (this.live.childNodes.length > 4) this.live.firstChild.remove();
  }

  /** Put a question to a person, in the list and on the board. */
  async ask(asked) {
    await this.#hand(asked.seat);
    const { film, player } = this;
    const name = film.names[asked.seat];
    const alone = this.people.length < 2;
    const { view } = player.frames.at(-1);
    const controls = asked.ranges && this.board.aim?.({
      h: svg, html, table: this.svg, asked, view, narrow: () => this.#isNarrow(),
      choose: this.choose, keep: this.choices.keep, me: film.me,
    });
    this.aim = controls;
    const onBoard = this.picking.ask(asked.ranges ? [] : asked.choices, view);
    const how = controls ? "drag the disc to where it should stop."
      : onBoard ? "pick on the board, or choose here." : "choose here.";
    const words = `${alone ? "Your move" : `${name}, your move`}: ${how}`;
    this.choices.ask(asked.choices, words, controls?.form);
    this.tray.bring(controls?.tray);
    const { step } = this.films.get(this.viewer).frames.at(-1);
    this.guide?.ask(asked.kind, step);
    controls?.begin();
    if (this.byKeys) this.choices.focus();
    this.byKeys = false;
    this.say([`${alone ? "Your move" : `${name}, your move`}: ${asked.choices.length} option${asked.choices.length === 1 ? "" : "s"}.`]);
    this.root.dataset.asked = String(step);
    this.sound.turn();
  }

  #isNarrow() {
    return this.svg.dataset.narrow === "true";
  }

  /** Where people have secrets from each other, the screen is handed over. */
  async #hand(seat) {
    if (this.viewer === null || this.viewer === seat) return;
    this.house.inert = true;
    this.house.classList.add("covered");
    const cover = html("div", { class: "cover" });
    await new Promise((taken) => {
      const button = html("button", { type: "button", class: "button main large", onclick: taken }, "I have it");
      cover.append(html("p", {}, `${this.film.names[seat]}, it is your turn: take the screen.`), button);
      this.root.append(cover);
      button.focus();
    });
    cover.remove();
    const { frames } = this.films.get(seat);
    this.viewer = this.film.me = this.film.you = seat;
    this.player.frames = frames;
    this.film.frames = frames;
    this.player.go(frames.length - 1);
    this.house.classList.remove("covered");
    this.house.inert = false;
  }

  /** Nothing is asked of a person now. */
  rest(words) {
    this.byKeys ||= this.choices.hasKeys();
    delete this.root.dataset.asked;
    this.aim?.stop();
    this.aim = null;
    this.tray.bring(null);
    this.guide?.rest();
    this.picking.rest();
    this.choices.rest(words);
  }

  /** @param {{top: HTMLElement, rest: HTMLElement}} ending */
  end({ top, rest }) {
    this.rest("");
    this.guide?.end();
    this.player.tell(this.player.index);
    this.choices.words.replaceChildren(top);
    this.choices.box.replaceChildren(rest);
    this.say([this.teller.result()]);
    this.root.dataset.over = "";
    /** @type {HTMLElement} */ (top.querySelector(".result")).focus({ preventScroll: true });
  }
}

function createPace(pace, player) {
  const select = html(
    "select", { "aria-label": "Pace of the bots", onchange: () => { pace.speed = player.speed = Number(select.value); } },
    Object.entries(PACES).map(([words, speed]) => html("option", { value: speed, selected: speed === pace.speed }, words)),
  );
  return select;
}

export { WIDE };
