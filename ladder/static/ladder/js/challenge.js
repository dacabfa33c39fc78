// A challenge offers the boards that the chosen bot plays on, and completes every name of a list.

export function challengeForm() {
  const form = document.querySelector("form[data-challenge]");
  if (!form) return;
  /** @type {HTMLSelectElement} */
  const own = form.querySelector("[name=own]");
  /** @type {HTMLSelectElement} */
  const board = form.querySelector("[name=board]");
  /** @type {HTMLInputElement} */
  const rivals = form.querySelector("[name=opponents]");
  const list = document.getElementById("rivals");
  const names = [...list.querySelectorAll("option")].map(
    (option) => ({ name: option.value, game: option.dataset.game }),
  );

  function showBoards() {
    const played = own.selectedOptions[0].dataset.boards.split(" ");
    for (const option of board.options) {
      option.hidden = option.disabled = !played.includes(option.value);
    }
    if (board.selectedOptions[0]?.disabled) board.value = played[0];
    complete();
  }

  // The list completes what follows the last comma; what stands before it is part of each entry.
  function complete() {
    const game = board.value.split("/")[0];
    const typed = rivals.value.split(",").map((part) => part.trim());
    const before = typed.slice(0, -1);
    const free = names.filter((one) => one.game === game && !before.includes(one.name));
    list.replaceChildren(...free.map((one) => new Option("", [...before, one.name].join(", "))));
  }

  own.addEventListener("change", showBoards);
  board.addEventListener("change", complete);
  rivals.addEventListener("input", complete);
  showBoards();
}
