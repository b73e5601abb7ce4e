// The set-up of the round: which tables are ready, and what is to be done at the others.

import { arbiter, read } from "./api.js";
import { clockText, h, setText } from "./dom.js";
import { failure, playerName, tableName } from "./parts.js";
import { pieceName, sideName, t } from "./words.js";

/** A sign and a word for each state, not a colour alone. */
const STATES = { wrong: ["✗", "roundWrong"], look: ["◆", "roundLook"], ready: ["✓", "roundReady"], playing: ["▶", "roundPlaying"] };

const ORDER = Object.keys(STATES);

/** Milliseconds in which changes are collected, and after which the tables are read anew in any case. */
const COLLECT_MS = 700;
const LOOK_MS = 10_000;

const stateWord = (state) => t(STATES[state]?.[1] ?? "roundLook");
const sign = (state) => h("span", { class: "round-sign", "aria-hidden": "true", text: (STATES[state] ?? STATES.look)[0] });

const piece = (letter) => (letter === "?" ? t("anyPiece") : pieceName(letter));

function squareText({ square, expected, shown }) {
  const key = expected && shown ? "pieceWrong" : expected ? "pieceMissing" : "pieceExtra";
  return t(key, { square, expected: expected && piece(expected), shown: shown && piece(shown) });
}

/** Says what keeps a table from being ready, and what is to be done. */
function findingText(table, finding) {
  switch (finding.finding) {
    case "pieces":
      return `${finding.squares.map(squareText).join("; ")}.`;
    case "clock-times":
      return t("round_clock-times", { white: clockText(finding.shown.white), black: clockText(finding.shown.black), expected: clockText(finding.expected_s) });
    case "names-missing":
      return t("round_names-missing", { sides: ["white", "black"].filter((side) => finding[side]).map(sideName).join(", ") });
    default:
      return t(`round_${finding.finding}`, { ...finding, serial: table.serial ?? table.board, tables: finding.tables?.join(", ") });
  }
}

const address = (table) => table.board && `#/board/${encodeURIComponent(table.board)}`;

/** One table with all that is to be done there. */
function entry(table) {
  const place = tableName(table);
  return h("li", { class: "round-entry", "data-state": table.state, "data-table": table.table ?? table.board },
    h("h3", null, sign(table.state), " ", table.board ? h("a", { href: address(table), text: place }) : place,
      h("span", { class: "unseen", text: ` – ${stateWord(table.state)}` })),
    (table.white || table.black) && h("p", { class: "hint", text: `${playerName(table, "white")} – ${playerName(table, "black")}` }),
    h("ul", null, table.findings.map((finding) => h("li", { "data-finding": finding.finding, text: findingText(table, finding) }))));
}

/** One table on the floor: its number and how ready it is. */
function tile(table) {
  const inside = [h("strong", { class: "tile-number", text: table.table ?? table.serial ?? table.board }), sign(table.state), h("span", { class: "unseen", text: `${tableName(table)}: ${stateWord(table.state)}` })];
  return h("li", { class: "round-tile", "data-state": table.state }, table.board ? h("a", { href: address(table) }, inside) : h("div", null, inside));
}

/** One table as a line: what stands there, what its clock shows, whether it can be heard, and what is to be done. */
function line(table) {
  const has = (...names) => table.findings.filter(({ finding }) => names.includes(finding));
  const cell = (findings, tone) => h("td", null, findings.length ? h("b", { class: tone, text: findings.map((finding) => findingText(table, finding)).join(" ") }) : h("span", { class: "dim", "aria-label": t("roundReady"), text: "✓" }));
  const tone = table.state === "wrong" ? "eq" : table.findings.length ? "look" : null;
  return h("tr", { "data-s": tone, "data-table": table.table ?? table.board },
    h("td", { class: "num tno" }, table.board ? h("a", { href: address(table), "aria-label": tableName(table), text: String(table.table ?? table.serial ?? table.board) }) : String(table.table ?? table.serial)),
    h("td", { text: playerName(table, "white") }), h("td", { text: playerName(table, "black") }),
    cell(has("pieces", "not-set-up", "turned", "no-result"), "c-look"), cell(has("clock-missing", "clock-battery", "clock-runs", "clock-times"), "c-look"),
    cell(has("board-missing", "board-silent", "board-twice", "board-battery", "no-table", "names-missing"), "c-eq"));
}

/** Returns whether something is to be done at a table; of a game that is played, only the names may be missing. */
const isToDo = ({ state, findings }) => findings.some(({ finding }) => state !== "playing" || finding !== "names-missing");

/** How ready the tables are; follows what changes there. */
export class SetUp {
  constructor() {
    this.count = h("p", { class: "round-count", role: "status" });
    this.holder = h("div", { id: "round" }, h("p", { class: "loading", text: t("loading") }));
    this.legend = h("p", { class: "legend" }, ORDER.map((state) => h("span", null, sign(state), ` ${stateWord(state)}`)));
    this.element = h("div", null, h("p", { class: "hint", text: t("roundText") }), this.count, this.holder,
      arbiter.isChief && h("p", { id: "to-tables" }, h("a", { class: "button", href: "#/tables", text: t("whichTable") })));
    const heads = [["eqTable", "num"], ["white"], ["black"], ["roundPieces"], ["eqClock"], ["link"]];
    this.lines = h("tbody");
    // Made once: what was opened stays open, whatever changes.
    this.table = h("details", { class: "panel", id: "round-lines" }, h("summary", { text: t("roundLines") }), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("roundFloor") }, h("table", { class: "data" },
      h("thead", null, h("tr", null, heads.map(([name, kind]) => h("th", { scope: "col", class: kind ?? null, text: t(name) })))), this.lines)));
    Object.assign(this, { drawn: "", again: 0, collected: 0, ended: false, text: "" });
    this.load();
  }

  #draw({ ready, tables }) {
    const all = tables.length;
    setText(this.count, all === 0 ? t("roundNone") : ready === all ? t("roundAll", { all }) : t("roundCount", { ready, all }));
    this.count.dataset.state = all > 0 && ready === all ? "ready" : "look";
    this.text = t("stageOf", { number: ready, all });
    const key = JSON.stringify(tables);
    if (key === this.drawn) return;
    this.drawn = key;
    const open = tables.filter(isToDo).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
    this.lines.replaceChildren(...tables.map(line));
    const floor = h("section", { "aria-label": t("roundFloor") }, h("ul", { class: "round-floor" }, tables.map(tile)), all > 0 && this.legend);
    const parts = [
      h("section", { hidden: open.length === 0 }, h("h2", { text: t("roundToDo") }), h("ul", { class: "round-list" }, open.map(entry))),
      floor];
    this.table.hidden = all === 0;
    if (this.holder.contains(this.table)) {
      while (this.holder.firstChild !== this.table) this.holder.firstChild.remove();
      this.table.before(...parts);
    } else this.holder.replaceChildren(...parts, this.table);
  }

  /** Reads how ready they are. */
  async load() {
    clearTimeout(this.again);
    this.again = 0;
    try {
      const round = await read("/api/round");
      if (!this.ended) this.#draw(round);
    } catch (error) {
      if (!this.ended && !this.drawn) this.holder.replaceChildren(failure(error));
    }
    if (!this.ended) this.again ||= setTimeout(() => this.load(), LOOK_MS);
  }

  /** Something has changed at a board; what a game does that is being played has nothing to do with its set-up. */
  changed({ game }) {
    if (game && !game.result && game.ply > 1) return;
    this.collected ||= setTimeout(() => {
      this.collected = 0;
      this.load();
    }, COLLECT_MS);
  }

  end() {
    this.ended = true;
    clearTimeout(this.again);
    clearTimeout(this.collected);
  }
}
