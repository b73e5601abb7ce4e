// Diagrams as inline SVG, with pieces of our own drawing: bold outlines and few details, so that they are
// distinguished at 32 pixels and drawn well at 900.

import { s } from "./dom.js";
import { pieceName, t } from "./words.js";

/** By piece: the outline, lines in the opposite colour, and filled dots in it. */
const SHAPES = {
  p: ["M22.500 8.200a5.300 5.300 0 0 1 3.600 9.200c1.600.5 2.400 1.300 2.400 2.400 0 .7-.5 1.200-1.300 1.200h-.9c.5 5.400 2.300 8.300 5.600 10.900 1.300 1 2 2.200 2 3.800v1.800c0 .7-.5 1.200-1.200 1.200H12.300c-.7 0-1.200-.5-1.200-1.200v-1.800c0-1.600.7-2.800 2-3.800 3.300-2.600 5.100-5.500 5.600-10.900h-.9c-.8 0-1.300-.5-1.300-1.200 0-1.100.8-1.900 2.400-2.400a5.300 5.300 0 0 1 3.600-9.200Z", ""],
  r: ["M11.500 8.500h4.800v3.200h3.800V8.500h4.800v3.200h3.800V8.500h4.800v7.200c0 1-.4 1.700-1.200 2.300l-2.300 1.700.9 10.300 2.300 2c1 .9 1.500 1.800 1.500 3v2.500c0 .7-.5 1.200-1.200 1.200H11.500c-.7 0-1.200-.5-1.200-1.200V35c0-1.200.5-2.100 1.500-3l2.300-2 .9-10.300-2.300-1.700c-.8-.6-1.200-1.300-1.200-2.300Z", "M15 19.700h15M14.200 30.200h16.600"],
  n: ["M12.200 38.700c-.7 0-1.200-.5-1.200-1.200v-1.400c0-6.300 8.300-8.600 9.400-15-1.800 1.500-3.700 1.900-5.600 3.600-1.200 1-2 2.600-3.800 2.600-2.200 0-3.800-1.900-3.400-4.100.4-2.400 2.400-4 3.300-6.600 1-2.900 2.200-5.600 5.400-7.400l-.4-4.500c0-.5.5-.7.9-.4l4.600 3.600c8.800.2 14.600 7.200 14.600 18.900v10.700c0 .7-.5 1.200-1.200 1.200Z", "M24.500 11.700c4.700 2.500 7.400 8 7.400 15.300v7", "M16.300 14.300a1.500 1.500 0 1 1-.01 0Z"],
  b: ["M22.500 4.500a2.900 2.900 0 0 1 1.600 5.300c5 3.400 7.600 7.500 7.600 11.600 0 2.600-1.100 4.700-3 6.300l1 3.100c4.600.5 7.300 2.200 7.300 4.800v1.900c0 .7-.5 1.200-1.200 1.200H9.200c-.7 0-1.200-.5-1.200-1.200v-1.900c0-2.600 2.700-4.300 7.300-4.800l1-3.100c-1.900-1.600-3-3.700-3-6.300 0-4.100 2.600-8.200 7.600-11.600a2.900 2.900 0 0 1 1.600-5.300Z", "M26 13.800l-4.300 6.400M16.300 27.700h12.400M15.300 31h14.400"],
  q: ["M8.800 14 13.500 29.500l-1 3c-2.300.8-3.400 1.900-3.400 3.400v1.600c0 .7.5 1.200 1.200 1.200h24.400c.7 0 1.200-.5 1.200-1.200v-1.600c0-1.500-1.100-2.600-3.400-3.400l-1-3L36.200 14l-6.700 7.500-.1-11.300-4.500 10.100-2.400-11.500-2.400 11.500-4.500-10.100-.1 11.300ZM8.300 10.100a2.200 2.200 0 1 1-.01 0ZM15.300 6.200a2.200 2.200 0 1 1-.01 0ZM22.500 4.600a2.200 2.200 0 1 1-.01 0ZM29.700 6.200a2.200 2.200 0 1 1-.01 0ZM36.700 10.100a2.200 2.200 0 1 1-.01 0Z", "M13.500 29.500h18M12.500 32.700h20"],
  k: ["M21.200 3.600h2.600v2.900h2.900v2.600h-2.900V13h-2.600V9.100h-2.900V6.500h2.900ZM22.500 13c2 0 3.100 1.700 3 3.800 4.600-3.600 11.300-1.600 11.300 4 0 4.400-3.700 5.800-5.300 8.700l1 3c2.300.8 3.400 1.900 3.400 3.400v1.600c0 .7-.5 1.200-1.200 1.200H10.300c-.7 0-1.200-.5-1.200-1.200v-1.600c0-1.500 1.100-2.600 3.400-3.400l1-3c-1.600-2.900-5.300-4.300-5.300-8.700 0-5.600 6.700-7.600 11.300-4-.1-2.100 1-3.800 3-3.800Z", "M13.500 29.500h18M12.500 32.700h20M22.500 26.500v-6.700"],
};

/** Returns the shapes of all pieces, to be put into the page once. */
export function pieceShapes() {
  const symbols = Object.entries(SHAPES).map(([role, [outline, lines, dots]]) => s("symbol", { id: `piece-${role}`, viewBox: "0 0 45 45" },
    s("path", { d: outline, "stroke-linejoin": "round" }),
    lines && s("path", { d: lines, fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round" }),
    dots && s("path", { d: dots, fill: "currentColor", stroke: "none" })));
  return s("svg", { width: 0, height: 0, "aria-hidden": "true", class: "unseen" }, symbols);
}

/** Returns the colour of a piece by its FEN letter. */
export const colourOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");

/** Reads the pieces of a FEN into a map from square to letter. */
export function piecesOf(fen) {
  const pieces = new Map();
  (fen ?? "").split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else pieces.set("abcdefgh"[file++] + (8 - index), letter);
    }
  });
  return pieces;
}

/** Returns the placement after a piece was taken from one square to another, whatever the rules say of it. */
export function carried(fen, uci) {
  const pieces = piecesOf(fen);
  const piece = pieces.get(uci.slice(0, 2));
  const promoted = uci[4] && (colourOf(piece ?? "P") === "white" ? uci[4].toUpperCase() : uci[4]);
  pieces.delete(uci.slice(0, 2));
  if (piece) pieces.set(uci.slice(2, 4), promoted || piece);
  const row = (rank) => [..."abcdefgh"].map((file) => pieces.get(file + rank) ?? "1").join("").replace(/1+/g, (empty) => empty.length);
  return [8, 7, 6, 5, 4, 3, 2, 1].map(row).join("/");
}

/** Lists the squares on which two positions differ. */
export function differences(a, b) {
  const [left, right] = [piecesOf(a), piecesOf(b)];
  return [...new Set([...left.keys(), ...right.keys()])].filter((square) => left.get(square) !== right.get(square)).sort();
}

function spoken(pieces, marked) {
  const list = [...pieces].map(([square, letter]) => `${pieceName(letter)} ${square}`).join(", ");
  return marked.length ? `${list}. ${t("marked")}: ${marked.join(", ")}` : list;
}

/** Draws an arrow from the middle of a square to that of another; `bad` is one that the Laws do not allow. */
function arrow([ax, ay], [bx, by], bad) {
  const length = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [cx, cy] = [bx - ux * 15, by - uy * 15];
  return s("g", { class: `arrow${bad ? " bad" : ""}` },
    s("path", { d: `M${ax + ux * 10} ${ay + uy * 10}L${cx} ${cy}`, "stroke-width": 6, "stroke-dasharray": bad ? "9 4" : null }),
    s("path", { stroke: "none", d: `M${bx} ${by}L${cx - uy * 11} ${cy + ux * 11}L${cx + uy * 11} ${cy - ux * 11}Z` }));
}

/**
 * Draws a position. `marks` are squares with a frame and a corner, `ghosts` maps squares to pieces that should stand
 * there, `last` is the last move in UCI, `arrows` are moves in UCI, those with an exclamation mark not allowed; `flip` shows it from
 * Black's side, and without `edge` no coordinates stand beside it.
 */
export function diagram(fen, { marks = [], ghosts = new Map(), last = "", arrows = [], flip = false, edge = true, label = "" } = {}) {
  const pieces = piecesOf(fen);
  const hidden = label === null;
  const root = s("svg", { class: "diagram", viewBox: edge ? "-17 0 377 378" : "0 0 360 360", role: hidden ? null : "img", "aria-hidden": hidden ? "true" : null, "aria-label": hidden ? null : `${label} ${spoken(pieces, marks)}`.trim() });
  const at = (square) => {
    const [file, rank] = ["abcdefgh".indexOf(square[0]), Number(square[1]) - 1];
    return flip ? [(7 - file) * 45, rank * 45] : [file * 45, (7 - rank) * 45];
  };
  const middle = (square) => at(square).map((value) => value + 22.5);
  let dark = "";
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) if ((row + column) % 2) dark += `M${column * 45} ${row * 45}h45v45h-45z`;
  }
  root.append(s("rect", { width: 360, height: 360, class: "light" }), s("path", { d: dark, class: "dark" }));
  for (const square of (last ?? "").slice(0, 4).match(/[a-h][1-8]/g) ?? []) {
    const [x, y] = at(square);
    root.append(s("rect", { x, y, width: 45, height: 45, class: "last" }));
  }
  for (let index = 0; edge && index < 8; index += 1) {
    root.append(s("text", { x: -9, y: index * 45 + 27, "text-anchor": "middle", class: "edge" }, String(flip ? index + 1 : 8 - index)));
    root.append(s("text", { x: index * 45 + 22.5, y: 373, "text-anchor": "middle", class: "edge" }, "abcdefgh"[flip ? 7 - index : index]));
  }
  const put = (square, letter, kind) => {
    const [x, y] = at(square);
    root.append(s("use", { href: `#piece-${letter.toLowerCase()}`, x: x + 1.5, y: y + 1, width: 42, height: 42, class: `piece ${colourOf(letter)} ${kind}` }));
  };
  for (const [square, letter] of ghosts) if (!pieces.has(square)) put(square, letter, "ghost");
  for (const [square, letter] of pieces) put(square, letter, "");
  for (const square of marks) {
    const [x, y] = at(square);
    root.append(s("rect", { x: x + 1.7, y: y + 1.7, width: 41.6, height: 41.6, class: "mark" }));
    root.append(s("path", { d: `M${x + 45} ${y}v15l-15-15z`, class: "corner" }));
  }
  for (const one of arrows) {
    const [from, to] = one.replace("!", "").match(/[a-h][1-8]/g) ?? [];
    if (to && from !== to) root.append(arrow(middle(from), middle(to), one[0] === "!"));
  }
  return root;
}
