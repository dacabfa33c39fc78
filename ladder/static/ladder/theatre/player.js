// Which frame is shown, and the clock that moves it on.

export const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP_MS = 1200;
const LAG = 2; // a play under way that is further ahead than this number of frames is shown faster

export class Player {
  constructor(frames, index = 0) {
    this.frames = frames;
    this.index = index;
    this.speed = 1;
    this.playing = false;
    this.loop = ""; // what is repeated: nothing, the "turn" or the "play"
    this.live = false; // the play is under way: more frames come
    this.unasked = false; // it plays by itself, for a visitor who has not touched it yet
    this.timer = null;
    this.listeners = [];
  }

  get frame() {
    return this.frames[this.index];
  }

  get last() {
    return this.frames.length - 1;
  }

  get interval() {
    const behind = this.live ? this.last - this.index : 0;
    return STEP_MS / Math.max(this.speed, behind / LAG);
  }

  // Calls back with the index that was shown before.
  listen(listener) {
    this.listeners.push(listener);
  }

  // Another seat's film of the same play: the same steps, other views and other beats.
  recast(frames) {
    const { step } = this.frame;
    this.frames = frames;
    this.index = this.indexOf(step);
    this.tell(this.index);
  }

  // More of the same film, or the last of it.
  grow(frames) {
    this.frames = frames;
    if (this.index === this.last && !this.live) this.stop();
    this.tell(this.index);
    if (this.playing) this.wait();
  }

  go(index) {
    const before = this.index;
    this.index = Math.max(0, Math.min(this.last, index));
    if (this.playing && this.index === this.last && !this.loop && !this.live) this.stop();
    this.tell(before);
  }

  // The frame that a step of the log leads to.
  indexOf(step) {
    const index = this.frames.findIndex((frame) => frame.step >= step);
    return index === -1 ? this.last : index;
  }

  goToStep(step) {
    this.go(this.indexOf(step));
  }

  jumpToStep(step) {
    this.jump(this.indexOf(step));
  }

  // Where the turn begins that is `by` turns after this one.
  turnAt(by) {
    return this.#first((frame) => frame.turn >= this.frame.turn + by);
  }

  // The same for rounds; a game without any has one.
  roundAt(by) {
    const rounds = this.rounds;
    const at = rounds.findLastIndex((one) => one.index <= this.index) + by;
    return rounds[Math.max(0, at)]?.index ?? this.last;
  }

  // Each round's name and the frame it begins with.
  get rounds() {
    const found = [];
    this.frames.forEach(({ round }, index) => {
      if (round !== found.at(-1)?.round) found.push({ round, index });
    });
    return found;
  }

  #first(wanted) {
    const index = this.frames.findIndex(wanted);
    return index === -1 ? this.last : index;
  }

  // A move by hand ends the show.
  jump(index) {
    this.stop();
    this.go(index);
  }

  toggle() {
    if (this.playing) {
      this.stop();
      this.tell(this.index);
      return;
    }
    this.playing = true;
    if (this.index === this.last && !this.live) this.go(0);
    else this.tell(this.index);
    this.wait();
  }

  // Jump to the live move, and on with it.
  catchUp() {
    this.playing = true;
    this.go(this.last);
    this.wait();
  }

  // Shows a visitor motion at once.
  open() {
    this.unasked = true;
    this.toggle();
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.index < this.last || !this.live) this.go(this.following());
      if (this.playing) this.wait();
    }, this.interval);
  }

  // The frame after this one, or the first one of what is to be repeated: "turn" or "play".
  following() {
    const after = this.frames[this.index + 1];
    if (this.loop === "turn" && after?.turn !== this.frame.turn) return this.turnAt(0);
    return after || !this.loop ? this.index + 1 : 0;
  }

  stop() {
    clearTimeout(this.timer);
    this.playing = false;
    this.unasked = false;
  }

  tell(before) {
    for (const listener of this.listeners) listener(before);
  }
}
