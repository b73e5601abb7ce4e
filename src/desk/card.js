// One table of the hall as a card: names, clocks, last move, alerts.

import { openAlerts, urgencyOf, waiting } from "./alerts.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { alertLine, mutedText, playerName, tableName } from "./parts.js";
import { codeName, pieceName, sanText, scoreText, sideName, t } from "./words.js";

/** Seconds on the clock of the side to move that count as time trouble with an increment, and without. */
const TROUBLE_S = 120;
const TROUBLE_INCREMENT_S = 30;

export const SIDES = ["white", "black"];

/** Returns the seconds left to whoever runs out first among those to move; Infinity for games that are over. */
export function timeLeft(hall, board) {
  const times = hall.times(board);
  if (!times || !board.game || board.game.result) return Infinity;
  return times.running ? Math.min(times[times.running], times.white + 1e4, times.black + 1e4) : Math.min(times.white, times.black) + 1e5;
}

/** Tells whether a side is short of time. */
export function isShort(hall, seconds) {
  return seconds < ((hall.event.time_control ?? "").includes("+") ? TROUBLE_INCREMENT_S : TROUBLE_S);
}

/** A table of the hall. */
export class Card {
  constructor(board) {
    const player = (side) => {
      const parts = { turn: h("span", { class: "turn", "aria-hidden": "true" }), name: h("span", { class: "name" }), clock: h("span", { class: "clock" }), note: h("span", { class: "unseen" }) };
      parts.row = h("div", { class: `player ${side}` }, parts.turn, h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "unseen" }), parts.name, parts.clock, parts.note);
      parts.side = parts.row.children[2];
      return parts;
    };
    this.hall = h("small", { class: "of-hall" });
    this.title = h("a", { class: "number" });
    this.move = h("span", { class: "last" });
    this.status = h("span", { class: "status" });
    this.alerts = h("div", { class: "card-alerts" });
    [this.white, this.black] = SIDES.map(player);
    this.element = h("li", { class: "card" },
      h("div", { class: "card-head" }, h("h3", null, this.title, this.hall), this.move),
      this.black.row, this.white.row, this.status, this.alerts);
    this.board = board;
  }

  /** Shows what is known of the board. */
  update(hall, board) {
    this.board = board;
    const { game } = board;
    setText(this.title, board.table ? String(board.table) : board.serial ?? board.board);
    setText(this.hall, board.hall ?? "");
    setAttribute(this.title, "aria-label", tableName(board));
    setAttribute(this.title, "href", `#/board/${encodeURIComponent(board.board)}`);
    setText(this.move, moveText(game));
    for (const side of SIDES) {
      setText(this[side].side, sideName(side));
      setText(this[side].name, playerName(board, side));
    }
    this.#status(hall, board);
    this.#alerts(board);
    this.tick(hall);
    const worst = Math.max(-1, ...waiting(board).map(urgencyOf));
    setAttribute(this.element, "data-urgency", worst < 0 ? null : String(worst));
    setAttribute(this.element, "data-over", game?.result ? "" : null);
    setAttribute(this.element, "data-down", board.up ? null : "");
  }

  /** Lets the clocks count. */
  tick(hall) {
    const times = hall.times(this.board);
    const over = Boolean(this.board.game?.result);
    if (this.board.muted_until) this.#status(hall, this.board);
    for (const side of SIDES) {
      const parts = this[side];
      const turn = !over && (times?.running ? times.running === side : this.board.game?.move?.side === side);
      setText(parts.clock, times ? clockText(times[side]) : "–");
      setText(parts.turn, turn ? (times?.running ? "▶" : "▷") : "");
      setText(parts.note, turn ? t(times?.running ? "running" : "toMove") : "");
      setAttribute(parts.row, "data-turn", turn ? "" : null);
      setAttribute(parts.row, "data-short", times && !over && isShort(hall, times[side]) ? "" : null);
    }
  }

  #status(hall, board) {
    const notes = [];
    if (mutedText(hall, board)) notes.push(`🔇 ${mutedText(hall, board)}`);
    if (!board.up) notes.push(`⚠ ${t("linkDown")}`);
    if (board.clock?.connected === false) notes.push(`⚠ ${t("clockLost")}`);
    if (board.clock?.low_battery) notes.push(`▯ ${t("clockBattery")}`);
    if (typeof board.battery === "number" && board.battery <= 100) notes.push(t("battery", { percent: board.battery }));
    const air = (board.in_air ?? []).slice(0, 3);
    if (air.length && board.up) notes.push(t("inAir", { pieces: air.map(({ piece, square }) => `${pieceName(piece)} ${square}`).join(", ") }));
    setText(this.status, notes.join(" · "));
  }

  #alerts(board) {
    const open = openAlerts(board);
    const shown = open.slice(0, 2).map((alert) => `${alert.id} ${alert.state} ${codeName(alert.code)}`).join("|") + open.length;
    if (this.shown === shown) return;
    this.shown = shown;
    this.alerts.replaceChildren(...open.slice(0, 2).map((alert) => alertLine(board, alert, { withTable: false })),
      ...(open.length > 2 ? [h("span", { class: "more", text: t("more", { number: open.length - 2 }) })] : []));
  }
}

/** Writes a result as it is printed. */
function moveText(game) {
  if (!game) return t("noGame");
  if (!game.last) return t("atStart");
  if (game.result) return scoreText(game.result);
  return `${Math.ceil(game.ply / 2)}${game.last.side === "black" ? "…" : "."} ${sanText(game.last.san)}${game.last.legal === false ? " ✗" : ""}`;
}
