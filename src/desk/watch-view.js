// Tables that want an arbiter's eyes: little time, a control that is near, a claim, an irregularity on record, a piece that lies amiss.

import { waiting } from "./alerts.js";
import { WatchButton } from "./attention.js";
import { diagram } from "./board-svg.js";
import { SIDES, hasBegun } from "./card.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { icon } from "./icons.js";
import { playerName, tableName } from "./parts.js";
import { controlOf, freesFromWriting, hasToWrite, incrementOf, troubleLimit } from "./time-control.js";
import { pieceName, sanText, sideName, t } from "./words.js";

const TICK_MS = 250;

/** Milliseconds between two sortings: lanes that jump about cannot be read. */
const SORT_MS = 2000;

/** Tables that are shown large; the others are lines of a table. */
const LANES = 8;

const MINUTE_S = 60;

/** Moves before the control within which it is near. */
const NEAR_CONTROL = 5;

/** Half-moves without capture or pawn move from which a claim is near. */
const NEAR_FIFTY = 90;

const CLAIMS = new Set(["threefold-claimable", "fifty-claimable", "claim-win-available", "claim-draw-available"]);

/** How much each reason counts: the more, the further in front. */
const WEIGHTS = { minute: 50, both: 40, claim: 30, control: 25, amiss: 20, air: 10, offence: 5 };

/** Returns how many moves the side to move has to make up to the control; null without one, or once it is passed. */
function movesToGo(hall, board) {
  const control = controlOf(hall.event);
  const number = board.game?.move?.number;
  return control && number && number <= control ? control - number + 1 : null;
}

/** Says why a table is to be watched, the strongest reason first; empty if it is not. */
export function needs(hall, board) {
  const { game } = board;
  if (!game || game.result || !hasBegun(board)) return [];
  const found = [];
  const times = hall.times(board);
  const low = (seconds) => SIDES.filter((side) => times && times[side] < seconds);
  const without = incrementOf(hall.event) === 0;
  const minute = low(MINUTE_S);
  if (without && minute.length) found.push(["minute", t("needMinute", { side: minute.length === 2 ? t("both") : sideName(minute[0]) })]);
  const limit = troubleLimit(hall.event);
  if (low(limit).length === 2 && !(without && minute.length)) found.push(["both", limit === MINUTE_S ? t("needMinute", { side: t("both") }) : t("needBothLow")]);
  const open = waiting(hall, board);
  if (open.some(({ code }) => CLAIMS.has(code)) || Number(game.fen?.split(" ")[4] ?? 0) >= NEAR_FIFTY) found.push(["claim", t("needClaim")]);
  const left = movesToGo(hall, board);
  if (left !== null && left <= NEAR_CONTROL && low(2 * limit).length) found.push(["control", t("needControl", { move: controlOf(hall.event) })]);
  if (open.some(({ code }) => code === "board-mismatch")) found.push(["amiss", t("needAmiss")]);
  for (const side of SIDES) if (board.offences?.[side]) found.push(["offence", t("needOffence", { side: sideName(side) })]);
  // A piece in the hand is no reason by itself.
  const [held] = found.length ? board.in_air ?? [] : [];
  if (held) found.push(["air", t("needAir", { piece: pieceName(held.piece), square: held.square })]);
  return found.sort((a, b) => WEIGHTS[b[0]] - WEIGHTS[a[0]]);
}

/** Tables at which time is short, for the number in the bar. */
export const tightTables = (hall) => [...hall.boards.values()].filter((board) => needs(hall, board).some(([name]) => name === "minute" || name === "both"));

/** Seconds that the side to move has for each move up to the control; what is left where there is none. */
function perMove(hall, board) {
  const times = hall.times(board);
  const side = times?.running ?? board.game?.move?.side;
  if (!times || !side) return Infinity;
  return times[side] / (movesToGo(hall, board) ?? 1);
}

/** Says who has to write down the moves (Art. 8.4). */
function writing(hall, board) {
  if (!hasToWrite(hall.event)) return "";
  const times = hall.times(board);
  const free = freesFromWriting(hall.event) && times ? SIDES.filter((side) => times[side] < troubleLimit(hall.event)) : [];
  if (free.length === 2) return t("writeNeither");
  return free.length ? t("writeOne", { side: sideName(free[0]) }) : t("writeBoth");
}

/** Who has to write, in a word for a cell. */
function writingShort(hall, board) {
  if (!hasToWrite(hall.event)) return "–";
  const times = hall.times(board);
  const free = freesFromWriting(hall.event) && times ? SIDES.filter((side) => times[side] < troubleLimit(hall.event)) : [];
  return free.length === 2 ? t("freeBoth") : free.length ? t("freeOne", { side: sideName(free[0]) }) : t("mustBoth");
}

/** Says how often the players have pressed, where the clock's counter shows other moves than have been played; empty elsewhere. */
const pressesText = ({ game }) => (game?.presses ? t("presses", { white: game.presses[0], black: game.presses[1] }) : "");

/** Says why a table wants eyes. */
const reasonsText = (hall, board) => [...needs(hall, board).map(([, text]) => text), pressesText(board)].filter(Boolean).join(", ");

const lastMove = ({ game }) => (game?.last ? `${Math.ceil(game.ply / 2)}${game.last.side === "black" ? "…" : "."} ${sanText(game.last.san)}` : "–");

/** Shows what a side's clock shows. */
function showClock(hall, board, side, row, clock) {
  const times = hall.times(board);
  setText(clock, times ? clockText(times[side]) : "–");
  setAttribute(row, "data-turn", times?.running === side ? "" : null);
  setAttribute(row, "data-short", times && times[side] < troubleLimit(hall.event) ? "" : null);
  setAttribute(row, "data-stale", hall.isStale(board) ? "" : null);
}

/** One table, large. */
class Lane {
  constructor(hall, board) {
    this.mini = h("a", { class: "mini", tabindex: -1, "aria-hidden": "true" });
    this.number = h("a", { class: "number" });
    this.move = h("span", { class: "last" });
    this.chip = h("span", { class: "chip push", hidden: true });
    this.note = h("p", { class: "note" }, h("b"), h("span"));
    this.rows = Object.fromEntries(SIDES.map((side) => {
      const name = h("span", { class: "name" });
      const clock = h("span", { class: "clock" });
      return [side, { name, clock, row: h("div", { class: `player ${side}` }, h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "unseen", text: sideName(side) }), name, clock) }];
    }));
    this.watch = new WatchButton(hall, board);
    this.element = h("li", { class: "panel lane" }, this.mini, h("div", { class: "in" },
      h("div", { class: "lane-head" }, h("h2", null, this.number), this.move, this.chip), this.rows.black.row, this.rows.white.row, this.note, this.watch.element));
    this.update(hall, board);
  }

  update(hall, board) {
    this.board = board;
    const address = `#/board/${encodeURIComponent(board.board)}`;
    setAttribute(this.number, "href", address);
    setAttribute(this.mini, "href", address);
    setAttribute(this.number, "aria-label", tableName(board));
    setText(this.number, String(board.table ?? board.serial ?? board.board));
    setText(this.move, lastMove(board));
    this.watch.update(board);
    for (const side of SIDES) setText(this.rows[side].name, playerName(board, side));
    const drawn = `${board.game?.fen} ${board.game?.last?.uci}`;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.mini.replaceChildren(diagram(board.game?.fen ?? "", { edge: false, last: board.game?.last?.uci ?? "", label: null }));
    }
    this.tick(hall);
  }

  tick(hall) {
    const { board } = this;
    for (const side of SIDES) showClock(hall, board, side, this.rows[side].row, this.rows[side].clock);
    const left = movesToGo(hall, board);
    this.chip.hidden = left === null;
    setText(this.chip, left === null ? "" : t("toGo", { number: left }));
    const pace = perMove(hall, board);
    const time = pace < MINUTE_S ? `${Math.floor(pace)} s` : clockText(pace);
    const reasons = reasonsText(hall, board);
    setText(this.note.firstChild, left === null ? "" : `${t(left === 1 ? "forMove" : "perMove", { time })}. `);
    setText(this.note.lastChild, `${reasons ? `${reasons[0].toUpperCase()}${reasons.slice(1)}. ` : ""}${writing(hall, board)}`);
  }
}

/** One table as a line. */
function line(hall, board) {
  const times = hall.times(board);
  const clock = (side) => h("td", { class: "num" }, h("span", { class: "player", "data-turn": times?.running === side, "data-short": times && times[side] < troubleLimit(hall.event) }, h("span", { class: "clock", text: times ? clockText(times[side]) : "–" })));
  const left = movesToGo(hall, board);
  const pace = perMove(hall, board);
  return h("tr", null, h("td", { class: "num tno" }, h("a", { href: `#/board/${encodeURIComponent(board.board)}`, "aria-label": tableName(board), text: String(board.table ?? board.serial ?? board.board) })),
    h("td", { text: playerName(board, "white") }), h("td", { text: playerName(board, "black") }), clock("white"), clock("black"),
    h("td", { class: "num", text: String(board.game?.move?.number ?? "") }), controlOf(hall.event) && h("td", { class: "num", text: left === null ? "–" : String(left) }),
    controlOf(hall.event) && h("td", { class: "num", text: left === null || !Number.isFinite(pace) ? "–" : clockText(pace) }), hasToWrite(hall.event) && h("td", { text: writingShort(hall, board) }),
    h("td", { text: reasonsText(hall, board) }), h("td", null, new WatchButton(hall, board).element));
}

/** The lines of the tables that are not shown large. */
function restTable(hall, boards) {
  const control = controlOf(hall.event);
  const heads = [["eqTable", "num"], ["white"], ["black"], ["white", "num"], ["black", "num"], ["moveHead", "num"], control && ["toControl", "num", { move: control }], control && ["perMoveHead", "num"], hasToWrite(hall.event) && ["writing"], ["why"], ["thereHead"]].filter(Boolean);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("navWatch") }, h("table", { class: "data" },
    h("thead", null, h("tr", null, heads.map(([name, kind, values]) => h("th", { scope: "col", class: kind ?? null, text: t(name, values) })))),
    h("tbody", null, boards.map((board) => line(hall, board)))));
}

/** Shows the tables that want eyes; `options.watchBy` is their order. */
export function watchView(main, { hall, options, remember }) {
  const lanes = new Map();
  const title = h("h1");
  const list = h("ul", { class: "lanes" });
  const rest = h("section", { class: "panel flush", hidden: true });
  const orders = { need: "watchNeed", left: "watchLeft", pace: "watchPerMove" };
  const names = controlOf(hall.event) ? Object.keys(orders) : ["need", "left"];
  const buttons = names.map((name) => h("button", { type: "button", "data-by": name, text: t(orders[name]), onclick: () => { options.watchBy = name; remember(); arrange(); } }));
  const empty = h("section", { class: "panel empty", hidden: true }, icon("over"), h("b", { text: t("watchNone") }), h("span", { text: t("watchNoneText") }));
  main.replaceChildren(h("div", { class: "page-head" }, title, h("div", { class: "seg push", role: "group", "aria-label": t("watchBy") }, buttons)), empty, list, rest);
  let sorted = 0;

  function arrange() {
    sorted = performance.now();
    const by = names.includes(options.watchBy) ? options.watchBy : "need";
    for (const button of buttons) setAttribute(button, "aria-pressed", String(button.dataset.by === by));
    const least = (board) => Math.min(...SIDES.map((side) => hall.times(board)?.[side] ?? Infinity));
    const weight = (board) => needs(hall, board).reduce((sum, [name]) => sum + WEIGHTS[name], 0);
    const sortings = { need: (a, b) => weight(b) - weight(a) || least(a) - least(b), left: (a, b) => least(a) - least(b), pace: (a, b) => perMove(hall, a) - perMove(hall, b) };
    const shown = [...hall.boards.values()].filter((board) => needs(hall, board).length).sort(sortings[by]);
    const control = controlOf(hall.event);
    setText(title, t(control ? "watchTitleControl" : "watchTitle", { number: tightTables(hall).length, limit: clockText(troubleLimit(hall.event)), move: control }));
    empty.hidden = shown.length > 0;
    const large = shown.slice(0, LANES);
    large.forEach((board, index) => {
      const known = lanes.get(board.board) ?? new Lane(hall, board);
      lanes.set(board.board, known);
      known.update(hall, board);
      if (list.children[index] !== known.element) list.insertBefore(known.element, list.children[index] ?? null);
    });
    while (list.children.length > large.length) list.lastChild.remove();
    for (const name of lanes.keys()) if (!large.some(({ board }) => board === name)) lanes.delete(name);
    const others = shown.slice(LANES);
    rest.hidden = others.length === 0;
    rest.replaceChildren(...(others.length ? [restTable(hall, others)] : []));
  }

  const ticking = setInterval(() => {
    if (document.hidden) return;
    for (const lane of lanes.values()) lane.tick(hall);
    if (performance.now() - sorted > SORT_MS && !rest.contains(document.activeElement)) arrange();
  }, TICK_MS);
  arrange();
  return {
    changed(board) {
      lanes.get(board.board)?.update(hall, board);
    },
    attention: arrange,
    connected: arrange,
    reset: arrange,
    end: () => clearInterval(ticking),
  };
}
