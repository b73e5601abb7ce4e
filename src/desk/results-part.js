// The results of a round: one press on what the slip says, what the board says beside it, and whether the slip is in.

import { arbiter, send } from "./api.js";
import { h, setText } from "./dom.js";
import { icon } from "./icons.js";
import { outcomeLine } from "./orders.js";
import { choice } from "./parts.js";
import { reasonText } from "./refusals.js";
import { toast } from "./toast.js";
import { resultWords, scoreText, t } from "./words.js";

const COMMON = ["1-0", "1/2-1/2", "0-1"];
const OTHERS = ["+/-", "-/+", "-/-", "0-0", "1/2-0", "0-1/2", "*"];

/** What the board says of a game. */
function boardText(game) {
  if (game.state === "sensed") return t("resSensed", { result: scoreText(game.result) });
  if (game.state === "entered") return game.by ? t("resEntered", { name: game.by }) : "";
  if (!game.game) return t("resNone");
  return game.game.present ? t("resPlies", { number: Math.floor(game.game.plies / 2) + 1 }) : t("resLeft");
}

/** The table of results of one round; `changed` is called after each entry. */
export class Results {
  constructor(round, changed) {
    Object.assign(this, { round, changed, drawn: "", open: null });
    this.line = outcomeLine();
    this.body = h("tbody");
    const heads = [["eqTable", "num"], ["white"], ["black"], ["orResult"], ["resBoard"], ["resSlip"]];
    this.element = h("section", { class: "panel flush" }, this.line, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("stageResults") }, h("table", { class: "data", id: "results" },
      h("thead", null, h("tr", null, heads.map(([name, kind]) => h("th", { scope: "col", class: kind ?? null, text: t(name) })))), this.body)));
  }

  /** Shows the games of the round. */
  update(games) {
    const drawn = JSON.stringify([games, this.open]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.games = games;
    const focus = this.body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.body.replaceChildren(...games.map((game) => this.#row(game)));
    if (focus) this.body.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  #row(game) {
    const { table, result, state } = game;
    const board = game.game?.board ?? game.serial;
    const label = `${t("table", { number: table })}`;
    const press = (one) => h("button", { type: "button", "data-key": `${table} ${one}`, disabled: !arbiter.mayOrder, "aria-pressed": String(result === one && state === "entered"), "data-kings": state === "sensed" && result === one, "aria-label": `${label}: ${scoreText(one)}`, text: scoreText(one), onclick: () => this.#enter(game, one) });
    const rare = result && !COMMON.includes(result) ? scoreText(result) : "…";
    const other = h("button", { type: "button", "data-key": `${table} …`, disabled: !arbiter.mayOrder, "aria-pressed": String(rare !== "…"), "aria-label": `${rare} ${t("resOther", { table })}`, text: rare, onclick: () => { this.open = this.open === table ? null : table; this.update(this.games); } });
    const more = this.open === table && choice([["", t("resOther", { table })], ...OTHERS.map((one) => [one, one === "*" ? t("goesOn") : `${scoreText(one)} ${resultWords(one)}`])], "", { "aria-label": t("resOther", { table }), onchange: ({ target }) => target.value && this.#enter(game, target.value) });
    const slip = game.checked ? h("span", { class: "good", text: t("resSlipSigned") })
      : state === "sensed" && arbiter.mayOrder ? h("button", { type: "button", class: "small", text: t("resConfirm", { result: scoreText(result) }), onclick: () => this.#send({ table, confirm: true }, t("resConfirm", { result: scoreText(result) }), null) })
        : result && arbiter.mayOrder ? h("button", { type: "button", class: "small", "data-key": `${table} slip`, text: t("resSlipIn"), onclick: () => this.#send({ table, checked: true }, t("resSlipIn"), { table, checked: false }) }) : "";
    return h("tr", { "data-table": table, "data-s": state === "missing" && game.game?.present === false ? "look" : null }, h("td", { class: "num tno" }, board ? h("a", { href: `#/board/${encodeURIComponent(board)}`, "aria-label": label, text: String(table) }) : String(table)),
      h("td", { text: game.white?.name ?? "" }), h("td", { text: game.black?.name ?? "" }),
      h("td", null, h("div", { class: "results dense", role: "group", "aria-label": `${t("orResult")}, ${label}` }, COMMON.map(press), other), more),
      h("td", { class: "dim", text: boardText(game) }), h("td", null, slip));
  }

  #enter(game, result) {
    const back = game.state === "entered" && game.result ? { table: game.table, result: game.result } : { table: game.table, result: "*" };
    this.open = null;
    return this.#send({ table: game.table, result }, `${t("table", { number: game.table })}: ${result === "*" ? t("goesOn") : scoreText(result)}`, back);
  }

  async #send(body, name, back) {
    const path = `/api/rounds/${this.round}/results`;
    setText(this.line, "");
    try {
      await send("POST", path, body);
      toast(name, back && (async () => {
        await send("POST", path, back).catch((error) => toast(t("orderRefused", { reason: reasonText(error.message) })));
        this.changed();
      }));
    } catch (error) {
      this.line.className = "outcome refused";
      setText(this.line, t("orderRefused", { reason: reasonText(error.message) }));
    }
    this.changed();
  }
}

/** How far the results of a round are: numbers with their words. */
export function resultState(games) {
  const count = (has) => games.filter(has).length;
  const lines = [[count(({ result, state }) => result && state === "entered"), "resResults"], [count(({ checked }) => checked), "resChecked"], [count(({ state }) => state === "sensed"), "resWaiting", "c-look"],
    [count(({ game, result }) => game && !result), "resPlaying"], [count(({ result }) => !result), "resMissing"]];
  return h("ul", { class: "state-list" }, lines.filter(([number], index) => number > 0 || index === 0).map(([number, word, tone]) => h("li", { class: tone ?? null }, h("b", { text: String(number) }), h("span", null, tone && icon("look"), ` ${t(word)}`))));
}
