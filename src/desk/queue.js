// An alert as a line that leads to it, and as an item of the queue, with what an arbiter does about it from there.

import { isOpen, toneOf, urgencyOf } from "./alerts.js";
import { goingText, isOwnWay, mayGo, setOut } from "./attention.js";
import { clockText, h, setText } from "./dom.js";
import { icon } from "./icons.js";
import { ageText, alertTitle, confidenceName, stateName, tableName } from "./parts.js";
import { sideName, t } from "./words.js";

/** What a line says below the title: whom it is about, how sure that is, what is proposed. */
function subText(alert) {
  const { add_s: add, to } = alert.proposal ?? {};
  const how = alert.progress && isOpen(alert) ? t(alert.progress === "done" ? "allDone" : "clockGiven") : alert.state === "open" ? confidenceName(alert.confidence) : stateName(alert.state);
  return [alert.side !== "both" && sideName(alert.side), how, add && isOpen(alert) && `${sideName(to)}\u00a0+${clockText(add)}`].filter(Boolean).join(" · ");
}

/** One line for an alert that leads to it, with who goes there; it is not highlighted then. `age` in seconds is shown if it is given. */
export function alertLine(hall, board, alert, { withTable = true, age = null } = {}) {
  const tone = toneOf(alert);
  const word = [t("info"), t("soon"), t("urgent")][urgencyOf(alert)];
  const going = goingText(hall, board, alert, { counts: age !== null });
  const number = board.hall ? `${board.hall} ${board.table ?? board.serial}` : board.table ?? board.serial ?? board.board;
  return h("a", { class: `alert-line state-${alert.state}`, "data-s": tone, "data-calm": tone === "act" && !hall.needsArbiter(board, alert), href: `#/alert/${encodeURIComponent(alert.id)}` },
    h("span", { class: "where" }, icon(tone === "done" ? "over" : tone), withTable && h("span", { "aria-hidden": "true", text: String(number) }), withTable && h("span", { class: "unseen", text: tableName(board) })),
    h("span", { class: "what", text: alertTitle(board, alert) }),
    h("span", { class: "age", text: age === null ? "" : ageText(age) }),
    h("span", { class: "sub" }, h("span", { class: "state", text: subText(alert) }), going && h("span", { class: "going", text: going })),
    h("span", { class: "unseen", text: word }));
}

/** An alert in the queue; with `acts`, where somebody has to go, it can be decided from there, and said that one goes. */
export class QueueItem {
  constructor(hall, board, alert, { primary, acts }) {
    Object.assign(this, { hall, board, alert });
    this.line = alertLine(hall, board, alert, { age: hall.age(alert) });
    this.own = isOwnWay(hall, board, alert);
    const isFree = acts && toneOf(alert) === "act" && mayGo(hall, board) && (this.own || hall.needsArbiter(board, alert));
    const named = (word) => `${t(word)}: ${tableName(board)}`;
    const goes = this.own ? "notGoing" : "imGoing";
    this.go = isFree ? h("button", { type: "button", "aria-label": named(goes), text: t(goes), onclick: () => setOut(hall, board, alert) }) : null;
    const decide = () => h("a", { class: `button${primary ? " primary" : ""}`, href: this.line.getAttribute("href"), "aria-label": named("decide"), text: t("decide") });
    this.element = h("li", null, this.line, this.go && h("div", { class: "acts" }, decide(), this.go));
  }

  /** What it shows besides times: an item with another key is another one. */
  static key(hall, board, alert) {
    const names = (list) => list.map(({ name, at }) => name + at).join();
    return [alert.id, alert.state, toneOf(alert), alert.progress, names(hall.attention.going(alert.id)), names(hall.attending(board, alert)), mayGo(hall, board)].join();
  }

  /** Lets the ages count, where they are: what the arbiter is about to press stays. */
  tick() {
    const { hall, board, alert, line } = this;
    setText(line.querySelector(".age"), ageText(hall.age(alert)));
    const going = line.querySelector(".going");
    if (going) setText(going, goingText(hall, board, alert, { counts: true }));
  }
}
