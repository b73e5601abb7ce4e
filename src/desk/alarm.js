// The newest urgent alert that nobody has seen, on every page: a bar that leads to it, and a number in the tab's title.

import { gameOf } from "./alerts.js";
import { h, setText } from "./dom.js";
import { icon } from "./icons.js";
import { ageText, alertTitle, tableName } from "./parts.js";
import { t } from "./words.js";

/** Lists the urgent alerts of this arbiter that nobody has seen or goes to, the newest first. */
export function unseen(hall) {
  return hall.open().filter(({ board, alert }) => hall.needsArbiter(board, alert) && hall.concerns(board, alert))
    .sort((a, b) => String(b.alert.at).localeCompare(String(a.alert.at)) || gameOf(b.alert) - gameOf(a.alert));
}

/** The bar; `holder` is its place, which is hidden while there is nothing to show. */
export class Alarm {
  constructor(holder, hall) {
    Object.assign(this, { holder, hall, shown: "" });
  }

  /** Shows the newest urgent alert but for those that the open page shows, `isPresent`; `name` is the title of the page. */
  update(isPresent, name) {
    const all = unseen(this.hall);
    const title = all.length ? `(${all.length}) ${name}` : name;
    if (document.title !== title) document.title = title;
    const others = all.filter((one) => !isPresent(one));
    const [newest] = others;
    this.holder.hidden = !newest;
    this.holder.setAttribute("aria-label", t("urgentAlerts"));
    if (!newest) {
      this.shown = "";
      this.holder.replaceChildren();
      return;
    }
    const { board, alert } = newest;
    const table = tableName(board);
    const label = alertTitle(board, alert);
    const more = others.length > 1 ? t("more", { number: others.length - 1 }) : "";
    const key = [alert.id, table, label, more].join("|");
    if (key !== this.shown) {
      this.shown = key;
      this.age = h("span", { class: "age" });
      this.holder.replaceChildren(
        h("a", { class: "newest", href: `#/alert/${encodeURIComponent(alert.id)}` },
          icon("act"), h("span", { class: "what", text: `${table}: ${label}` }), this.age),
        more && h("a", { class: "others", href: "#/", text: more }));
    }
    setText(this.age, ageText(this.hall.age(alert)));
  }
}
