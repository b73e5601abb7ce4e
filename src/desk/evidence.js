// The evidence card: what board and clock reported around a moment, and what follows from it for touch-move.

import { download, read } from "./api.js";
import { colourOf } from "./board-svg.js";
import { clockText, h } from "./dom.js";
import { failure } from "./parts.js";
import { pieceName, sanText, sideName, spoken, t } from "./words.js";

/** Reads the events around an alert. */
function eventsAround(board, alert) {
  return read(`/api/boards/${encodeURIComponent(board.board)}/events?alert=${encodeURIComponent(alert.id)}&language=${spoken()}`);
}

/** Leads to the desk of a board's hall, on a desk of many halls: captures are there. */
export function atHall(board, place) {
  if (!board.desk) return h("p", { class: "hint", text: t("inHall", { hall: board.hall }) });
  const link = h("a", { class: "button", href: `${board.desk}/${place}`, target: "_blank", rel: "noopener noreferrer", text: t("atHall", { hall: board.hall }) });
  return h("p", { class: "at-hall" }, link);
}

/** Says what an event was; null if it needs no words. */
export function sentence(event) {
  const times = event.clock ? { white: clockText(event.clock.white), black: clockText(event.clock.black) } : {};
  switch (event.event) {
    case "lift": return t("evLift", { piece: pieceName(event.piece), square: event.square });
    case "place": return t("evPlace", { piece: pieceName(event.piece), square: event.square });
    case "press": return t("evPress", { side: sideName(event.side), ...times });
    case "clock": return event.clock ? t("evClock", times) : t("noClock");
    case "move": return t(event.completed ? "evMoveDone" : "evMove", { san: sanText(event.san) });
    case "retract": return t("evRetract", { ply: event.ply });
    case "link": return t(event.state === "up" ? "evLinkUp" : "evLinkDown");
    case "alert": return event.text;
    case "alert-update": return `${event.id}: ${event.state}`;
    case "result": return `${event.result} (${event.by})`;
    default: return null;
  }
}

/** Lists events with their time relative to the moment. */
function eventTable(events, t0) {
  const rows = events.map((event) => [event, sentence(event)]).filter(([, text]) => text !== null);
  if (!rows.length) return h("p", { class: "hint", text: t("noEvents") });
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("evidence") }, h("table", { class: "events" },
    h("thead", null, h("tr", null, h("th", { scope: "col", text: t("relative") }), h("th", { scope: "col", text: t("what") }))),
    h("tbody", null, rows.map(([event, text]) => h("tr", { class: `ev-${event.event}` },
      h("td", { class: "number", text: `${event.t - t0 < 0 ? "−" : "+"}${Math.abs(event.t - t0).toFixed(2)}` }),
      h("td", { text }))))));
}

/** The card itself: the list, read unless the events are given, and the capture slice for an alert. */
export function evidenceCard(hall, board, t0, alert = null, known = null) {
  const list = h("div", { class: "events-holder" }, h("p", { text: t("loading") }));
  (known ? Promise.resolve(known) : eventsAround(board, alert)).then((events) => list.replaceChildren(eventTable(events, t0)), (error) => list.replaceChildren(failure(error)));
  const line = h("p", { class: "outcome", role: "status" });
  const save = () => download(`/api/boards/${encodeURIComponent(board.board)}/capture?alert=${encodeURIComponent(alert.id)}`, `${alert.id}.dgtcap`)
    .catch((error) => line.replaceChildren(failure(error)));
  return h("div", { class: "evidence" },
    h("p", { class: "hint", text: t("evidenceText", { scan: hall.event.scan_ms ?? 225 }) }),
    list,
    alert && h("p", null, h("button", { type: "button", id: "capture", text: t("capture"), onclick: save })), line);
}

/** Lists the pieces that a player touched before a press, since the opponent's: `{square, piece}` in their order. */
function touched(events, side, pressedAt) {
  const earlier = events.filter((event) => event.event === "press" && event.t < pressedAt - 0.001 && event.side !== side);
  const since = earlier.length ? earlier.at(-1).t : -Infinity;
  return events.filter((event) => event.event === "lift" && event.t >= since && event.t <= pressedAt);
}

/** Returns the clause of Art. 4.3: 1 for one's own piece, 2 for the opponent's, 3 for one of each. */
const touchClause = (edition, clause) => (["2009", "2014"].includes(edition) ? `4.3.${"abc"[clause - 1]}` : `4.3.${clause}`);

/** Says what touch-move demands of the player who has to move again (Art. 4.3, 4.5). */
export async function touchDuty(events, board, alert, edition) {
  const lifts = touched(events, alert.side, alert.facts?.pressed_at ?? alert.t);
  if (!lifts.length) return [events.length ? t("dutyFree") : t("dutyUnknown")];
  const { moves } = await read(`/api/boards/${encodeURIComponent(board.board)}/position?alert=${encodeURIComponent(alert.id)}`);
  const own = lifts.find(({ piece }) => colourOf(piece) === alert.side);
  const theirs = lifts.find(({ piece }) => colourOf(piece) !== alert.side);
  const of = (lift) => moves.filter((move) => (lift === own ? move.uci.slice(0, 2) : move.uci.slice(2, 4)) === lift.square && (lift === own || move.capture));
  const say = (lift, found, clause = lift === own ? 1 : 2) => {
    const piece = `${pieceName(lift.piece)} ${lift.square}`;
    if (!found.length) return t("dutyNone", { piece, article: "4.5" });
    const article = touchClause(edition, clause);
    const named = found.slice(0, 12).map((move) => sanText(move.san)).join(", ");
    return t(lift === own ? "dutyMust" : "dutyTake", { piece, moves: named, article });
  };
  if (own && theirs) {
    const both = of(own).filter((move) => move.uci.slice(2, 4) === theirs.square);
    if (both.length) return [say(theirs, both, 3)];
  }
  const order = [own, theirs].filter(Boolean).sort((a, b) => a.t - b.t);
  const lines = [];
  for (const lift of order) {
    const found = of(lift);
    lines.push(say(lift, found));
    if (found.length) return lines;
  }
  return [...lines, t("dutyFree")];
}
