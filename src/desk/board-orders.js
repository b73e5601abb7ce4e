// What an arbiter may enter for a board, by task; each button says what it does, and opens its form in place.

import { arbiter, read } from "./api.js";
import { hasBegun } from "./card.js";
import { h, parseSeconds, setAttribute, setText } from "./dom.js";
import { afterOrders, give, optional, outcomeLine, sureButton, undoing } from "./orders.js";
import { choice, field, tableName } from "./parts.js";
import { INCIDENTS, orderWords } from "./order-words.js";
import { PositionEditor } from "./position-editor.js";
import { incrementOf } from "./time-control.js";
import { otherSide, resultWords, sanText, scoreText, sideName, t } from "./words.js";

const RESULTS = ["1-0", "1/2-1/2", "0-1"];

/** Results that no game has: without a game, or by a penalty. */
const FORFEITS = ["+/-", "-/+", "-/-", "0-0", "1/2-0", "0-1/2"];

/** Milliseconds within which the verdict on a claim comes. */
const VERDICT_MS = 3000;

/** A side with the name of who plays it. */
const sideAndName = (board, side) => (board[side] ? `${sideName(side)}: ${board[side]}` : sideName(side));

/** A choice of the side, `side` first chosen. */
const sideChoice = (board, side = "white") => choice(["white", "black"].map((one) => [one, sideAndName(board, one)]), side);

/** One form: its fields, what its button does, and how they become an order; `read` returns null if something is missing. */
function form(board, name, text, controls, read, { sure = false, act: label = name, done = null } = {}) {
  const line = outcomeLine();
  const act = async () => {
    const body = read();
    if (body && (await give(board, body, name, line))) await done?.(body, line);
  };
  const element = h("form", { class: "order", "aria-label": name },
    h("h3", { text: name }), text && h("p", { class: "hint", text }), h("div", { class: "fields" }, controls),
    sure ? sureButton(label, act, { class: "enter" }) : h("button", { type: "submit", class: "primary enter", text: label }), line);
  element.onsubmit = (submit) => {
    submit.preventDefault();
    if (!sure) act();
  };
  return element;
}

function penaltyForm(board, turn) {
  // What has just been completed is said to the opponent, who is to move then.
  const side = sideChoice(board, otherSide(turn));
  const seconds = h("input", { inputmode: "numeric", pattern: "[0-9:]*", size: 6 });
  const reason = h("input", { type: "text", maxlength: 200 });
  return form(board, t("orPenalty"), t("orPenaltyText"),
    [field(t("orOffender"), side), field(t("orSecondsDefault"), seconds), field(t("reason"), reason)],
    () => ({ order: "penalty", side: side.value, ...optional("seconds", parseSeconds(seconds.value)), ...optional("reason", reason.value.trim()) }), { act: t("actPenalty") });
}

/** Waits for the daemon's verdict on a claim of a side, and says it in its words, with what the opponent gets. */
async function verdict(board, { side }, line, known) {
  for (const end = Date.now() + VERDICT_MS; Date.now() < end; await new Promise((done) => { setTimeout(done, 200); })) {
    const now = await read(`/api/boards/${encodeURIComponent(board.board)}`).catch(() => null);
    const answers = Object.values(now?.alerts ?? {}).filter((alert) => alert.facts?.claim && alert.side === side && !known.has(alert.id));
    const [latest] = answers.sort((a, b) => String(b.at).localeCompare(String(a.at)));
    if (!latest) continue;
    known.add(latest.id);
    const right = latest.facts.claim === "correct";
    line.className = `outcome ${right ? "done" : "refused"}`;
    line.replaceChildren(h("a", { href: `#/alert/${encodeURIComponent(latest.id)}`, text: latest.parts?.happened ?? latest.text }), ` ${latest.parts?.do ?? ""}`);
    return;
  }
}

function claimForm(board, turn) {
  const side = sideChoice(board, turn);
  const known = new Set(Object.values(board.alerts ?? {}).filter(({ facts }) => facts?.claim).map(({ id }) => id));
  const kind = choice([["threefold", t("claimThreefold")], ["fifty", t("claimFifty")], ["intended", t("claimIntended")], ["time", t("claimTime")], ["qpf", t("claimQpf")]], "threefold");
  const move = h("input", { type: "text", size: 8, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const moveField = field(t("orIntended"), move);
  moveField.hidden = true;
  kind.onchange = () => { moveField.hidden = kind.value !== "intended"; };
  return form(board, t("orClaim"), null, [field(t("orClaimant"), side), field(t("orKind"), kind), moveField],
    () => ({ order: "claim", side: side.value, kind: kind.value, ...(kind.value === "intended" ? { move: move.value.trim() } : {}) }),
    { act: t("actClaim"), done: (body, line) => verdict(board, body, line, known) });
}

/** One press for what the slip says; it can be taken back. */
function resultPicker(board, line) {
  const winner = { "1-0": "white", "0-1": "black" };
  const button = (result) => {
    const side = winner[result];
    const says = side ? `${scoreText(result)} ${board[side] || sideName(side)}` : `${scoreText(result)} ${t("draw")}`;
    return h("button", { type: "button", "data-result": result, "aria-label": says, title: says, "aria-pressed": String(board.game?.result === result), text: scoreText(result), onclick: () => give(board, { order: "result", result }, `${t("orResult")} ${scoreText(result)}`, line) });
  };
  return h("div", { class: "results large", role: "group", "aria-label": t("orResult") }, RESULTS.map(button));
}

function forfeitForm(board) {
  const result = choice(FORFEITS.map((one) => [one, `${scoreText(one)} ${resultWords(one)}`]), "+/-");
  return form(board, t("orForfeit"), null, [field(t("orResult"), result)], () => ({ order: "result", result: result.value }), { sure: true, act: t("actForfeit") });
}

function reinstateForm(board, moves) {
  const plies = [["0", t("start")], ...moves.map((move, index) => [String(index + 1), `${Math.floor(index / 2) + 1}${index % 2 ? "…" : "."} ${sanText(move.san)}${move.legal ? "" : " ✗"}`])];
  const ply = choice(plies, String(Math.max(0, moves.length - 1)));
  return form(board, t("orReinstate"), null, [field(t("orPly"), ply)], () => ({ order: "reinstate", ply: Number(ply.value) }), { sure: true, act: t("actReinstate") });
}

function setPositionForm(board, moves) {
  const editor = new PositionEditor(moves.at(-1)?.fen ?? board.game?.start ?? "", board.pieces);
  return form(board, t("orSetPosition"), null, editor.element, () => (editor.fen ? { order: "set-position", fen: editor.fen } : null), { sure: true, act: t("actPosition") });
}

/** Boards at which a game may go on: spare ones first, then free tables, then its own, which may come back. */
function freeBoards(hall, board) {
  const free = [...hall.boards.values()].filter((one) => one.board !== board.board && one.up && one.hall === board.hall && !plays(one));
  free.sort((a, b) => Number(Boolean(a.table)) - Number(Boolean(b.table)) || (a.table ?? 0) - (b.table ?? 0) || a.board.localeCompare(b.board));
  const label = (one) => [one.table ? tableName(one) : t("spareBoard"), one.serial].filter(Boolean).join(" · ");
  return [...free.map((one) => [one.board, label(one)]), [board.board, t("sameBoard")]];
}

function continueForm(board, hall) {
  const to = choice(freeBoards(hall, board), null);
  to.selectedIndex = 0;
  return form(board, t("orContinue"), t("orContinueText"), [field(t("orContinueAt"), to)], () => ({ order: "continue", board: to.value }), { act: t("actContinue") });
}

function newGameForm(board) {
  const white = h("input", { type: "text", value: board.white ?? "" });
  const black = h("input", { type: "text", value: board.black ?? "" });
  const fen = h("input", { type: "text", class: "wide", spellcheck: "false" });
  return form(board, t("orNewGame"), null, [field(t("white"), white), field(t("black"), black), field(t("orFenEmpty"), fen)],
    () => ({ order: "new-game", ...optional("fen", fen.value.trim()), ...optional("white", white.value.trim()), ...optional("black", black.value.trim()) }), { sure: true, act: t("actNewGame") });
}

function muteForm(board) {
  const minutes = h("input", { type: "number", min: 1, max: 60, value: 5 });
  return form(board, t("orMute"), t("orMuteText"), [field(t("orMinutes"), minutes)],
    () => (Number(minutes.value) > 0 ? { order: "mute", seconds: Math.round(Number(minutes.value) * 60) } : null), { act: t("actMute") });
}

function arrivedForm(board, turn) {
  const side = sideChoice(board, turn);
  return form(board, t("orArrived"), null, [field(t("orWho"), side)], () => ({ order: "arrived", side: side.value }), { act: t("actArrived") });
}

function resignForm(board, turn) {
  const side = sideChoice(board, turn);
  return form(board, t("orResign"), null, [field(t("orWho"), side)], () => ({ order: "resign", side: side.value }), { sure: true, act: t("actResign") });
}

function drawOfferForm(board, turn) {
  const side = sideChoice(board, turn);
  return form(board, t("orDrawOffer"), null, [field(t("orWho"), side)], () => ({ order: "draw-offer", side: side.value }), { act: t("actDrawOffer") });
}

function incidentForm(board) {
  const kind = choice([["", t("inOther")], ...Object.entries(INCIDENTS).map(([name, word]) => [name, t(word)])], "");
  const side = choice([["", t("orNobody")], ...["white", "black"].map((one) => [one, sideAndName(board, one)])], "");
  const reason = h("input", { type: "text", maxlength: 200 });
  const article = h("input", { type: "text", size: 8, maxlength: 20 });
  const seconds = h("input", { inputmode: "numeric", pattern: "[0-9:]*", size: 6 });
  const articleField = field(t("article"), article);
  // The article of what the Laws name is the daemon's to say.
  kind.onchange = () => { articleField.hidden = kind.value !== ""; };
  return form(board, t("orIncident"), t("orIncidentText"), [field(t("what"), kind), field(t("orWho"), side), field(t("reason"), reason), articleField, field(t("seconds"), seconds)],
    () => (kind.value || reason.value.trim()
      ? { order: "incident", ...optional("kind", kind.value), ...optional("reason", reason.value.trim()), ...optional("side", side.value), ...optional("article", kind.value ? "" : article.value.trim()), ...optional("seconds", parseSeconds(seconds.value)) }
      : null), { act: t("actIncident") });
}

function quickplayForm(board, turn) {
  const side = sideChoice(board, turn);
  const rulings = [["accepted", t("rulAccepted")], ["increment", t("rulIncrement")], ["refused", t("rulRefused")], ["drawn", t("rulDrawn")],
    ["rejected", t("rulRejected")], ["postponed", t("rulPostponed")], ["no-arbiter", t("rulNoArbiter")]];
  const ruling = choice(rulings, "postponed");
  return form(board, t("orQuickplay"), null, [field(t("orWhose"), side), field(t("orRuling"), ruling)],
    () => ({ order: "quickplay", side: side.value, ruling: ruling.value }), { sure: true, act: t("actQuickplay") });
}

/** Orders with a form, by task: the name, the form, whose side it begins with, and whether it can be given now. */
const TASKS = [
  { title: "taskResult", orders: [
    { name: "orResign", make: resignForm, when: plays },
    { name: "orForfeit", make: forfeitForm },
    { name: "orNewGame", make: newGameForm },
  ] },
  { title: "taskClaims", orders: [
    { name: "orClaim", make: claimForm, whose: (turn) => turn, when: plays },
    { name: "orDrawOffer", make: drawOfferForm, whose: (turn) => turn, when: plays },
    { name: "orQuickplay", make: quickplayForm, when: (board, hall) => plays(board) && incrementOf(hall.event) === 0 },
  ] },
  { title: "taskMoves", orders: [
    { name: "orReinstate", make: reinstateForm, when: (board) => plays(board) && (board.game.moves?.length ?? 0) > 0 },
    { name: "orSetPosition", make: setPositionForm, when: (board) => Boolean(board.game) },
    { name: "orContinue", make: (board, turn, hall) => continueForm(board, hall), when: plays },
  ] },
  { title: "taskClock", orders: [
    { name: "orColours", make: (board) => form(board, t("orColours"), t("orColoursText"), [], () => ({ order: "colours-reversed" }), { sure: true }), when: plays },
    { name: "orFlip", make: (board) => form(board, t("orFlip"), t("orFlipText"), [], () => ({ order: "flip" }), { sure: true }) },
    { name: "orSwapClock", make: (board) => form(board, t("orSwapClock"), t("orSwapClockText"), [], () => ({ order: "swap-clock" }), { sure: true }), when: (board) => Boolean(board.clock) },
  ] },
  { title: "taskIncidents", orders: [
    { name: "orPenalty", make: penaltyForm, whose: otherSide, when: plays },
    { name: "orIncident", make: incidentForm },
    { name: "orArrived", make: arrivedForm, when: (board) => !board.game?.result && !(board.game?.moves?.length > 0) },
    { name: "orMute", make: muteForm },
  ] },
];

/** Returns whether a game is being played. */
function plays(board) {
  return Boolean(board.game && !board.game.result && (hasBegun(board) || board.game.moves?.length > 0));
}

/** The game of an order, as its name says, or the order where it has none. */
const gameOfOrder = ({ order, id }) => (id ? Number(id.split("-").at(-2)) : order.game);

/** The last order that was not taken back; an undo that was taken back itself is none. */
function lastOf(entries) {
  const stands = new Map();
  for (const entry of entries) {
    const { order } = entry;
    if (order.order !== "undo") stands.set(entry.id ?? entry, entry);
    // What an undo without a name takes back is not known here.
    else if (!order.id) stands.clear();
    else if (!stands.delete(order.id)) {
      const undo = entries.find(({ id }) => id === order.id);
      const again = entries.find(({ id }) => id && id === undo?.order.id);
      if (again) stands.set(again.id, again);
    }
  }
  return [...stands.values()].at(-1);
}

/** The orders for a board by task; a button that cannot be pressed now is not there. */
export class Tasks {
  /** `turn` says whose time runs, or who is to move. */
  constructor(hall, board, turn) {
    Object.assign(this, { hall, board, turn, open: null, drawn: "" });
    this.holder = h("div", { id: "order-form", hidden: true });
    this.line = outcomeLine();
    this.result = h("div");
    this.goesOn = h("span", { class: "row" });
    this.back = h("div", { id: "last-order" });
    const button = (entry) => {
      const name = h("small");
      const element = h("button", { type: "button", "data-order": entry.name, "aria-expanded": "false", "aria-controls": "order-form", onclick: () => this.#toggle(entry) }, h("span", { text: `${t(entry.name)} …` }), entry.whose && name);
      return { entry, name, element };
    };
    this.groups = TASKS.map(({ title, orders }) => {
      const buttons = orders.map(button);
      const element = h("section", { "data-task": title }, h("h2", { text: t(title) }), title === "taskResult" && [this.result, this.line], h("div", { class: "row" }, buttons.map(({ element: one }) => one), title === "taskResult" && this.goesOn));
      return { element, buttons };
    });
    this.element = h("section", { class: "panel tasks", id: "tasks", "aria-label": t("orders") }, this.groups.map(({ element }) => element), this.back,
      !arbiter.mayOrder && h("p", { class: "hint" }, h("a", { href: "#/settings", text: t("signIn") })));
    this.update(board);
    afterOrders(() => this.#last());
  }

  get #buttons() {
    return this.groups.flatMap(({ buttons }) => buttons);
  }

  /** Shows what can be entered now; a form that is open keeps its side, and ends with its game. */
  update(board) {
    const before = this.board.game?.number ?? 0;
    this.board = board;
    if ((board.game?.number ?? 0) !== before) this.#show(null);
    const turn = this.turn();
    for (const { entry, name, element } of this.#buttons) {
      const side = entry.whose?.(turn);
      if (side) setText(name, board[side] || sideName(side));
      element.hidden = entry !== this.open && entry.when?.(board, this.hall) === false;
    }
    for (const { element, buttons } of this.groups.slice(1)) element.hidden = buttons.every(({ element: one }) => one.hidden);
    const drawn = JSON.stringify([board.game?.number, board.game?.result, board.white, board.black]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.result.replaceChildren(resultPicker(board, this.line));
    this.goesOn.replaceChildren(...(board.game?.result ? [sureButton(t("goesOn"), () => give(board, { order: "result", result: "*" }, t("goesOn"), this.line), { id: "goes-on" })] : []));
    this.#last();
  }

  #toggle(entry) {
    this.#show(this.open === entry ? null : entry);
  }

  #show(entry) {
    this.open = entry;
    const moves = this.board.game?.moves ?? [];
    const made = entry && (entry.name === "orReinstate" || entry.name === "orSetPosition" ? entry.make(this.board, moves) : entry.make(this.board, this.turn(), this.hall));
    const group = entry && this.groups.find(({ buttons }) => buttons.some(({ entry: one }) => one === entry));
    this.holder.hidden = !entry;
    this.holder.replaceChildren(...(made ? [made] : []));
    group?.element.append(this.holder);
    for (const { entry: one, element } of this.#buttons) setAttribute(element, "aria-expanded", String(one === entry));
  }

  /** Offers to take the last order of the game back, always at this place. */
  async #last() {
    // Until the answer is here nobody knows which order is the last, and an older answer may come after a newer one.
    const asked = (this.asked = (this.asked ?? 0) + 1);
    this.back.replaceChildren();
    if (!arbiter.mayOrder || !this.board.game) return;
    const entries = await read("/api/audit").catch(() => []);
    if (asked !== this.asked) return;
    const last = lastOf(entries.filter((one) => one.board === this.board.board && !one.refused && typeof one.order === "object"));
    const back = last && [undefined, this.board.game.number].includes(gameOfOrder(last)) ? undoing(last.order, last.id) : null;
    this.back.replaceChildren(...(back ? [h("button", { type: "button", id: "undo-last", text: t("undoLast", { what: orderWords(last).replace(/\.$/, "") }), onclick: () => give(this.board, back, t("orUndo"), this.line).then((done) => done || this.#last()) })] : []));
  }
}
