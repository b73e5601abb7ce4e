// One table of the hall as a tile: its number, and its state by sign, fill and border. 300 of them fit a screen; on a wall with names.

import { toneOf, waiting } from "./alerts.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { SIDES, hasBegun, hasShort, isShort, points } from "./card.js";
import { icon, setIcon } from "./icons.js";
import { mutedText, playerName, surname, tableName } from "./parts.js";
import { codeName, scoreText, t } from "./words.js";

/** The states of a table: sign and word of each, the most pressing first. */
export const STATES = {
  act: ["act", "urgent"],
  look: ["look", "soon"],
  eq: ["eq", "equipment"],
  down: ["down", "linkDown"],
  info: ["info", "info"],
  muted: ["muted", "tileMuted"],
  over: ["over", "tileOver"],
  short: ["low", "tileShort"],
  running: ["play", "tileRunning"],
  standing: ["pause", "tileStanding"],
  empty: ["none", "notBegun"],
};

/** States that say something on a wall. */
const NAMED = new Set(["act", "look", "eq", "info", "down"]);

/** Returns the state that a tile shows. */
export function stateOf(hall, board) {
  const [worst] = waiting(hall, board);
  const tone = worst ? toneOf(worst) : null;
  if (tone && tone !== "info") return tone;
  if (!board.up) return "down";
  if (mutedText(hall, board)) return "muted";
  if (tone) return tone;
  if (!board.game) return "empty";
  if (board.game.result) return "over";
  if (!hasBegun(board)) return "empty";
  // Without a clock, nothing says that a game stands still.
  if (!board.clock) return "running";
  if (!hall.times(board)?.running) return "standing";
  return hasShort(hall, board) ? "short" : "running";
}

/** The signs of all states with their words. */
export const legend = () => h("p", { class: "legend" }, Object.values(STATES).map(([sign, word]) => h("span", null, icon(sign), ` ${t(word)}`)));

/** A table of the hall; `wall` shows names, clocks and a note as well. */
export class Tile {
  constructor(board, wall) {
    this.board = board;
    this.label = h("span", { class: "unseen" });
    this.number = h("strong", { class: "tile-number", "aria-hidden": "true" });
    this.sign = h("span", { class: "tile-sign", "aria-hidden": "true" });
    const line = (side, kind) => h("span", { class: `${kind} ${side}` }, h("span", { class: "disc" }), h("span"));
    this.clocks = wall ? Object.fromEntries(SIDES.map((side) => [side, line(side, "tile-clock")])) : null;
    this.names = wall ? Object.fromEntries(SIDES.map((side) => [side, line(side, "tile-name")])) : null;
    this.note = wall && h("span", { class: "tile-note", "aria-hidden": "true" });
    const inside = [this.label, this.number, wall ? null : this.sign, wall && h("span", { class: "tile-clocks", "aria-hidden": "true" }, this.clocks.white, this.clocks.black),
      wall && h("span", { class: "tile-names", "aria-hidden": "true" }, this.names.white, this.names.black), wall && h("span", { class: "tile-status", "aria-hidden": "true" }, this.sign, this.note)];
    this.link = h("a", null, inside);
    this.element = h("li", { class: "tile" }, this.link);
  }

  /** Shows what is known of the board. */
  update(hall, board) {
    this.board = board;
    setText(this.number, board.hall ? `${board.hall} ${board.table ?? board.serial ?? board.board}` : board.table ? String(board.table) : board.serial ?? board.board);
    setAttribute(this.link, "href", `#/board/${encodeURIComponent(board.board)}`);
    for (const side of this.names ? SIDES : []) setText(this.names[side].lastChild, surname(board, side));
    this.tick(hall);
  }

  /** Lets the clocks count; being short of time is a state of its own. */
  tick(hall) {
    const { board } = this;
    const state = stateOf(hall, board);
    const [sign, word] = STATES[state];
    const [worst] = waiting(hall, board);
    const result = board.game?.result;
    setAttribute(this.element, "data-state", state);
    setAttribute(this.element, "data-calm", state === "act" && !hall.needsArbiter(board, worst) ? "" : null);
    setAttribute(this.sign, "data-sign", sign);
    setIcon(this.sign, sign === "play" && !this.clocks ? null : sign);
    const label = [tableName(board), `${playerName(board, "white")} – ${playerName(board, "black")}`, worst && codeName(worst.code), result ? scoreText(result) : t(word)];
    setText(this.label, label.filter(Boolean).join(", "));
    if (!this.clocks) return;
    const times = hall.times(board);
    for (const side of SIDES) {
      const clock = this.clocks[side];
      setText(clock.lastChild, result ? points(result, side) : times ? clockText(times[side]) : "–");
      const turn = times?.running === side && !result;
      setAttribute(clock, "data-turn", turn ? "" : null);
      setAttribute(clock, "data-short", times && !result && hasBegun(board) && isShort(hall, times[side]) ? "" : null);
      setAttribute(clock, "data-long", times && times[side] >= 3600 && !result ? "" : null);
      setAttribute(clock, "data-stale", hall.isStale(board) && !result ? "" : null);
    }
    // Nothing is said of a table at which people simply play.
    const lost = state === "standing" && board.clock?.connected === false;
    setText(this.note, worst && NAMED.has(state) ? codeName(worst.code) : lost ? t("clockLost") : ["down", "muted", "empty", "standing"].includes(state) ? t(word) : "");
    setAttribute(this.element, "data-status", this.note.textContent ? "" : null);
  }
}
