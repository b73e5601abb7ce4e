// The arbiter's orders: forms that make the objects of the interface, and what the daemon says to them.

import { arbiter, order, Refused } from "./api.js";
import { h, parseSeconds, setText } from "./dom.js";
import { gameOf } from "./hall.js";
import { choice, field, mutedText } from "./parts.js";
import { sideName, t } from "./words.js";

/** Milliseconds in which an order that needs a second press has to be pressed again. */
const SURE_MS = 5000;

const sides = () => [["white", t("white")], ["black", t("black")]];
/** States that a ruling has led to, and that it leads out of when it is taken back. */
const RULED = new Set(["confirmed", "dismissed", "acknowledged"]);
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];

/** A line that tells what has become of the last order. */
export function outcomeLine() {
  return h("p", { class: "outcome", role: "status" });
}

/**
 * Gives an order and tells what has become of it; returns whether it was carried out. The order names the game that the
 * page shows, so that it cannot change another one that has begun since; `game` is that of an alert.
 */
export async function give(board, body, name, line, game = board.game?.number) {
  line.className = "outcome";
  if (!arbiter.token) {
    line.classList.add("refused");
    line.replaceChildren(h("a", { href: "#/settings", text: t("orderUnsigned") }));
    return false;
  }
  try {
    await order(board.serial ?? board.board, game > 0 ? { ...body, game } : body);
    line.classList.add("done");
    line.textContent = t("orderDone", { order: name });
    return true;
  } catch (error) {
    line.classList.add("refused");
    line.textContent = error instanceof Refused
      ? t("orderRefused", { reason: error.status === 401 ? t("wrongToken") : error.message })
      : t("orderFailed");
    return false;
  }
}

/** A button that acts on the second press only: for what cannot be taken back. */
export function sureButton(label, act, attributes = {}) {
  let armed = 0;
  const button = h("button", { type: "button", ...attributes, text: label });
  button.onclick = () => {
    clearTimeout(armed);
    if (button.dataset.armed === undefined) {
      button.dataset.armed = "";
      button.textContent = `${label} – ${t("sure")}`;
      armed = setTimeout(calm, SURE_MS);
      return;
    }
    calm();
    act();
  };
  const calm = () => {
    delete button.dataset.armed;
    button.textContent = label;
  };
  return button;
}

/** One form: its fields, and how they become an order; `read` returns null if something is missing. */
function form(board, name, text, controls, read, { sure = false } = {}) {
  const line = outcomeLine();
  const act = () => {
    const body = read();
    if (body) give(board, body, name, line);
  };
  const element = h("form", { class: "order", "aria-label": name },
    h("h3", { text: name }), text && h("p", { class: "hint", text }), h("div", { class: "fields" }, controls),
    sure ? sureButton(t("send"), act) : h("button", { type: "submit", text: t("send") }), line);
  element.onsubmit = (submit) => {
    submit.preventDefault();
    if (!sure) act();
  };
  return element;
}

const optional = (name, value) => (value === "" || value === null || Number.isNaN(value) ? {} : { [name]: value });

function penaltyForm(board) {
  const side = choice(sides(), "white");
  const seconds = h("input", { inputmode: "numeric", pattern: "[0-9:]*", size: 6 });
  const reason = h("input", { type: "text", maxlength: 200 });
  return form(board, t("orPenalty"), t("orPenaltyText"),
    [field(t("orOffender"), side), field(t("orSecondsDefault"), seconds), field(t("reason"), reason)],
    () => ({ order: "penalty", side: side.value, ...optional("seconds", parseSeconds(seconds.value)), ...optional("reason", reason.value.trim()) }));
}

function claimForm(board) {
  const side = choice(sides(), "white");
  const kind = choice([["threefold", t("claimThreefold")], ["fifty", t("claimFifty")], ["intended", t("claimIntended")], ["time", t("claimTime")], ["qpf", t("claimQpf")]], "threefold");
  const move = h("input", { type: "text", size: 8, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const moveField = field(t("orIntended"), move);
  moveField.hidden = true;
  kind.onchange = () => { moveField.hidden = kind.value !== "intended"; };
  return form(board, t("orClaim"), null, [field(t("orClaimant"), side), field(t("orKind"), kind), moveField],
    () => ({ order: "claim", side: side.value, kind: kind.value, ...(kind.value === "intended" ? { move: move.value.trim() } : {}) }));
}

function resultForm(board) {
  const result = choice(RESULTS.map((score) => [score, score.replace("1/2-1/2", "½–½")]), "1-0");
  return form(board, t("orResult"), null, [field(t("result"), result)], () => ({ order: "result", result: result.value }), { sure: true });
}

function reinstateForm(board, moves) {
  const plies = [["0", t("start")], ...moves.map((move, index) => [String(index + 1), `${Math.floor(index / 2) + 1}${index % 2 ? "…" : "."} ${move.san}${move.legal ? "" : " ✗"}`])];
  const ply = choice(plies, String(Math.max(0, moves.length - 1)));
  return form(board, t("orReinstate"), null, [field(t("orPly"), ply)], () => ({ order: "reinstate", ply: Number(ply.value) }), { sure: true });
}

function setPositionForm(board, moves) {
  const fen = h("input", { type: "text", class: "wide", value: moves.at(-1)?.fen ?? board.game?.start ?? "", spellcheck: "false" });
  const take = h("button", { type: "button", class: "plain", text: t("orSensed") });
  take.onclick = () => {
    const [, ...rest] = fen.value.split(" ");
    fen.value = [board.pieces, ...(rest.length ? rest : ["w", "-", "-", "0", "1"])].join(" ");
  };
  return form(board, t("orSetPosition"), null, [field(t("orFen"), fen), board.pieces && take],
    () => (fen.value.trim() ? { order: "set-position", fen: fen.value.trim() } : null), { sure: true });
}

function newGameForm(board) {
  const white = h("input", { type: "text", value: board.white ?? "" });
  const black = h("input", { type: "text", value: board.black ?? "" });
  const fen = h("input", { type: "text", class: "wide", spellcheck: "false" });
  return form(board, t("orNewGame"), null, [field(t("white"), white), field(t("black"), black), field(t("orFenEmpty"), fen)],
    () => ({ order: "new-game", ...optional("fen", fen.value.trim()), ...optional("white", white.value.trim()), ...optional("black", black.value.trim()) }), { sure: true });
}

function muteForm(board) {
  const minutes = h("input", { type: "number", min: 1, max: 60, value: 5 });
  return form(board, t("orMute"), t("orMuteText"), [field(t("orMinutes"), minutes)],
    () => (Number(minutes.value) > 0 ? { order: "mute", seconds: Math.round(Number(minutes.value) * 60) } : null));
}

/** Says that a board is muted, with a button that ends it. */
export function mutedNote(hall, board) {
  const line = outcomeLine();
  const text = h("span");
  const end = h("button", { type: "button", id: "unmute", text: t("muteEnd"), onclick: () => give(board, { order: "mute", seconds: 0 }, t("muteEnd"), line) });
  const element = h("div", { class: "panel muted", id: "muted" }, h("p", null, "🔇 ", text), end, line);
  const update = (now) => {
    setText(text, mutedText(hall, now));
    element.hidden = !text.textContent;
  };
  update(board);
  return { element, update };
}

/** What was entered last is taken back: result, penalty, muting. */
function undoForm(board) {
  const what = choice([["result", t("orResult")], ["penalty-white", `${t("orPenalty")}: ${t("white")}`], ["penalty-black", `${t("orPenalty")}: ${t("black")}`], ["mute", t("orMute")]], "result");
  return form(board, t("orUndo"), t("orUndoText"), [field(t("orUndoWhat"), what)], () => {
    const [name, side] = what.value.split("-");
    return { order: "undo", what: name, ...(side ? { side } : {}) };
  });
}

function arrivedForm(board) {
  const side = choice(sides(), "white");
  return form(board, t("orArrived"), null, [field(t("orWho"), side)], () => ({ order: "arrived", side: side.value }));
}

function resignForm(board) {
  const side = choice(sides(), "white");
  return form(board, t("orResign"), null, [field(t("orWho"), side)], () => ({ order: "resign", side: side.value }), { sure: true });
}

function drawOfferForm(board) {
  const side = choice(sides(), "white");
  return form(board, t("orDrawOffer"), null, [field(t("orWho"), side)], () => ({ order: "draw-offer", side: side.value }));
}

function incidentForm(board) {
  const side = choice([["", t("orNobody")], ...sides()], "");
  const reason = h("input", { type: "text", maxlength: 200 });
  const article = h("input", { type: "text", size: 8, maxlength: 20 });
  const seconds = h("input", { inputmode: "numeric", pattern: "[0-9:]*", size: 6 });
  return form(board, t("orIncident"), t("orIncidentText"), [field(t("orOffender"), side), field(t("reason"), reason), field(t("article"), article), field(t("seconds"), seconds)],
    () => (reason.value.trim()
      ? { order: "incident", reason: reason.value.trim(), ...optional("side", side.value), ...optional("article", article.value.trim()), ...optional("seconds", parseSeconds(seconds.value)) }
      : null));
}

function quickplayForm(board) {
  const side = choice(sides(), "white");
  const rulings = [["accepted", t("rulAccepted")], ["increment", t("rulIncrement")], ["refused", t("rulRefused")], ["drawn", t("rulDrawn")],
    ["rejected", t("rulRejected")], ["postponed", t("rulPostponed")], ["no-arbiter", t("rulNoArbiter")]];
  const ruling = choice(rulings, "postponed");
  return form(board, t("orQuickplay"), null, [field(t("orWhose"), side), field(t("orRuling"), ruling)],
    () => ({ order: "quickplay", side: side.value, ruling: ruling.value }), { sure: true });
}

/** All orders for a board, `moves` are those of the game. */
export function allOrders(board, moves) {
  return h("div", { class: "orders" },
    h("p", { class: "hint", text: t("ordersText") }),
    !arbiter.token && h("p", null, h("a", { href: "#/settings", text: t("signIn") })),
    h("div", { class: "order-grid" },
      penaltyForm(board), claimForm(board), resultForm(board), undoForm(board), reinstateForm(board, moves), setPositionForm(board, moves), newGameForm(board),
      quickplayForm(board), resignForm(board), drawOfferForm(board), incidentForm(board), arrivedForm(board), muteForm(board),
      form(board, t("orColours"), t("orColoursText"), [], () => ({ order: "colours-reversed" }), { sure: true }),
      form(board, t("orFlip"), t("orFlipText"), [], () => ({ order: "flip" }), { sure: true }),
      form(board, t("orSwapClock"), t("orSwapClockText"), [], () => ({ order: "swap-clock" }), { sure: true })));
}

/** Confirm with seconds, dismiss with a reason, seen: what can be said to an alert. `line` tells what becomes of it. */
export function ruling(board, alert, line) {
  const proposed = alert.proposal ?? {};
  const beneficiary = proposed.to ?? (alert.side === "white" ? "black" : "white");
  const seconds = h("input", { inputmode: "numeric", pattern: "[0-9:]*", size: 5, value: proposed.add_s ?? "", id: "confirm-seconds" });
  const reason = h("input", { type: "text", maxlength: 200, class: "wide", id: "reason" });
  const body = (name) => ({ order: name, alert: alert.id, ...optional("reason", reason.value.trim()) });
  const game = gameOf(alert);
  const say = (order, name) => give(board, order, name, line, game);
  const confirm = h("button", { type: "button", class: "primary", id: "confirm", text: t("confirm") });
  confirm.onclick = () => say({ ...body("confirm"), ...(proposed.add_s === undefined ? {} : optional("seconds", parseSeconds(seconds.value))) }, t("confirm"));
  const dismiss = h("button", { type: "button", id: "dismiss", text: t("dismiss") });
  dismiss.onclick = () => say(body("dismiss"), t("dismiss"));
  const seen = h("button", { type: "button", id: "acknowledge", text: t("acknowledge") });
  seen.onclick = () => say(body("acknowledge"), t("acknowledge"));
  // Only the game that is on the board can be changed; an alert may belong to an earlier one.
  const isPresent = !(board.game && game > 0) || board.game.number === game;
  const reinstate = isPresent && alert.facts?.reinstate && alert.ply > 0 && alert.code !== "press-without-move"
    ? h("button", { type: "button", id: "reinstate", text: t("reinstateHere"), onclick: () => say({ order: "reinstate", ply: alert.ply - 1 }, t("reinstateHere")) })
    : null;
  const declare = isPresent && proposed.result
    ? sureButton(t("declare", { result: proposed.result.replace("1/2-1/2", "½–½") }), () => say({ order: "result", result: proposed.result }, t("orResult")), { id: "declare" })
    : null;
  const undo = () => h("button", { type: "button", id: "undo", text: t("undo", { ruling: t(`state${alert.state[0].toUpperCase()}${alert.state.slice(1)}`) }), onclick: () => say({ order: "undo", alert: alert.id }, t("orUndo")) });
  // What was put right on the board was completed all the same and can still be acted on.
  if (!["open", "acknowledged", "corrected"].includes(alert.state)) {
    return h("div", { class: "ruling" }, h("p", { class: "hint", text: t(alert.state === "ended" ? "endedHint" : "ruled") }),
      isPresent && RULED.has(alert.state) && h("div", { class: "ruling-bar" }, h("div", { class: "buttons" }, undo()), line), !RULED.has(alert.state) && line);
  }
  return h("div", { class: "ruling" },
    !isPresent && h("p", { class: "hint", id: "other-game", text: t("otherGame", { game, now: board.game.number }) }),
    h("div", { class: "fields" },
      proposed.add_s !== undefined && field(t("confirmSeconds", { side: sideName(beneficiary) }), seconds),
      field(t("reason"), reason)),
    h("div", { class: "ruling-bar" }, h("div", { class: "buttons" }, confirm, dismiss, alert.state === "open" && seen, reinstate, declare, alert.state === "acknowledged" && undo()), line),
    !arbiter.token && h("p", { class: "hint" }, h("a", { href: "#/settings", text: t("signIn") })));
}
