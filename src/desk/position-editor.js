// A position that is set up on the page: a piece is chosen, and a press on a square puts it there, or takes away what stands there.

import { colourOf, piecesOf } from "./board-svg.js";
import { h, s, setAttribute } from "./dom.js";
import { choice, field } from "./parts.js";
import { pieceName, sideName, t } from "./words.js";

const LETTERS = [..."KQRBNPkqrbnp"];
const RANKS = [8, 7, 6, 5, 4, 3, 2, 1];

/** Where king and rook stand as long as a right to castle may remain. */
const HOMES = { K: { e1: "K", h1: "R" }, Q: { e1: "K", a1: "R" }, k: { e8: "k", h8: "r" }, q: { e8: "k", a8: "r" } };

const drawn = (letter) => s("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" }, s("use", { href: `#piece-${letter.toLowerCase()}`, class: `piece ${colourOf(letter)}` }));

/** Writes pieces as a FEN has them. */
const placementOf = (pieces) => RANKS.map((rank) => [..."abcdefgh"].map((file) => pieces.get(file + rank) ?? "1").join("").replace(/1+/g, (empty) => empty.length)).join("/");

/** The editor; `sensed` are the pieces that the board shows. Its `fen` is what was set up, empty if that is no position at all. */
export class PositionEditor {
  constructor(fen, sensed) {
    this.chosen = null;
    this.input = h("input", { type: "text", class: "wide", value: fen, spellcheck: "false", oninput: () => this.#read() });
    this.turn = choice(["white", "black"].map((side) => [side, sideName(side)]), "white", { onchange: () => this.#write() });
    this.squares = RANKS.flatMap((rank, row) => [..."abcdefgh"].map((file, column) => h("button", { type: "button", "data-square": file + rank, "data-dark": (row + column) % 2 === 1, onclick: () => this.#press(file + rank) })));
    const tool = (letter, inside, label) => h("button", { type: "button", "data-piece": letter, "aria-label": label, onclick: () => this.#choose(letter) }, inside);
    this.tools = [...LETTERS.map((letter) => tool(letter, drawn(letter), pieceName(letter))), tool("", "✕", t("edErase"))];
    const take = h("button", { type: "button", class: "plain", text: t("orSensed"), onclick: () => this.#take(sensed) });
    this.element = h("div", { class: "editor" },
      h("div", { class: "palette", role: "group", "aria-label": t("edPieces") }, this.tools),
      h("div", { class: "squares", role: "group", "aria-label": t("position") }, this.squares),
      h("div", { class: "fields" }, field(t("edTurn"), this.turn), sensed && take),
      h("details", null, h("summary", { text: t("orFen") }), field(t("orFen"), this.input)));
    this.#choose("");
    this.#read();
  }

  get fen() {
    return this.input.value.trim();
  }

  #choose(letter) {
    this.chosen = letter;
    for (const one of this.tools) setAttribute(one, "aria-pressed", String(one.dataset.piece === letter));
  }

  #press(square) {
    if (this.chosen && this.pieces.get(square) !== this.chosen) this.pieces.set(square, this.chosen);
    else this.pieces.delete(square);
    this.#write();
  }

  #take(sensed) {
    this.pieces = piecesOf(sensed);
    this.#write();
  }

  /** Writes what stands there; rights to castle end with king or rook away, an en passant square with any change. */
  #write() {
    const [, , rights = "-", , quiet = "0", number = "1"] = this.fen.split(" ");
    const left = [...rights].filter((one) => Object.entries(HOMES[one] ?? {}).every(([square, letter]) => this.pieces.get(square) === letter)).join("");
    this.input.value = [placementOf(this.pieces), this.turn.value[0], left || "-", "-", quiet, number].join(" ");
    this.#draw();
  }

  #read() {
    this.pieces = piecesOf(this.fen);
    this.turn.value = this.fen.split(" ")[1] === "b" ? "black" : "white";
    this.#draw();
  }

  #draw() {
    for (const button of this.squares) {
      const { square } = button.dataset;
      const letter = this.pieces.get(square);
      button.replaceChildren(...(letter ? [drawn(letter)] : []));
      setAttribute(button, "aria-label", letter ? `${square}, ${pieceName(letter)}` : square);
    }
  }
}
