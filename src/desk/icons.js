// Signs: each has a shape of its own, so that nothing is said by colour alone.

import { s } from "./dom.js";

/** Outlines on a square of 16 units. */
const SHAPES = {
  act: "M8 1.2 15.4 14.5H.6Z",
  look: "M8 .8 15.2 8 8 15.2.8 8Z",
  info: "M8 1.5a6.5 6.5 0 1 1-.01 0Z",
  eq: "M5 1h2v3.500h2V1h2v3.500h1.800v3.300A4.800 4.800 0 0 1 9 12.500V15H7v-2.500a4.800 4.800 0 0 1-3.800-4.700V4.500H5Z",
  low: "M8 1a7 7 0 1 1-.01 0Zm0 2a5 5 0 1 0 .01 0ZM7.200 4h1.700v3.800l2.600 1.500-.9 1.400-3.400-2Z",
  over: "M6.200 13.400 1.300 8.500l1.800-1.800 3.100 3.100 6.700-6.700 1.800 1.800Z",
  none: "M8 1.500a6.500 6.500 0 1 1-.01 0Zm0 2a4.500 4.500 0 1 0 .01 0Z",
  play: "M4 2.500 13 8l-9 5.500Z",
  hall: "M1.500 2h5.800v5.300H1.500Zm7.200 0h5.800v5.300H8.700ZM1.500 8.700h5.800V14H1.500Zm7.200 0h5.800V14H8.700Z",
  list: "M2 3h12v2H2Zm0 4h12v2H2Zm0 4h12v2H2Z",
  round: "M3 1h10v14H3Zm2 3v1.500h6V4Zm0 3v1.500h6V7Zm0 3v1.500h4V10Z",
  next: "m5.500 2 6 6-6 6-1.600-1.600L8.300 8 3.900 3.600Z",
  prev: "m10.500 2-6 6 6 6 1.600-1.600L7.700 8l4.400-4.400Z",
  more: "M2 6.500h3v3H2Zm4.500 0h3v3h-3Zm4.500 0h3v3h-3Z",
  down: "m8 6.200 4.300-4.300 1.800 1.800L9.800 8l4.300 4.300-1.800 1.800L8 9.800l-4.300 4.300-1.800-1.800L6.200 8 1.900 3.700l1.800-1.800Z",
  pause: "M3.500 2.500h3v11h-3Zm6 0h3v11h-3Z",
  muted: "M3 6h2.500L9 3v10L5.500 10H3Zm8 .2 1-1L13.500 6.700 15 5.200l1 1L14.500 7.700 16 9.200l-1 1-1.500-1.500-1.500 1.500-1-1 1.500-1.500Z",
};

/** Returns all shapes, to be put into the page once. */
export function iconShapes() {
  const symbols = Object.entries(SHAPES).map(([name, d]) => s("symbol", { id: `icon-${name}`, viewBox: "0 0 16 16" }, s("path", { d, "fill-rule": "evenodd" })));
  return s("svg", { width: 0, height: 0, "aria-hidden": "true", class: "unseen" }, symbols);
}

/** Returns a sign; the text beside it says the same. */
export const icon = (name) => s("svg", { class: "i", "aria-hidden": "true" }, s("use", { href: `#icon-${name}` }));

/** Changes the sign in a place only if it differs; null empties it. */
export function setIcon(place, name) {
  if ((place.dataset.icon ?? "") === (name ?? "")) return;
  place.dataset.icon = name ?? "";
  place.replaceChildren(...(name ? [icon(name)] : []));
}
