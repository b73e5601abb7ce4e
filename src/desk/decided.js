// The rulings that were given last, below the queue of alerts, each with who gave it.

import { arbiter, read } from "./api.js";
import { clockText, h } from "./dom.js";
import { icon } from "./icons.js";
import { stateName, surname, tableName } from "./parts.js";
import { codeTitle, otherSide, sideName, t, timeText } from "./words.js";

/** How many are shown. */
const MOST = 3;

/** Milliseconds between two looks: alerts that end by themselves leave the queue, too. */
const LOOK_MS = 5000;

/** The state of an alert to which an order leads. */
const STATES = { confirm: "confirmed", dismiss: "dismissed", story: "withdrawn" };

export class Decided {
  #look = 0;

  constructor(hall) {
    this.hall = hall;
    this.list = h("ol", { class: "rail-list" });
    this.element = h("section", { class: "decided", hidden: true, "aria-label": t("decidedLast") }, h("h2", null, t("decidedLast"), h("a", { class: "push", href: "#/audit", text: t("audit") })), this.list);
    this.#read();
  }

  /** An alert has left the queue: it may have been decided. */
  changed() {
    this.#look ||= setTimeout(() => {
      this.#look = 0;
      this.#read();
    }, LOOK_MS);
  }

  end() {
    clearTimeout(this.#look);
  }

  async #read() {
    if (!arbiter.mayOrder) return;
    const answer = await read(`/api/audit?rulings=${MOST}`).catch(() => []);
    // Of an alert that was forgotten meanwhile, the log has the number only.
    const entries = answer.filter(({ code, order }) => code && STATES[order.order]);
    this.element.hidden = entries.length === 0;
    this.list.replaceChildren(...entries.reverse().map((entry) => h("li", null, this.#line(entry))));
  }

  #line({ at, arbiter: who, table, board, code, side, white, black, order }) {
    const place = this.hall.find(board) ?? { board, table };
    const given = order.seconds ? `${sideName(otherSide(side))} +${clockText(order.seconds)}` : stateName(STATES[order.order]);
    return h("a", { class: "alert-line", "data-s": "done", href: `#/alert/${encodeURIComponent(order.alert)}` },
      h("span", { class: "where" }, icon("over"), h("span", { "aria-hidden": "true", text: String(table ?? board) }), h("span", { class: "unseen", text: tableName(place) })),
      h("span", { class: "what", text: codeTitle(code, surname({ white, black }, side)) }), h("span", { class: "age", text: timeText(at).slice(0, 5) }), h("span", { class: "sub", text: [who, given].filter(Boolean).join(" · ") }));
  }
}
