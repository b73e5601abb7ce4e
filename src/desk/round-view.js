// Before the round: which tables are ready, and what is to be done at the others.

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

/** Shows how ready the tables are; follows what changes there. */
export function roundView(main) {
  const count = h("p", { class: "round-count", role: "status" });
  const legend = h("p", { class: "legend" }, ORDER.map((state) => h("span", null, sign(state), ` ${stateWord(state)}`)));
  const holder = h("div", { id: "round" }, h("p", { class: "loading", text: t("loading") }));
  main.replaceChildren(h("h1", { text: t("beforeRound") }), h("p", { class: "hint", text: t("roundText") }), count, holder,
    arbiter.isChief ? h("p", { id: "to-tables" }, h("a", { class: "button", href: "#/tables", text: t("whichTable") })) : "");
  let drawn = "";
  let again = 0;
  let ended = false;
  const draw = ({ ready, tables }) => {
    const all = tables.length;
    setText(count, all === 0 ? t("roundNone") : ready === all ? t("roundAll", { all }) : t("roundCount", { ready, all }));
    count.dataset.state = all > 0 && ready === all ? "ready" : "look";
    const key = JSON.stringify(tables);
    if (key === drawn) return;
    drawn = key;
    const open = tables.filter(({ findings }) => findings.length).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
    holder.replaceChildren(
      h("section", { "aria-label": t("roundFloor") }, h("ul", { class: "round-floor" }, tables.map(tile)), all > 0 && legend),
      h("section", { hidden: open.length === 0 }, h("h2", { text: t("roundToDo") }), h("ul", { class: "round-list" }, open.map(entry))));
  };
  const load = async () => {
    clearTimeout(again);
    again = 0;
    try {
      const round = await read("/api/round");
      if (!ended) draw(round);
    } catch (error) {
      if (!ended && !drawn) holder.replaceChildren(failure(error));
    }
    if (!ended) again ||= setTimeout(load, LOOK_MS);
  };
  let collected = 0;
  const soon = () => {
    collected ||= setTimeout(() => {
      collected = 0;
      load();
    }, COLLECT_MS);
  };
  load();
  return {
    changed: soon,
    reset: load,
    end() {
      ended = true;
      clearTimeout(again);
      clearTimeout(collected);
    },
  };
}
