export function viewBox() { return "0 0 100 100"; }
export function draw(h, frame) { return [h("text", {class: "b-toy-plate", x: 10, y: 50}, String(frame.view.plate))]; }
