// The arbiter's orders: how they are given, what the daemon says to them, and the ruling on an alert.

import { gameOf, isClaimable, isNotice } from "./alerts.js";
import { arbiter, order, Refused } from "./api.js";
import { clockText, h, parseSeconds, setText } from "./dom.js";
import { field, mutedText } from "./parts.js";
import { reasonText } from "./refusals.js";
import { toast } from "./toast.js";
import { otherSide, scoreText, sideName, t } from "./words.js";

/** Milliseconds in which an order that needs a second press has to be pressed again. */
const SURE_MS = 5000;

/** States that a ruling has led to, and that it leads out of when it is taken back. */
const RULED = new Set(["confirmed", "dismissed", "acknowledged"]);

/** A line that says what has become of the last order. */
export function outcomeLine() {
  return h("p", { class: "outcome", role: "status" });
}

/**
 * Gives an order and says what has become of it; returns whether it was carried out. The order names the game that the
 * page shows, so that it cannot change another one that has begun since; `game` is that of an alert.
 */
export async function give(board, body, name, line, game = board.game?.number) {
  line.className = "outcome";
  if (!arbiter.mayOrder) {
    line.classList.add("refused");
    line.replaceChildren(h("a", { href: "#/settings", text: t("orderUnsigned") }));
    return false;
  }
  const to = board.serial ?? board.board;
  try {
    const answer = await order(to, game > 0 ? { ...body, game } : body);
    line.classList.add("done");
    line.textContent = answer?.text ?? t("orderDone", { order: name });
    noted();
    offerUndo(to, body, answer, name);
    return true;
  } catch (error) {
    line.classList.add("refused");
    line.textContent = error instanceof Refused
      ? t("orderRefused", { reason: error.status === 401 ? t("wrongToken") : reasonText(error.message) })
      : t("orderFailed");
    return false;
  }
}

let noted = () => {};

/**
 * Calls `work` after each order of this page that was carried out, in place of what was called before: the list of orders has it then. A page
 * that is left takes it away, as it would be kept with it.
 */
export const afterOrders = (work = () => {}) => {
  noted = work;
};

/** Returns the order that takes another one back; null if none does. */
export function undoing(body, id) {
  if (id) return { order: "undo", id };
  if (body.order === "result" && body.result !== "*") return { order: "undo", what: "result" };
  if (body.order === "penalty") return { order: "undo", what: "penalty", side: body.side };
  return body.alert && ["confirm", "dismiss", "acknowledge"].includes(body.order) ? { order: "undo", alert: body.alert } : null;
}

/** Offers for some seconds to take an order back. */
function offerUndo(to, body, answer, name) {
  const back = body.order === "undo" ? null : undoing(body, answer?.id);
  toast(name, back && (async () => {
    try {
      await order(to, back);
      noted();
      toast(t("undone"));
    } catch (error) {
      toast(t("orderRefused", { reason: reasonText(error.message) }));
    }
  }));
}

/** A button that acts on the second press only: for what cannot be taken back. */
export function sureButton(label, act, attributes = {}) {
  let armed = 0;
  const button = h("button", { type: "button", ...attributes, text: label });
  button.onclick = () => {
    clearTimeout(armed);
    if (button.dataset.armed === undefined) {
      button.dataset.armed = "";
      button.textContent = t("pressAgain", { label });
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

/** An entry of an order, left out if nothing was filled in. */
export const optional = (name, value) => (value === "" || value === null || Number.isNaN(value) ? {} : { [name]: value });

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

/** Confirm with seconds, dismiss with a reason, seen: what can be said to an alert. `line` says what becomes of it, `going` is the button of who goes there. */
export function ruling(board, alert, line, going = null) {
  const proposed = alert.proposal ?? {};
  const beneficiary = proposed.to ?? otherSide(alert.side);
  const seconds = h("input", { inputmode: "numeric", pattern: "[0-9:]*", size: 5, value: proposed.add_s ?? "", id: "confirm-seconds" });
  const reason = h("input", { type: "text", maxlength: 200, class: "wide", id: "reason" });
  const body = (name) => ({ order: name, alert: alert.id, ...optional("reason", reason.value.trim()) });
  const game = gameOf(alert);
  const say = (order, name) => give(board, order, name, line, game);
  const label = () => {
    const given = parseSeconds(seconds.value || String(proposed.add_s ?? ""));
    return proposed.add_s === undefined || Number.isNaN(given) ? t("confirm") : t("confirmTime", { side: sideName(beneficiary), time: clockText(given) });
  };
  const confirm = h("button", { type: "button", id: "confirm", "aria-keyshortcuts": "Enter", text: label() });
  seconds.oninput = () => setText(confirm, label());
  confirm.onclick = () => say({ ...body("confirm"), ...(proposed.add_s === undefined ? {} : optional("seconds", parseSeconds(seconds.value))) }, t("confirm"));
  const dismiss = h("button", { type: "button", id: "dismiss", "aria-keyshortcuts": "X", text: t("dismiss") });
  dismiss.onclick = () => say(body("dismiss"), t("dismiss"));
  const seen = h("button", { type: "button", id: "acknowledge", text: t("acknowledge") });
  seen.onclick = () => say(body("acknowledge"), t("acknowledge"));
  // Only the game that is on the board can be changed; an alert may belong to an earlier one.
  const isPresent = !(board.game && game > 0) || board.game.number === game;
  const reinstate = isPresent && alert.facts?.reinstate && alert.ply > 0 && alert.code !== "press-without-move"
    ? h("button", { type: "button", id: "reinstate", text: t("reinstateHere"), onclick: () => say({ order: "reinstate", ply: alert.ply - 1 }, t("reinstateHere")) })
    : null;
  const declare = isPresent && proposed.result && !isClaimable(alert)
    ? sureButton(t("declare", { result: scoreText(proposed.result) }), () => say({ order: "result", result: proposed.result }, t("orResult")), { id: "declare" })
    : null;
  // Of what nobody has to rule on, an arbiter only notes that it is known.
  const isNews = isNotice(alert) || isClaimable(alert) || alert.severity === "equipment";
  (declare ?? (isNews ? seen : confirm)).classList.add("primary");
  if (isNews) seen.setAttribute("aria-keyshortcuts", "Enter");
  const undo = () => h("button", { type: "button", id: "undo", text: t("undo", { ruling: t(`state${alert.state[0].toUpperCase()}${alert.state.slice(1)}`) }), onclick: () => say({ order: "undo", alert: alert.id }, t("orUndo")) });
  // What was put right on the board was completed all the same and can still be acted on.
  if (!["open", "acknowledged", "corrected"].includes(alert.state)) {
    return h("div", { class: "ruling" }, h("p", { class: "hint", text: t(alert.state === "ended" ? "endedHint" : "ruled") }),
      isPresent && RULED.has(alert.state) && h("div", { class: "ruling-bar" }, h("div", { class: "buttons" }, undo()), line), !RULED.has(alert.state) && line);
  }
  const element = h("div", { class: "ruling" },
    !isPresent && h("p", { class: "hint", id: "other-game", text: t("otherGame", { game, now: board.game.number }) }),
    h("div", { class: "ruling-bar" }, h("div", { class: "buttons" }, declare, isNews ? alert.state === "open" && seen : confirm, going, dismiss, alert.state === "acknowledged" && undo()), line),
    h("details", { id: "more-ruling" }, h("summary", { text: t(proposed.add_s === undefined ? "moreRulingPlain" : "moreRuling") }),
      h("div", { class: "fields" },
        proposed.add_s !== undefined && field(t("confirmSeconds", { side: sideName(beneficiary) }), seconds),
        field(t("reason"), reason)),
      h("div", { class: "buttons" }, !isNews && alert.state === "open" && seen, reinstate)),
    !arbiter.mayOrder && h("p", { class: "hint" }, h("a", { href: "#/settings", text: t("signIn") })));
  let typed = false;
  seconds.addEventListener("input", () => { typed = true; });
  // What the clock shows to have been given is what is confirmed, unless the arbiter has typed something else.
  element.given = (given) => {
    if (typed || proposed.add_s === undefined) return;
    seconds.value = String(given?.side === beneficiary ? given.seconds : proposed.add_s);
    setText(confirm, label());
  };
  return element;
}
