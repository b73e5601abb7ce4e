// Pieces of page that several views share: badges, names, clocks, errors.

import { h } from "./dom.js";
import { reasonText } from "./refusals.js";
import { codeTitle, sideName, t, timeText } from "./words.js";

const CAPITAL = (word) => word[0].toUpperCase() + word.slice(1);

/** Names a board the way people in the hall call it. */
export function tableName(board) {
  const name = board.table ? t("table", { number: board.table }) : t("board", { serial: board.serial ?? board.board });
  // Tables of several halls have the same numbers.
  return board.hall ? `${board.hall}: ${name}` : name;
}

/** Names a player, or the side if nobody knows who sits there. */
export const playerName = (board, side) => board[side] || sideName(side);

/** The state of an alert as a word. */
export const stateName = (state) => t(`state${CAPITAL(state)}`);

/** How sure the facts are, as a word. */
export const confidenceName = (confidence) => (confidence ? t(confidence) : "");

/** Seconds as an age of one unit: `40 s`, `12 min`, `3 h`. */
export function ageText(seconds) {
  if (seconds < 60) return t("ageSeconds", { number: Math.floor(seconds) });
  return seconds < 3600 ? t("ageMinutes", { number: Math.floor(seconds / 60) }) : t("ageHours", { number: Math.floor(seconds / 3600) });
}

/** The surname of whoever plays a side, as titles have it; the side if nobody knows who sits there. */
export function surname(board, side) {
  const name = board[side];
  if (!name) return sideName(side);
  return name.includes(",") ? name.split(",")[0] : name.split(" ").at(-1);
}

/** What an alert is about, in one line with the player's name. */
export const alertTitle = (board, alert) => codeTitle(alert.code, surname(board, alert.side));

/** Says until when a board is muted; empty if it is not, or not any more. */
export function mutedText(hall, board) {
  const until = Date.parse(board.muted_until ?? "");
  return until > Date.now() - hall.ahead ? t("mutedUntil", { time: timeText(board.muted_until) }) : "";
}

/** Says that something could not be loaded, and why. */
export const failure = (error) => h("p", { class: "failure", role: "alert", text: t("failed", { reason: reasonText(error.message) }) });

/** A labelled field. */
export function field(label, control, note) {
  return h("label", { class: "field" }, h("span", { text: label }), control, note && h("small", { text: note }));
}

/** A choice; options are pairs of value and label. */
export function choice(options, value, attributes = {}) {
  const select = h("select", attributes, options.map(([name, label]) => h("option", { value: name, text: label, selected: name === value })));
  select.value = value;
  return select;
}

/** A list of term and description. */
export function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([term, value]) => h("div", null, h("dt", { text: term }), h("dd", null, value))));
}
