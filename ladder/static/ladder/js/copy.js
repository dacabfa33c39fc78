// A button that copies the text of a block.

/** @param {ParentNode} root */
export function copyButtons(root) {
  if (!navigator.clipboard) return;
  for (const block of root.querySelectorAll("[data-copy]")) {
    if (block.querySelector(".copy")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button slight copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("pre, code").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.append(button);
  }
}
