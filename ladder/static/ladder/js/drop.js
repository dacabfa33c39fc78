// Dropping a file on a box fills its file input; a pasted text is then not needed.

export function dropBoxes() {
  for (const box of document.querySelectorAll("[data-drop]")) {
    /** @type {HTMLInputElement} */
    const input = box.querySelector("input[type=file]");
    for (const name of ["dragenter", "dragover"]) {
      box.addEventListener(name, (event) => { event.preventDefault(); box.classList.add("over"); });
    }
    for (const name of ["dragleave", "drop"]) {
      box.addEventListener(name, () => box.classList.remove("over"));
    }
    box.addEventListener("drop", (/** @type {any} */ event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
    });
  }
}
