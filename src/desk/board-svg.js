// Diagrams as inline SVG, with pieces of our own drawing: bold outlines and few details, so that they can be told
// apart at 24 pixels.

import { s } from "./dom.js";
import { pieceName, t } from "./words.js";

// Shapes are filled and outlined as the piece that uses them says; `detail` is drawn in the opposite colour.
const SHAPES = {
  p: ["M15 37C15 30 20 28 19.800 21h5.400C25 28 30 30 30 37Z", "M16.500 19.500h12v3h-12Z", "M22.500 8a6 6 0 1 1-.01 0Z", "M12 36h21v4.500H12Z"],
  r: ["M12 8h5v3.500h3.200V8h4.600v3.500H28V8h5v8.500L29.500 20v11.500L32.500 36h-20l3-4.500V20L12 16.500Z", "M10 36h25v4.500H10Z"],
  n: ["M15 36.500c-.5-6.500 5-9 7-13.500-3 2-5 2-7.500 4.800-1.800 1.900-5 .8-5.200-1.900-.2-2.400 2-4.700 3.200-7.700 1-3 2-5.700 5.300-7.700L17 5.500l5.500 3.500c8 .5 12.500 9 11.500 27.500Z", "M11 36h25v4.500H11Z"],
  b: ["M22.500 10.500c8 5.500 9.500 11.500 6 17.500h-12c-3.500-6-2-12 6-17.500Z", "M22.500 5a3 3 0 1 1-.01 0Z", "M15.500 28h14v3.500h-14Z", "M16.500 31.500h12l4 5h-20Z", "M10 36h25v4.500H10Z"],
  q: ["M8.500 14.500 14 31h17l5.500-16.500-7 7L28.500 9.500l-6 10.500-6-10.500-1 12Z", "M8.500 11.500a2.600 2.600 0 1 1-.01 0ZM16.500 6.500a2.600 2.600 0 1 1-.01 0ZM28.500 6.500a2.600 2.600 0 1 1-.01 0ZM36.500 11.500a2.600 2.600 0 1 1-.01 0Z", "M13 31h19v5H13Z", "M11 36h23v4.500H11Z"],
  k: ["M21 4h3v3h3.200v3H24v5h-3v-5h-3.200V7H21Z", "M22.500 14c2.500 0 3.500 2 3 4.200 5.500-3.700 11.700-.7 10.700 5.300-.8 4.300-4.700 5.500-5.200 9.500H14c-.5-4-4.400-5.200-5.200-9.500-1-6 5.200-9 10.700-5.300-.5-2.200.5-4.200 3-4.200Z", "M13 32h19v4H13Z", "M11 36h23v4.500H11Z"],
};
const DETAILS = {
  n: ["M16 15.500a1.600 1.600 0 1 1-.01 0Z"],
  b: ["M21.700 15.500h1.600V19h3v1.600h-3v4h-1.600v-4h-3V19h3Z"],
  q: ["M15 32.800h15v1.400H15Z"],
  k: ["M15 33.400h15v1.400H15Z", "M21.700 20h1.600v9h-1.600Z"],
};

/** Returns the shapes of all pieces, to be put into the page once. */
export function pieceShapes() {
  const symbols = Object.keys(SHAPES).map((role) => s("symbol", { id: `piece-${role}`, viewBox: "0 0 45 45" },
    SHAPES[role].map((d) => s("path", { d, "stroke-linejoin": "round" })),
    (DETAILS[role] ?? []).map((d) => s("path", { d, class: "detail", stroke: "none" }))));
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

/**
 * Draws a position. `marks` are squares with a frame and a corner, `ghosts` maps squares to pieces that should stand
 * there, `flip` shows it from Black's side.
 */
export function diagram(fen, { marks = [], ghosts = new Map(), flip = false, label = "" } = {}) {
  const pieces = piecesOf(fen);
  const root = s("svg", { class: "diagram", viewBox: "0 0 380 380", role: "img", "aria-label": `${label} ${spoken(pieces, marks)}`.trim() });
  const at = (square) => {
    const [file, rank] = ["abcdefgh".indexOf(square[0]), Number(square[1]) - 1];
    return flip ? [(7 - file) * 45 + 15, rank * 45 + 2] : [file * 45 + 15, (7 - rank) * 45 + 2];
  };
  for (let file = 0; file < 8; file += 1) {
    for (let rank = 1; rank <= 8; rank += 1) {
      const [x, y] = at("abcdefgh"[file] + rank);
      root.append(s("rect", { x, y, width: 45, height: 45, class: (file + rank) % 2 ? "dark" : "light" }));
    }
  }
  for (let index = 0; index < 8; index += 1) {
    root.append(s("text", { x: 6.5, y: index * 45 + 29, "text-anchor": "middle", class: "edge" }, String(flip ? index + 1 : 8 - index)));
    root.append(s("text", { x: index * 45 + 37.5, y: 376, "text-anchor": "middle", class: "edge" }, "abcdefgh"[flip ? 7 - index : index]));
  }
  const put = (square, letter, kind) => {
    const [x, y] = at(square);
    root.append(s("use", { href: `#piece-${letter.toLowerCase()}`, x: x + 1, y: y + 1, width: 43, height: 43, class: `piece ${colourOf(letter)} ${kind}` }));
  };
  for (const [square, letter] of ghosts) if (!pieces.has(square)) put(square, letter, "ghost");
  for (const [square, letter] of pieces) put(square, letter, "");
  for (const square of marks) {
    const [x, y] = at(square);
    root.append(s("rect", { x: x + 2, y: y + 2, width: 41, height: 41, class: "mark" }));
    root.append(s("path", { d: `M${x + 45} ${y}v13l-13-13z`, class: "corner" }));
  }
  return root;
}
