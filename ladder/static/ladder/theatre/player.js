// Which frame is shown, and the clock that moves it on.

export const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP_MS = 1000;

export class Player {
  constructor(frames, index = 0) {
    this.frames = frames;
    this.index = index;
    this.speed = 1;
    this.playing = false;
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
    return STEP_MS / this.speed;
  }

  // Calls back with the index that was shown before.
  listen(listener) {
    this.listeners.push(listener);
  }

  // Another seat's film of the same play: the same steps, other views.
  recast(frames) {
    this.frames = frames;
    this.tell(this.index);
  }

  go(index) {
    const before = this.index;
    this.index = Math.max(0, Math.min(this.last, index));
    if (this.playing && this.index === this.last) this.stop();
    this.tell(before);
  }

  // The frame that a step of the log leads to.
  goToStep(step) {
    const index = this.frames.findIndex((frame) => frame.step >= step);
    this.go(index === -1 ? this.last : index);
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
    if (this.index === this.last) this.go(0);
    else this.tell(this.index);
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
      this.go(this.index + 1);
      if (this.playing) this.wait();
    }, this.interval);
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
