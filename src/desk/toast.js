// What was done last, for ten seconds at the foot of the page, with a button that takes it back.

import { h, setText } from "./dom.js";
import { t } from "./words.js";

const SECONDS = 10;

let ticking = 0;

/** Says what was done; `undo` takes it back. */
export function toast(text, undo = null) {
  const place = document.getElementById("toast");
  if (!place) return;
  clearInterval(ticking);
  let left = SECONDS;
  const button = undo && h("button", { type: "button", id: "toast-undo", text: t("toastUndo", { seconds: left }) });
  const close = () => {
    clearInterval(ticking);
    place.replaceChildren();
  };
  if (button) {
    button.onclick = async () => {
      close();
      await undo();
    };
  }
  place.replaceChildren(h("div", { class: "toast" }, h("span", { text }), button));
  ticking = setInterval(() => {
    left -= 1;
    if (left <= 0) close();
    else if (button) setText(button, t("toastUndo", { seconds: left }));
  }, 1000);
}
