// The final position and the score on one sheet of paper, for players and arbiter to sign.

import { read } from "./api.js";
import { diagram } from "./board-svg.js";
import { clockText, h } from "./dom.js";
import { plyNumber, resultText } from "./board-view.js";
import { facts, failure, playerName, tableName } from "./parts.js";
import { sideOf } from "./hall.js";
import { dayText, sanText, sideName, t } from "./words.js";

function score(board) {
  const moves = board.game?.moves ?? [];
  return h("p", { class: "score" }, moves.map((move, index) => {
    const white = plyNumber(board, index).endsWith(".");
    const number = white || index === 0 ? plyNumber(board, index) : "";
    return h("span", null, number && h("b", { text: `${number} ` }), `${sanText(move.san)}${move.legal ? "" : " ✗"} `);
  }));
}

const signature = (label) => h("div", { class: "signature" }, h("span", { class: "rule" }), h("span", { text: label }));
const box = (label) => h("p", { class: "tick-box" }, h("span", { class: "square", "aria-hidden": "true" }), label);

/** Shows the sheet of a board. */
export function sheetView(main, { hall, name }) {
  main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
  read(`/api/boards/${encodeURIComponent(name)}`).then((board) => {
    const fen = board.game?.moves?.at(-1)?.fen ?? board.game?.start ?? board.pieces;
    const times = hall.times(hall.find(name) ?? board) ?? board.clock;
    main.replaceChildren(h("article", { class: "sheet" },
      h("p", { class: "no-print buttons" }, h("a", { class: "button", href: `#/board/${encodeURIComponent(name)}`, text: t("back") }), h("button", { type: "button", class: "primary", text: t("printNow"), onclick: () => print() })),
      h("h1", { text: t("sheetTitle") }),
      h("p", { class: "sheet-event", text: [hall.event.name, tableName(board), board.table && board.serial && t("board", { serial: board.serial })].filter(Boolean).join(" · ") }),
      h("div", { class: "sheet-top" }, h("figure", null, diagram(fen, { label: t("position") })),
        h("div", null, facts([
          [t("white"), playerName(board, "white")], [t("black"), playerName(board, "black")],
          [t("turnIs", { side: sideName(sideOf(fen)) }), plyNumber(board, board.game?.moves?.length ?? 0)],
          [`${t("clocks")} ${t("white")} / ${t("black")}`, times ? `${clockText(times.white)} / ${clockText(times.black)}` : null],
          [t("sheetDate"), dayText(Date.now() - hall.ahead)],
          [t("result"), resultText(board.game)],
        ]), h("h2", { text: t("sheetClaim") }), box(t("sheetNormal")), box(t("sheetEffort")), h("span", { class: "rule" }))),
      h("h2", { text: t("moves") }), score(board),
      h("h2", { text: t("sheetConfirm") }),
      h("div", { class: "signatures" }, signature(t("white")), signature(t("black"))),
      h("h2", { text: t("sheetDecision") }), h("span", { class: "rule" }),
      h("div", { class: "signatures" }, signature(t("result")), signature(t("sheetSign"))),
      h("p", { class: "hint", text: t("sheetUse") })));
  }, (error) => main.replaceChildren(failure(error)));
  return { changed() {}, reset() {}, end() {} };
}
