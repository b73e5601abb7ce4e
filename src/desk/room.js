// How much room a page has, in the height of its letters: larger text leaves less of it.

import { setAttribute } from "./dom.js";

/** The widths up to which a page is laid out as on a phone, a tablet, a laptop. */
const ROOMS = [[46, "phone"], [68.74, "tablet"], [104.99, "laptop"], [Infinity, "wide"]];

/** Lets the styles know how much room there is, now and whenever it changes. */
export function followRoom() {
  const root = document.documentElement;
  const look = () => {
    const letters = root.clientWidth / parseFloat(getComputedStyle(root).fontSize);
    setAttribute(root, "data-room", ROOMS.find(([limit]) => letters <= limit)[1]);
  };
  look();
  addEventListener("resize", look);
  // The size of the text changes without the window's, and the height of the bar with it.
  new ResizeObserver(look).observe(document.getElementById("bar"));
}
