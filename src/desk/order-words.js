// Orders in the words that their buttons have, for the log and the report.

import { clockText } from "./dom.js";
import { codeName, sanText, sideName, t } from "./words.js";

const other = (side) => (side === "white" ? "black" : "white");
const score = (result) => (result ?? "").replace("1/2-1/2", "½–½").replace("-", "–");
const claims = { threefold: "claimThreefold", fifty: "claimFifty", intended: "claimIntended", time: "claimTime", qpf: "claimQpf" };
const rulings = { accepted: "rulAccepted", increment: "rulIncrement", refused: "rulRefused", drawn: "rulDrawn", rejected: "rulRejected", postponed: "rulPostponed", "no-arbiter": "rulNoArbiter" };

/** Names what a ruling is about: the alert and the side that it names. */
function subject({ code, side, order }) {
  if (!code) return t("logAlert", { id: order.alert ?? "" });
  return side && side !== "both" ? `${codeName(code)} (${sideName(side)})` : codeName(code);
}

function undone(entry) {
  const { alert, what, side } = entry.order;
  if (alert) return t("logUndoRuling", { subject: subject(entry) });
  return t("logUndo", { what: what === "penalty" ? `${t("orPenalty")} (${sideName(side)})` : t(what === "mute" ? "orMute" : "orResult") });
}

/** Says what was entered, in a sentence without codes. */
export function orderWords(entry) {
  const { order } = entry;
  if (typeof order === "string") return order;
  const { side } = order ?? {};
  const time = order.seconds === undefined || order.seconds === null ? "" : clockText(order.seconds);
  const words = {
    confirm: () => `${t("logConfirmed", { subject: subject(entry) })}${time ? ` ${t("logTime", { time, side: sideName(other(entry.side)) })}` : ""}`,
    dismiss: () => t("logDismissed", { subject: subject(entry) }),
    acknowledge: () => t("logSeen", { subject: subject(entry) }),
    penalty: () => `${t("logPenalty", { side: sideName(side) })}${time ? ` ${t("logTime", { time, side: sideName(other(side)) })}` : ""}`,
    "new-game": () => t("orNewGame"),
    "set-position": () => t("logPosition"),
    reinstate: () => (order.ply ? t("logReinstated", { move: `${Math.ceil(order.ply / 2)}${order.ply % 2 ? "." : "…"}` }) : t("logReinstatedStart")),
    result: () => (order.result === "*" ? t("logGoesOn") : t("logResult", { result: score(order.result) })),
    claim: () => `${t("logClaim", { side: sideName(side), kind: t(claims[order.kind] ?? "orClaim") })}${order.move ? ` ${sanText(order.move)}` : ""}`,
    flip: () => t("orFlip"),
    "swap-clock": () => t("orSwapClock"),
    mute: () => (order.seconds ? t("logMuted", { minutes: Math.round(order.seconds / 60) }) : t("muteEnd")),
    arrived: () => t("logArrived", { side: sideName(side) }),
    resign: () => t("logResigned", { side: sideName(side) }),
    "draw-offer": () => t("logDrawOffer", { side: sideName(side) }),
    incident: () => `${t("orIncident")}${side ? ` (${sideName(side)})` : ""}${time ? ` ${t("logTime", { time, side: sideName(other(side)) })}` : ""}`,
    quickplay: () => `${t("claimQpf")} (${sideName(side)}): ${t(rulings[order.ruling] ?? "orRuling")}`,
    "colours-reversed": () => t("orColours"),
    "round-started": () => t("logRound"),
    undo: () => undone(entry),
  };
  const said = words[order.order]?.() ?? order.order ?? "";
  return order.reason ? `${said} ${t("logReason", { reason: order.reason })}` : said;
}
