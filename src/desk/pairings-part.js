// The pairings of a round: a file is looked at before it counts.

import { upload } from "./api.js";
import { h } from "./dom.js";
import { outcomeLine } from "./orders.js";
import { reasonText } from "./refusals.js";
import { t } from "./words.js";

/** The pairings of games as a table. */
const list = (games) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("stagePairings") }, h("table", { class: "data" },
  h("thead", null, h("tr", null, [["eqTable", "num"], ["white"], ["black"]].map(([name, kind]) => h("th", { scope: "col", class: kind ?? null, text: t(name) })))),
  h("tbody", null, games.map((game) => h("tr", { "data-s": game.board === false ? "eq" : null }, h("td", { class: "num tno", text: String(game.table) }), h("td", { text: game.white?.name ?? game.white ?? "" }), h("td", { text: game.black?.name ?? game.black ?? "" }))))));

/** What a file would change, with a button that lets it count. */
function preview(answer, use) {
  const tables = (list) => list.map(({ table }) => table).join(", ");
  return h("div", { class: "stack", id: "pairings-preview" },
    h("p", { text: t("pairRead", { round: answer.round, number: answer.tables, running: answer.running }) }),
    answer.changed?.length > 0 && h("p", { class: "c-look", text: t("pairChanged", { tables: tables(answer.changed) }) }),
    answer.not_in?.length > 0 && h("p", { class: "c-look", text: t("pairUnknown", { names: answer.not_in.map(({ name }) => name).join("; ") }) }),
    answer.without_board?.length > 0 && h("p", { class: "c-eq", text: t("pairWithout", { tables: answer.without_board.join(", ") }) }),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", id: "use-pairings", text: t("pairUse", { number: answer.tables }), onclick: use })),
    list(answer.games ?? []));
}

/** The pairings; `used` is called once a file counts. */
export class Pairings {
  constructor(mayChange, used) {
    this.used = used;
    this.line = outcomeLine();
    this.shown = h("div");
    this.present = h("section", { class: "panel flush", id: "pairings", hidden: true });
    this.file = h("input", { type: "file", class: "unseen", id: "pairings-file", "aria-label": t("pairChoose"), accept: ".trf,.trfx,.pgn,.txt,.csv" });
    this.file.onchange = () => this.file.files[0] && this.#look(this.file.files[0]);
    const drop = h("div", { class: "panel empty drop" }, h("b", { text: t("pairDrop") }), this.file, h("button", { type: "button", class: "primary", text: t("pairChoose"), onclick: () => this.file.click() }));
    drop.ondragover = (event) => {
      event.preventDefault();
      drop.toggleAttribute("data-over", true);
    };
    drop.ondragleave = () => drop.toggleAttribute("data-over", false);
    drop.ondrop = (event) => {
      event.preventDefault();
      drop.toggleAttribute("data-over", false);
      const [file] = event.dataTransfer.files;
      if (file) this.#look(file);
    };
    this.element = h("div", { class: "stack" }, mayChange && drop, this.line, this.shown, this.present);
  }

  /** Shows the pairings that count at present. */
  update(games) {
    this.games = games;
    this.present.hidden = games.length === 0 || this.shown.childElementCount > 0;
    const names = games.map(({ table, white, black }) => [table, white?.name, black?.name]);
    const drawn = JSON.stringify(names);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.present.replaceChildren(list(games.map(({ table, white, black }) => ({ table, white, black }))));
  }

  async #look(file) {
    const name = `name=${encodeURIComponent(file.name)}`;
    this.#say("");
    this.shown.replaceChildren();
    try {
      const answer = await upload(`/api/pairings?preview=true&${name}`, file);
      this.shown.replaceChildren(preview(answer, () => this.#use(file, name)));
      this.update(this.games ?? []);
    } catch (error) {
      this.#say(t("orderRefused", { reason: reasonText(error.message) }), "refused");
    }
    this.file.value = "";
  }

  async #use(file, name) {
    try {
      const answer = await upload(`/api/pairings?${name}`, file);
      this.shown.replaceChildren();
      this.#say(t("pairUsed", { round: answer.round }), "done");
      this.used();
    } catch (error) {
      this.#say(t("orderRefused", { reason: reasonText(error.message) }), "refused");
    }
  }

  #say(text, tone = "") {
    this.line.className = `outcome ${tone}`;
    this.line.textContent = text;
  }
}
