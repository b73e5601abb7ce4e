// One table of the hall as a card: names, clocks, and one line of what there is to say. It has the same lines in every state.

import { toneOf, waiting } from "./alerts.js";
import { diagram } from "./board-svg.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { setIcon } from "./icons.js";
import { ageText, mutedText, playerName, surname, tableName } from "./parts.js";
import { lowLimit } from "./time-control.js";
import { codeName, sanText, scoreText, sideName, t } from "./words.js";

export const SIDES = ["white", "black"];

/** Returns the seconds left to whoever runs out first among those to move; Infinity for games that are over. */
export function timeLeft(hall, board) {
  const times = hall.times(board);
  if (!times || !board.game || board.game.result) return Infinity;
  return times.running ? Math.min(times[times.running], times.white + 1e4, times.black + 1e4) : Math.min(times.white, times.black) + 1e5;
}

/** Returns whether a side is short of time. */
export const isShort = (hall, seconds) => seconds < lowLimit(hall);

/** Returns whether a side of a board that is being played at is short of time. */
export function hasShort(hall, board) {
  const times = hall.times(board);
  return Boolean(times?.running && board.game && !board.game.result && SIDES.some((side) => isShort(hall, times[side])));
}

/** Returns whether a game has begun on a board: a move was made, or the clock runs. */
export const hasBegun = (board) => Boolean(board.game && (board.game.ply > 0 || board.clock?.running));

/** What a side gets for a result: `1`, `½`, `0`, `+` or `−`; empty where nothing is known of it. */
export function points(result, side) {
  const [white, black] = scoreText(result ?? "").split(/[–/]/);
  return { white, black }[side] ?? "";
}

/** A table of the hall; `withBoard` shows what stands on it as well. */
export class Card {
  constructor(board, withBoard = false) {
    const player = (side) => {
      const parts = { turn: h("span", { class: "turn", "aria-hidden": "true" }), name: h("span", { class: "name" }), clock: h("span", { class: "clock" }), note: h("span", { class: "unseen" }) };
      parts.row = h("div", { class: `player ${side}` }, parts.turn, h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "unseen" }), parts.name, parts.clock, parts.note);
      parts.side = parts.row.children[2];
      return parts;
    };
    this.hall = h("small", { class: "of-hall" });
    this.title = h("a", { class: "number" });
    this.sign = h("span", { class: "sign" });
    this.alert = h("a", { class: "card-alert", hidden: true });
    this.move = h("span", { class: "last" });
    this.status = h("span", { class: "status" });
    this.age = h("span", { class: "age" });
    this.mini = withBoard ? h("div", { class: "mini" }) : null;
    [this.white, this.black] = SIDES.map(player);
    const rows = withBoard ? [this.black.row, this.white.row] : [this.white.row, this.black.row];
    this.element = h("li", { class: "card" }, this.mini, h("h3", null, this.title, this.hall), rows,
      h("div", { class: "st" }, this.sign, this.alert, this.move, this.status, this.age));
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
      setText(this[side].name, this.mini ? surname(board, side) : playerName(board, side));
    }
    const [worst] = waiting(hall, board);
    this.worst = worst;
    const tone = worst ? toneOf(worst) : null;
    setAttribute(this.element, "data-s", tone);
    setAttribute(this.element, "data-over", game?.result ? "" : null);
    setAttribute(this.element, "data-none", !game?.result && !hasBegun(board) ? "" : null);
    setAttribute(this.element, "data-down", board.up ? null : "");
    this.alert.hidden = !worst;
    if (worst) {
      setText(this.alert, codeName(worst.code));
      setAttribute(this.alert, "href", `#/alert/${encodeURIComponent(worst.id)}`);
    }
    setIcon(this.sign, tone ?? (board.up ? (game?.result ? "over" : null) : "eq"));
    this.#board(board);
    this.tick(hall);
  }

  /** Lets the clocks count. */
  tick(hall) {
    const { board } = this;
    const times = hall.times(board);
    const result = board.game?.result;
    const stale = hall.isStale(board);
    const [worst] = waiting(hall, board);
    // A notice ends by itself.
    if (worst !== this.worst) {
      this.update(hall, board);
      return;
    }
    this.#status(hall, board);
    setAttribute(this.element, "data-calm", worst && toneOf(worst) === "act" && !hall.needsArbiter(board, worst) ? "" : null);
    setText(this.age, worst ? ageText(hall.age(worst, hall.now())) : "");
    for (const side of SIDES) {
      const parts = this[side];
      const turn = !result && (times?.running ? times.running === side : board.game?.move?.side === side);
      setText(parts.clock, result ? points(result, side) : times ? clockText(times[side]) : "–");
      setText(parts.turn, turn ? (times?.running ? "▶" : "▷") : "");
      setText(parts.note, turn ? t(times?.running ? "running" : "toMove") : "");
      setAttribute(parts.row, "data-turn", turn && times?.running ? "" : null);
      setAttribute(parts.row, "data-short", times && !result && hasBegun(board) && isShort(hall, times[side]) ? "" : null);
      setAttribute(parts.row, "data-stale", stale && times && !result ? "" : null);
    }
  }

  /** What is to be known of the table besides: equipment, muting, pieces in the hand, irregularities on record. */
  #status(hall, board) {
    const notes = [];
    if (mutedText(hall, board)) notes.push(mutedText(hall, board));
    if (!board.up) notes.push(t("linkDown"));
    if (board.clock?.connected === false) notes.push(t("clockLost"));
    if (board.clock?.low_battery) notes.push(t("clockBattery"));
    if (typeof board.battery === "number" && board.battery < 20) notes.push(t("battery", { percent: board.battery }));
    for (const side of SIDES) {
      const number = board.offences?.[side];
      if (number && !board.game?.result) notes.push(t("illegalMoves", { side: sideName(side), number }));
    }
    const air = (board.in_air ?? []).slice(0, 1);
    if (!notes.length && air.length && board.up) notes.push(t("inAir", { pieces: air.map(({ piece, square }) => `${piece.toUpperCase() === "P" ? "" : sanText(piece.toUpperCase())}${square}`).join(", ") }));
    setText(this.status, notes.join(" · "));
  }

  #board(board) {
    if (!this.mini) return;
    const fen = board.game?.fen ?? "8/8/8/8/8/8/8/8";
    const drawn = `${fen} ${board.game?.last?.uci ?? ""}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.mini.replaceChildren(diagram(fen, { edge: false, last: board.game?.last?.uci ?? "", label: null }));
  }
}

/** Writes the last move, or why there is none. */
function moveText(game) {
  if (!game) return t("noGame");
  if (!game.last) return t("atStart");
  return `${Math.ceil(game.ply / 2)}${game.last.side === "black" ? "…" : "."} ${sanText(game.last.san)}${game.last.legal === false ? " ✗" : ""}`;
}
