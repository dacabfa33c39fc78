// Charts are read by pointer, finger and arrow keys; what is there is written below them.

/** @param {ParentNode} root */
export function readCharts(root) {
  for (const chart of root.querySelectorAll("svg.chart")) {
    const spots = [...chart.querySelectorAll(".spot")];
    if (!spots.length || chart.hasAttribute("tabindex")) continue;
    const reading = document.createElement("output");
    reading.className = "chart-reading small";
    reading.textContent = "Point at the chart, or select it and press the arrow keys.";
    chart.after(reading);
    chart.setAttribute("tabindex", "0");
    chart.setAttribute("aria-roledescription", "chart, use the arrow keys");
    let at = spots.length;
    const show = (index) => {
      at = Math.max(0, Math.min(spots.length - 1, index));
      for (const [number, spot] of spots.entries()) spot.classList.toggle("at", number === at);
      reading.textContent = spots[at].querySelector("title").textContent;
    };
    const point = (event) => {
      const index = spots.indexOf(/** @type {Element} */ (event.target).closest(".spot"));
      if (index >= 0) show(index);
    };
    chart.addEventListener("pointermove", point);
    chart.addEventListener("pointerdown", point);
    chart.addEventListener("keydown", (/** @type {any} */ event) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: spots.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      show(to);
    });
  }
}
