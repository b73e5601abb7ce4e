// Pieces of page that several views share: badges, names, clocks, errors.

import { isOpen, urgencyOf } from "./alerts.js";
import { h } from "./dom.js";
import { reasonText } from "./refusal-words.js";
import { codeName, sideName, t, timeText } from "./words.js";

const CAPITAL = (word) => word[0].toUpperCase() + word.slice(1);

/** Names a board the way people in the hall call it. */
export function tableName(board) {
  const name = board.table ? t("table", { number: board.table }) : t("board", { serial: board.serial ?? board.board });
  // Tables of several halls have the same numbers.
  return board.hall ? `${board.hall}: ${name}` : name;
}

/** Names a player, or the side if nobody knows who sits there. */
export const playerName = (board, side) => board[side] || sideName(side);

/** Urgency as a sign and a word: filled triangle, diamond, dot – not by colour alone. */
export function urgencyBadge(alert) {
  // What is decided or too late is urgent for nobody.
  if (!isOpen(alert)) return null;
  const urgency = urgencyOf(alert);
  const [sign, word] = [["●", t("info")], ["◆", t("soon")], ["▲", t("urgent")]][urgency];
  return h("span", { class: `badge urgency-${urgency}` }, h("span", { "aria-hidden": "true", text: `${sign} ` }), word);
}

/** The state of an alert as a word. */
export const stateName = (state) => t(`state${CAPITAL(state)}`);

/** How sure the facts are, as a word. */
export const confidenceName = (confidence) => (confidence ? t(confidence) : "");

/** Seconds as an age of one unit: `40 s`, `12 min`, `3 h`. */
export function ageText(seconds) {
  if (seconds < 60) return t("ageSeconds", { number: Math.floor(seconds) });
  return seconds < 3600 ? t("ageMinutes", { number: Math.floor(seconds / 60) }) : t("ageHours", { number: Math.floor(seconds / 3600) });
}

/** One line for an alert that leads to it; `age` in seconds is shown if it is given. */
export function alertLine(board, alert, { withTable = true, age = null, going = "" } = {}) {
  const urgency = urgencyOf(alert);
  const sign = ["●", "◆", "▲"][urgency];
  return h("a", { class: `alert-line urgency-${isOpen(alert) ? urgency : "none"} state-${alert.state}`, href: `#/alert/${encodeURIComponent(alert.id)}` },
    h("span", { class: "sign", "aria-hidden": "true", text: sign }),
    withTable && h("strong", { class: "where", text: tableName(board) }),
    h("span", { class: "label", text: codeName(alert.code) }),
    h("span", { class: "sub" }, alert.side !== "both" && h("span", { text: sideName(alert.side) }),
      h("span", { class: "state", text: alert.state === "open" ? confidenceName(alert.confidence) : stateName(alert.state) }),
      going && h("span", { class: "going", text: going }),
      age !== null && h("span", { class: "age", text: ageText(age) })),
    h("span", { class: "unseen", text: [t("info"), t("soon"), t("urgent")][urgency] }));
}

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
