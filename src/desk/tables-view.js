// Which board is which table, for the chief: the walk through the hall, what is not as it should be, and labels to print.

import { arbiter, listen, read, send } from "./api.js";
import { h, setText } from "./dom.js";
import { failure, field } from "./parts.js";
import { reasonText } from "./refusals.js";
import { t } from "./words.js";

const still = { changed() {}, reset() {}, end() {} };

/** Milliseconds in which changes of the hall are collected. */
const COLLECT_MS = 1000;

/** Where the walk is; a page that is loaded anew goes on there. */
const kept = {
  get walk() {
    return JSON.parse(sessionStorage.getItem("walk") ?? "null");
  },
  set walk(walk) {
    if (walk) sessionStorage.setItem("walk", JSON.stringify(walk));
    else sessionStorage.removeItem("walk");
  },
};

function problemText({ problem, serial, serials = [], table, tables = [] }) {
  return t(`tables_${problem}`, { serial, table, serials: serials.join(", "), tables: tables.join(", ") });
}

const isKing = ({ event, piece }) => event === "lift" && (piece === "K" || piece === "k");

/** Asks for one table after another; the king that is lifted says which board stands there. */
class Walk {
  #stop = null;
  /** Kings are taken one after the other. */
  #last = Promise.resolve();

  constructor(settings, changed) {
    Object.assign(this, { settings, changed });
    this.from = h("input", { type: "number", min: 1, max: 9999, value: 1, id: "walk-from", inputmode: "numeric" });
    this.asked = h("p", { class: "walk-asked", id: "walk-asked", role: "status" });
    this.said = h("p", { class: "outcome", id: "walk-said", role: "status" });
    this.buttons = h("div", { class: "buttons" });
    this.panel = h("section", { class: "panel", id: "walk" }, this.asked, this.said, this.buttons);
    if (kept.walk) this.#listen();
    this.#draw();
  }

  end() {
    this.#stop?.();
    this.#stop = null;
  }

  #listen() {
    this.#stop ??= listen("lift", (event) => isKing(event) && this.#lifted(event.board), (up) => {
      this.hears = up;
      this.#draw();
    });
  }

  #begin() {
    kept.walk = { table: Math.max(1, Math.floor(Number(this.from.value)) || 1), walked: [] };
    this.#say("");
    this.#listen();
    this.#draw();
  }

  #finish() {
    const { walked = [] } = kept.walk ?? {};
    this.end();
    kept.walk = null;
    this.hears = undefined;
    this.#say(t(walked.length === 1 ? "walkDoneOne" : "walkDone", { count: walked.length }), "done");
    this.#draw();
    this.changed();
  }

  #go(step) {
    const { walk } = kept;
    kept.walk = { ...walk, table: Math.max(1, walk.table + step) };
    this.#say("");
    this.#draw();
  }

  #lifted(board) {
    // Nobody walks while the page is hidden.
    if (document.hidden) return;
    this.#last = this.#last.then(() => this.#take(board));
  }

  async #take(board) {
    const { walk } = kept;
    if (!walk) return;
    try {
      const { taken, table } = await send("POST", "/api/tables", { ...walk, board });
      this.#say(t(`walk_${taken}`, { board, table }), taken === "elsewhere" ? "refused" : "done");
      // Whoever has pressed a button meanwhile is asked for another table.
      if (taken === "placed" && kept.walk) {
        const next = kept.walk.table === table ? table + 1 : kept.walk.table;
        kept.walk = { table: next, walked: [...kept.walk.walked.filter((other) => other !== table), table] };
      }
      if (taken === "placed" && this.settings.vibration) navigator.vibrate?.(150);
    } catch (error) {
      this.#say(t("orderRefused", { reason: reasonText(error.message) }), "refused");
    }
    this.#draw();
    this.changed();
  }

  #say(text, tone = "done") {
    this.said.className = `outcome ${tone}`;
    setText(this.said, text);
  }

  #draw() {
    const { walk } = kept;
    if (!walk) {
      setText(this.asked, "");
      this.buttons.replaceChildren(field(t("walkFrom"), this.from), h("button", { type: "button", class: "primary", id: "walk-begin", text: t("walkBegin"), onclick: () => this.#begin() }));
      return;
    }
    setText(this.asked, this.hears ? t("walkLift", walk) : t(this.hears === false ? "walkLost" : "walkWaits"));
    this.asked.dataset.table = this.hears ? walk.table : "";
    if (this.buttons.querySelector("#walk-end")) return;
    this.buttons.replaceChildren(
      h("button", { type: "button", id: "walk-back", text: t("back"), onclick: () => this.#go(-1) }),
      h("button", { type: "button", id: "walk-skip", text: t("walkSkip"), onclick: () => this.#go(1) }),
      h("button", { type: "button", id: "walk-end", text: t("walkEnd"), onclick: () => this.#finish() }));
  }
}

/** Tables with their boards, and the walk that finds them. */
export function tablesView(main, { settings }) {
  const holder = h("div", { id: "table-boards" }, h("p", { class: "loading", text: t("loading") }));
  const wrong = h("div", { id: "table-problems" });
  let ended = false;
  let asked = 0;
  let drawn = "";
  const load = async () => {
    // An older answer may come after a newer one.
    const mine = ++asked;
    try {
      const { tables, problems } = await read("/api/tables");
      const key = JSON.stringify([tables, problems]);
      if (mine !== asked || ended || key === drawn) return;
      drawn = key;
      wrong.replaceChildren(problems.length ? h("section", { class: "panel" }, h("h2", { text: t("tablesWrong") }), h("ul", null, problems.map((problem) => h("li", { "data-problem": problem.problem, text: problemText(problem) }))))
        : tables.length ? h("p", { class: "outcome done", text: `✓ ${t("tablesFine")}` }) : "");
      holder.replaceChildren(tables.length === 0 ? h("p", { class: "empty", text: t("tablesNone") })
        : h("table", null, h("thead", null, h("tr", null, ["tableNumber", "tableBoard", "tableAnswers"].map((name) => h("th", { scope: "col", text: t(name) })))),
          h("tbody", null, tables.map(({ table, serial, board }) => h("tr", { "data-table": table }, h("td", { text: String(table) }),
            h("td", null, board ? h("a", { href: `#/board/${encodeURIComponent(board)}`, text: serial }) : serial), h("td", { text: t(board ? "answersYes" : "answersNo") }))))));
    } catch (error) {
      if (!ended && !drawn) holder.replaceChildren(failure(error));
    }
  };
  const walk = arbiter.isChief ? new Walk(settings, load) : null;
  main.replaceChildren(h("h1", { text: t("whichTable") }), h("p", { class: "hint", text: t("whichText") }), walk?.panel ?? "", wrong,
    h("section", { class: "panel" }, h("h2", { text: t("tableBoards") }), holder,
      h("div", { class: "buttons" }, h("a", { class: "button", id: "to-labels", href: "#/labels", text: t("labels") }))));
  load();
  let collected = 0;
  return {
    ...still,
    // Every change of a board may be its first sign of life; most are moves, and change nothing here.
    changed(_board, event) {
      if (event && !["board", "link"].includes(event)) return;
      collected ||= setTimeout(() => {
        collected = 0;
        load();
      }, COLLECT_MS);
    },
    reset: load,
    end() {
      ended = true;
      walk?.end();
      clearTimeout(collected);
    },
  };
}

/** Labels for the boards. */
export function labelsView(main) {
  main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
  read("/api/tables/labels").then((labels) => {
    const hasCodes = labels.some(({ picture }) => picture);
    const label = ({ table, serial, picture }) => h("li", { class: "table-label", "data-table": table }, h("strong", { text: String(table) }), h("span", { text: serial }),
      picture && h("img", { src: `data:image/svg+xml,${encodeURIComponent(picture)}`, alt: t("labelPicture", { table }) }));
    main.replaceChildren(
      h("div", { class: "no-print" }, h("h1", { text: t("labels") }), h("p", { class: "hint", text: t(labels.length === 0 ? "tablesNone" : hasCodes ? "labelsText" : "labelsPlain") }),
        h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", id: "print-labels", text: t("printLabels"), onclick: () => print() }), h("a", { class: "button", href: "#/tables", text: t("whichTable") }))),
      h("ul", { class: "labels sheet" }, labels.map(label)));
  }, (error) => main.replaceChildren(failure(error)));
  return still;
}
