// What is the same for every page of an alert: whether it is open, how urgent it is, and which of a board wait for somebody.

const OPEN = new Set(["open", "acknowledged"]);

const URGENCY = { act: 2, look: 1, equipment: 1, info: 0 };

/** Returns whether somebody may have to deal with an alert. */
export const isOpen = (alert) => OPEN.has(alert.state);

/** Returns the number of the game that an alert belongs to; its id is board, game and number of the alert. */
export const gameOf = (alert) => alert.game ?? Number(alert.id.split("-").at(-2));

/** Returns how urgent an alert is: 2 now, 1 soon, 0 for information or when nothing is left to decide. */
export function urgencyOf(alert) {
  if (!isOpen(alert)) return 0;
  // What the clock shows to have been dealt with is to be confirmed: nobody has to run for it.
  if (alert.progress && alert.severity === "act") return 1;
  // What a daemon of an earlier version does not say is to be looked at.
  return URGENCY[alert.severity] ?? 1;
}

/** Returns how an alert looks: `act`, `look`, `eq`, `info`, or `done` when nothing is left to decide. */
export function toneOf(alert) {
  if (!isOpen(alert)) return "done";
  return alert.severity === "equipment" ? "eq" : ["info", "look", "act"][urgencyOf(alert)];
}

/** Orders alerts: what is urgent and not yet seen first, then the newer. */
export function byUrgency(a, b) {
  const seen = (alert) => (alert.state === "acknowledged" ? 1 : 0);
  return urgencyOf(b) - urgencyOf(a) || seen(a) - seen(b) || String(b.at).localeCompare(String(a.at));
}

/** Lists the open alerts of a board, the most urgent first. */
export function openAlerts(board) {
  return [...board.alerts.values()].filter(isOpen).sort(byUrgency);
}

/** Codes of alerts that only state what is final: nothing can be done or decided any more. */
const NOTICES = new Set(["claim-window-closed", "start-claim-closed"]);

/** Seconds for which the hall shows a notice that nobody has noted as seen. */
const NOTICE_S = 60;

export const isNotice = ({ code }) => NOTICES.has(code);

/** Returns whether an alert only says what a player may claim: nothing is to be decided before he does. */
export const isClaimable = ({ code }) => code === "threefold-claimable" || code === "fifty-claimable";

/**
 * Lists the alerts of a board that wait for somebody: once its game has a result, not those that only say how it has ended, or how the pieces
 * stood; what is for information only until it was seen, and notices for a minute. The page of the table and the report keep them.
 */
export function waiting(hall, board) {
  const isPast = (alert) => (alert.severity === "info" && alert.state === "acknowledged")
    || (isNotice(alert) && hall.age(alert, hall.now()) >= NOTICE_S)
    || (alert.code === "board-mismatch" && Boolean(board.game?.result));
  return [...board.alerts.values()].filter((alert) => alert.waits && !isPast(alert)).sort(byUrgency);
}

/** Lists the alerts for which a board needs an arbiter: to act on where nobody goes, to look at, or of equipment that has failed. */
export function needing(hall, board) {
  return waiting(hall, board).filter((alert) => alert.state === "open" && urgencyOf(alert) > 0 && !hall.attending(board, alert).length);
}
