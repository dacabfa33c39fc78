// The step is part of the address, so that a link opens exactly there.

const PAUSE_MS = 400; // browsers refuse a page that rewrites its address all the time

export function stepInAddress() {
  const asked = new URLSearchParams(location.search).get("step"); // a server sees no hash
  const found = /^#step=(\d{1,7})$/.exec(location.hash || `#step=${asked}`);
  return found ? Number(found[1]) : null;
}

export function keepAddress(player) {
  let timer = null;
  let first = true;
  player.listen(() => {
    if (first || player.unasked) { // merely opening a page does not change its address
      first = false;
      return;
    }
    timer ??= setTimeout(() => {
      timer = null;
      history.replaceState(history.state, "", `#step=${player.frame.step}`);
    }, PAUSE_MS);
  });
  addEventListener("hashchange", () => {
    const step = stepInAddress();
    if (step !== null) {
      player.stop();
      player.goToStep(step);
    }
  });
}
