// Orders in the words that their buttons have, for the log and the report.

import { clockText } from "./dom.js";
import { codeName, otherSide, sanText, scoreText, sideName, t } from "./words.js";

/** Incidents that the Laws have an article on; the daemon names it for the edition of the event. */
export const INCIDENTS = {
  telephone: "inTelephone", "outside-help": "inOutsideHelp", "left-venue": "inLeftVenue", disturbance: "inDisturbance", fine: "inFine",
  explanation: "inExplanation", appeal: "inAppeal", "clock-assistant": "inClockAssistant", "special-measures": "inSpecialMeasures",
};

const claims = { threefold: "claimThreefold", fifty: "claimFifty", intended: "claimIntended", time: "claimTime", qpf: "claimQpf" };
const rulings = { accepted: "rulAccepted", increment: "rulIncrement", refused: "rulRefused", drawn: "rulDrawn", rejected: "rulRejected", postponed: "rulPostponed", "no-arbiter": "rulNoArbiter" };

/** Names a side of the game that an order is for, with the player if the log knows who sat there. */
const player = (entry, side) => (side && entry[side] ? `${sideName(side)} (${entry[side]})` : sideName(side));

/** Names what a ruling is about: the alert and the side that it names. */
function subject(entry) {
  const { code, side, order } = entry;
  if (!code) return t("logAlert", { id: order.alert ?? "" });
  return side && side !== "both" ? `${codeName(code)}, ${player(entry, side)}` : codeName(code);
}

/** Writes one move, or several. */
const movesText = (moves) => [moves ?? ""].flat().map(sanText).join(" ");

/** Writes the number of a ply: `12.` or `12…`. */
const plyText = (ply) => `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`;

function undone(entry) {
  const { alert, what, side, id } = entry.order;
  if (id) return t("logUndoOrder");
  if (alert) return t("logUndoRuling", { subject: subject(entry) });
  return t("logUndo", { what: what === "penalty" ? `${t("orPenalty")}, ${player(entry, side)}` : t(what === "mute" ? "orMute" : "orResult") });
}

/** Says what was entered, in a sentence without codes. */
export function orderWords(entry) {
  const { order } = entry;
  if (typeof order === "string") return order;
  const { side } = order ?? {};
  const time = order.seconds === undefined || order.seconds === null ? "" : clockText(order.seconds);
  const words = {
    confirm: () => `${t("logConfirmed", { subject: subject(entry) })}${time ? ` ${t("logTime", { time, side: player(entry, otherSide(entry.side)) })}` : ""}`,
    dismiss: () => t("logDismissed", { subject: subject(entry) }),
    going: () => t("logGoing", { subject: subject(entry) }),
    "not-going": () => t("logNotGoing", { subject: subject(entry) }),
    acknowledge: () => t("logSeen", { subject: subject(entry) }),
    penalty: () => `${t("logPenalty", { side: player(entry, side) })}${time ? ` ${t("logTime", { time, side: player(entry, otherSide(side)) })}` : ""}`,
    "new-game": () => t("orNewGame"),
    "set-position": () => t("logPosition"),
    reinstate: () => (order.ply ? t("logReinstated", { move: `${Math.ceil(order.ply / 2)}${order.ply % 2 ? "." : "…"}` }) : t("logReinstatedStart")),
    result: () => (order.result === "*" ? t("logGoesOn") : t("logResult", { result: scoreText(order.result) })),
    claim: () => `${t("logClaim", { side: player(entry, side), kind: t(claims[order.kind] ?? "orClaim") })}${order.move ? ` ${sanText(order.move)}` : ""}`,
    flip: () => t("orFlip"),
    "swap-clock": () => t("orSwapClock"),
    mute: () => (order.seconds ? t("logMuted", { minutes: Math.round(order.seconds / 60) }) : t("muteEnd")),
    arrived: () => t("logArrived", { side: player(entry, side) }),
    resign: () => t("logResigned", { side: player(entry, side) }),
    "draw-offer": () => t("logDrawOffer", { side: player(entry, side) }),
    incident: () => `${t(INCIDENTS[order.kind] ?? "orIncident")}${side ? `, ${player(entry, side)}` : ""}${time ? ` ${t("logTime", { time, side: player(entry, otherSide(side)) })}` : ""}`,
    quickplay: () => `${t("claimQpf")}, ${player(entry, side)}: ${t(rulings[order.ruling] ?? "orRuling")}`,
    "colours-reversed": () => t("orColours"),
    pairings: () => `${t("pairUsed", { round: order.round })}${order.file ? ` (${order.file})` : ""}`,
    "round-game": () => t(order.of?.unpaired ? "roundUnpaired" : "roundPair", { table: order.of?.table ?? "" }),
    "round-started": () => t("logRound"),
    "round-finished": () => t("logRoundOver", { round: order.round }),
    "round-names": () => t("logNames", { table: order.table }),
    "round-broadcast": () => t(order.held ? "logHeld" : "logUnheld", { table: order.table ?? t("allTables") }),
    move: () => t({ insert: "logMoveInsert", delete: "logMoveDelete" }[order.do] ?? "logMoveReplace", { number: plyText(order.ply), move: movesText(order.move) }),
    choose: () => t("logChoose", { number: plyText(order.ply) }),
    continue: () => t("logContinue", { board: order.board ?? order.from ?? "" }),
    story: () => t("logStory", { subject: subject(entry) }),
    undo: () => undone(entry),
  };
  const said = words[order.order]?.() ?? order.order ?? "";
  return order.reason ? `${said} ${t("logReason", { reason: order.reason })}` : said;
}
