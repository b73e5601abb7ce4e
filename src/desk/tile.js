// One table of the hall as a tile: its number, and its state by sign, colour and border. 300 of them fit a screen.

import { urgencyOf, waiting } from "./alerts.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { SIDES, isShort } from "./card.js";
import { mutedText, playerName, tableName } from "./parts.js";
import { codeName, scoreText, t } from "./words.js";

/** The states of a table: sign and word of each, the most pressing first. */
export const STATES = {
  urgent: ["▲", "urgent"],
  soon: ["◆", "soon"],
  info: ["●", "info"],
  down: ["✕", "linkDown"],
  muted: ["∅", "tileMuted"],
  over: ["■", "tileOver"],
  short: ["◔", "tileShort"],
  running: ["▶", "tileRunning"],
  standing: ["❚❚", "tileStanding"],
  empty: ["○", "noGame"],
};

/** States that stand for an open alert. */
const ALERTED = new Set(["urgent", "soon", "info"]);

/** Returns the state that a tile shows. */
function stateOf(hall, board) {
  const worst = Math.max(-1, ...waiting(board).map(urgencyOf));
  if (worst > 0) return worst === 2 ? "urgent" : "soon";
  if (!board.up) return "down";
  if (mutedText(hall, board)) return "muted";
  if (worst === 0) return "info";
  if (!board.game) return "empty";
  if (board.game.result) return "over";
  const times = hall.times(board);
  if (!times?.running) return board.game.ply > 0 ? "standing" : "empty";
  return SIDES.some((side) => isShort(hall, times[side])) ? "short" : "running";
}

/** A table of the hall; `wall` shows clocks and a note as well. */
export class Tile {
  constructor(board, wall) {
    this.board = board;
    this.label = h("span", { class: "unseen" });
    this.number = h("strong", { class: "tile-number", "aria-hidden": "true" });
    this.sign = h("span", { class: "tile-sign", "aria-hidden": "true" });
    this.clocks = wall ? Object.fromEntries(SIDES.map((side) => [side, h("span", { class: "tile-clock" })])) : null;
    this.note = wall && h("span", { class: "tile-note", "aria-hidden": "true" });
    this.link = h("a", null, this.label, this.number, this.sign, wall && h("span", { class: "tile-clocks", "aria-hidden": "true" }, this.clocks.white, this.clocks.black), this.note);
    this.element = h("li", { class: "tile" }, this.link);
  }

  /** Shows what is known of the board. */
  update(hall, board) {
    this.board = board;
    setText(this.number, board.hall ? `${board.hall} ${board.table ?? board.serial ?? board.board}` : board.table ? String(board.table) : board.serial ?? board.board);
    setAttribute(this.link, "href", `#/board/${encodeURIComponent(board.board)}`);
    this.tick(hall);
  }

  /** Lets the clocks count; being short of time is a state of its own. */
  tick(hall) {
    const { board } = this;
    const state = stateOf(hall, board);
    const [sign, word] = STATES[state];
    const [worst] = waiting(board);
    setAttribute(this.element, "data-state", state);
    setText(this.sign, sign);
    const label = [tableName(board), `${playerName(board, "white")} – ${playerName(board, "black")}`, worst && codeName(worst.code), board.game?.result ? scoreText(board.game.result) : t(word)];
    setText(this.label, label.filter(Boolean).join(", "));
    if (!this.clocks) return;
    const times = hall.times(board);
    for (const side of SIDES) {
      const clock = this.clocks[side];
      setText(clock, times ? clockText(times[side]) : "–");
      setAttribute(clock, "data-turn", times?.running === side && !board.game?.result ? "" : null);
    }
    setText(this.note, worst && ALERTED.has(state) ? codeName(worst.code) : state === "over" ? scoreText(board.game.result) : t(word));
  }
}
