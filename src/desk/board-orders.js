// What an arbiter may enter for a board: what is entered often as large buttons, the rest as a list of forms.

import { arbiter } from "./api.js";
import { h, parseSeconds, setAttribute, setText } from "./dom.js";
import { give, optional, outcomeLine, sureButton } from "./orders.js";
import { choice, field } from "./parts.js";
import { INCIDENTS } from "./order-words.js";
import { otherSide, sanText, scoreText, sideName, t } from "./words.js";

const RESULTS = ["1-0", "1/2-1/2", "0-1"];

/** A side with the name of who plays it. */
const sideAndName = (board, side) => (board[side] ? `${sideName(side)}: ${board[side]}` : sideName(side));

/** A choice of the side, `side` first chosen. */
const sideChoice = (board, side = "white") => choice(["white", "black"].map((one) => [one, sideAndName(board, one)]), side);

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

function penaltyForm(board, turn) {
  // What has just been completed is told to the opponent, who is to move then.
  const side = sideChoice(board, otherSide(turn));
  const seconds = h("input", { inputmode: "numeric", pattern: "[0-9:]*", size: 6 });
  const reason = h("input", { type: "text", maxlength: 200 });
  return form(board, t("orPenalty"), t("orPenaltyText"),
    [field(t("orOffender"), side), field(t("orSecondsDefault"), seconds), field(t("reason"), reason)],
    () => ({ order: "penalty", side: side.value, ...optional("seconds", parseSeconds(seconds.value)), ...optional("reason", reason.value.trim()) }));
}

function claimForm(board, turn) {
  const side = sideChoice(board, turn);
  const kind = choice([["threefold", t("claimThreefold")], ["fifty", t("claimFifty")], ["intended", t("claimIntended")], ["time", t("claimTime")], ["qpf", t("claimQpf")]], "threefold");
  const move = h("input", { type: "text", size: 8, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  const moveField = field(t("orIntended"), move);
  moveField.hidden = true;
  kind.onchange = () => { moveField.hidden = kind.value !== "intended"; };
  return form(board, t("orClaim"), null, [field(t("orClaimant"), side), field(t("orKind"), kind), moveField],
    () => ({ order: "claim", side: side.value, kind: kind.value, ...(kind.value === "intended" ? { move: move.value.trim() } : {}) }));
}

/** One button for each result, with the name of who wins; pressed twice. */
function resultForm(board) {
  const line = outcomeLine();
  const winner = { "1-0": "white", "0-1": "black" };
  const button = (result) => {
    const side = winner[result];
    const label = side ? `${scoreText(result)} ${board[side] || sideName(side)}` : `${scoreText(result)} ${t("draw")}`;
    return sureButton(label, () => give(board, { order: "result", result }, `${t("orResult")} ${scoreText(result)}`, line));
  };
  const goesOn = board.game?.result && sureButton(t("goesOn"), () => give(board, { order: "result", result: "*" }, t("goesOn"), line));
  const element = h("form", { class: "order", "aria-label": t("orResult") },
    h("h3", { text: t("orResult") }), h("div", { class: "results" }, RESULTS.map(button), goesOn), line);
  element.onsubmit = (submit) => submit.preventDefault();
  return element;
}

function reinstateForm(board, moves) {
  const plies = [["0", t("start")], ...moves.map((move, index) => [String(index + 1), `${Math.floor(index / 2) + 1}${index % 2 ? "…" : "."} ${sanText(move.san)}${move.legal ? "" : " ✗"}`])];
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

/** What was entered last is taken back: result, penalty, muting. */
function undoForm(board) {
  const what = choice([["result", t("orResult")], ...["white", "black"].map((side) => [`penalty-${side}`, `${t("orPenalty")}: ${board[side] || sideName(side)}`]), ["mute", t("orMute")]], "result");
  return form(board, t("orUndo"), t("orUndoText"), [field(t("orUndoWhat"), what)], () => {
    const [name, side] = what.value.split("-");
    return { order: "undo", what: name, ...(side ? { side } : {}) };
  });
}

function arrivedForm(board, turn) {
  const side = sideChoice(board, turn);
  return form(board, t("orArrived"), null, [field(t("orWho"), side)], () => ({ order: "arrived", side: side.value }));
}

function resignForm(board, turn) {
  const side = sideChoice(board, turn);
  return form(board, t("orResign"), null, [field(t("orWho"), side)], () => ({ order: "resign", side: side.value }), { sure: true });
}

function drawOfferForm(board, turn) {
  const side = sideChoice(board, turn);
  return form(board, t("orDrawOffer"), null, [field(t("orWho"), side)], () => ({ order: "draw-offer", side: side.value }));
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
  return form(board, t("orIncident"), t("orIncidentText"), [field(t("orKind"), kind), field(t("orWho"), side), field(t("reason"), reason), articleField, field(t("seconds"), seconds)],
    () => (kind.value || reason.value.trim()
      ? { order: "incident", ...optional("kind", kind.value), ...optional("reason", reason.value.trim()), ...optional("side", side.value), ...optional("article", kind.value ? "" : article.value.trim()), ...optional("seconds", parseSeconds(seconds.value)) }
      : null));
}

function quickplayForm(board, turn) {
  const side = sideChoice(board, turn);
  const rulings = [["accepted", t("rulAccepted")], ["increment", t("rulIncrement")], ["refused", t("rulRefused")], ["drawn", t("rulDrawn")],
    ["rejected", t("rulRejected")], ["postponed", t("rulPostponed")], ["no-arbiter", t("rulNoArbiter")]];
  const ruling = choice(rulings, "postponed");
  return form(board, t("orQuickplay"), null, [field(t("orWhose"), side), field(t("orRuling"), ruling)],
    () => ({ order: "quickplay", side: side.value, ruling: ruling.value }), { sure: true });
}

/** What is entered often: its name, and its form; `whose` names the side that a form begins with. */
const OFTEN = [
  { name: "orResult", make: resultForm },
  { name: "orClaim", make: claimForm, whose: (turn) => turn },
  { name: "orDrawOffer", make: drawOfferForm, whose: (turn) => turn },
  { name: "orPenalty", make: penaltyForm, whose: otherSide },
];

/** The large buttons; each opens its form below them, with the side that it is probably about. */
export class OftenOrders {
  /** `turn` tells whose time runs, or who is to move. */
  constructor(board, turn) {
    Object.assign(this, { board, turn, open: null, game: board.game?.number ?? 0 });
    this.holder = h("div", { id: "often-form", hidden: true });
    this.buttons = OFTEN.map((entry) => {
      const name = h("small");
      const element = h("button", { type: "button", "data-order": entry.name, "aria-expanded": "false", "aria-controls": "often-form", onclick: () => this.#toggle(entry) },
        h("strong", { text: t(entry.name) }), name);
      return { entry, name, element };
    });
    this.element = h("section", { class: "often", id: "often", "aria-label": t("orders") },
      h("h2", { class: "unseen", text: t("orders") }),
      h("div", { class: "often-buttons" }, this.buttons.map(({ element }) => element)), this.holder,
      !arbiter.mayOrder && h("p", { class: "hint" }, h("a", { href: "#/settings", text: t("signIn") })));
    this.update(board);
  }

  /** Shows who is to move now; a form that is open keeps its side, and ends with its game. */
  update(board) {
    this.board = board;
    const game = board.game?.number ?? 0;
    if (game !== this.game) {
      this.game = game;
      this.#show(null);
    }
    const turn = this.turn();
    for (const { entry, name } of this.buttons) {
      const side = entry.whose?.(turn);
      setText(name, side ? board[side] || sideName(side) : t("resultsShort"));
    }
  }

  #toggle(entry) {
    this.#show(this.open === entry ? null : entry);
  }

  #show(entry) {
    this.open = entry;
    this.holder.hidden = !entry;
    this.holder.replaceChildren(...(entry ? [entry.make(this.board, this.turn())] : []));
    for (const { entry: one, element } of this.buttons) setAttribute(element, "aria-expanded", String(one === entry));
  }
}

/** The other orders for a board, `moves` are those of the game, `turn` is the side to move. */
export function moreOrders(board, moves, turn) {
  return h("div", { class: "orders" },
    h("p", { class: "hint", text: t("ordersText") }),
    h("div", { class: "order-grid" },
      undoForm(board), reinstateForm(board, moves), setPositionForm(board, moves), newGameForm(board),
      resignForm(board, turn), incidentForm(board), arrivedForm(board, turn), quickplayForm(board, turn), muteForm(board),
      form(board, t("orColours"), t("orColoursText"), [], () => ({ order: "colours-reversed" }), { sure: true }),
      form(board, t("orFlip"), t("orFlipText"), [], () => ({ order: "flip" }), { sure: true }),
      form(board, t("orSwapClock"), t("orSwapClockText"), [], () => ({ order: "swap-clock" }), { sure: true })));
}
