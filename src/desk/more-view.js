// The pages for which the bar of a phone has no room.

import { arbiter } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** Lists the other pages. */
export function moreView(main) {
  const pages = [["#/audit", "audit"], ["#/report", "report"], arbiter.isChief && ["#/arbiters", "arbiters"], ["#/broadcast", "broadcast"], ["#/tables", "whichTable"], ["#/help", "help"], ["#/settings", "settings"]];
  main.replaceChildren(h("h1", { text: t("navMore") }), h("ul", { class: "panel more" }, pages.filter(Boolean).map(([href, name]) => h("li", null, h("a", { href, text: t(name) })))));
  return { changed() {}, reset() {}, end() {} };
}
