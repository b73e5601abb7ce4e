// The hall as it is known here: what the daemon told once, and every event since.

import { arbiter, read } from "./api.js";
import { Attention } from "./attention.js";

/** Moves that are kept of each game, so that a few can be withdrawn without asking. */
const KEPT_MOVES = 12;

const OPEN = new Set(["open", "acknowledged"]);
const EQUIPMENT = new Set(["board-link", "clock-link", "clock-low-battery", "board-battery", "line-noise", "service-degraded"]);
/** Codes that say how the game has ended. */
const ENDINGS = new Set(["checkmate", "stalemate", "dead-position", "fivefold-draw", "seventyfive-draw", "flag-fall", "flag-fall-draw", "game-lost-illegal", "game-drawn-illegal", "illegal-position-draw"]);

const URGENCY = { act: 2, look: 1, equipment: 1, info: 0 };

/** Tells whether somebody may have to deal with an alert. */
export const isOpen = (alert) => OPEN.has(alert.state);

/** Returns the number of the game that an alert belongs to; its id is board, game and number of the alert. */
export const gameOf = (alert) => alert.game ?? Number(alert.id.split("-").at(-2));

/** Returns how urgent an alert is: 2 now, 1 soon, 0 for information or when nothing is left to decide. */
export function urgencyOf(alert) {
  if (!isOpen(alert)) return 0;
  // What a daemon of an earlier version does not say is to be looked at.
  return URGENCY[alert.severity] ?? 1;
}

/** Orders alerts: what is urgent and not yet seen first, then the newer. */
export function byUrgency(a, b) {
  const seen = (alert) => (alert.state === "acknowledged" ? 1 : 0);
  return urgencyOf(b) - urgencyOf(a) || seen(a) - seen(b) || String(b.at).localeCompare(String(a.at));
}

/** Everything that the hall view shows, kept up to date by events. */
export class Hall {
  boards = new Map();
  attention = new Attention();
  event = {};
  seq = 0;
  /** Milliseconds that this device's clock is ahead of the daemon's. */
  ahead = 0;

  /** Reads the whole hall anew. */
  async load() {
    const sent = Date.now();
    const [hall, attention] = await Promise.all([read("/api/hall"), read("/api/attention").catch(() => ({}))]);
    this.attention = new Attention(attention);
    if (hall.at) this.ahead = (sent + Date.now()) / 2 - Date.parse(hall.at);
    this.event = hall.event ?? {};
    this.seq = hall.seq;
    this.boards = new Map(hall.boards.map((board) => [board.board, remembered(board)]));
    return this;
  }

  /**
   * Takes an event in. Returns the board that has changed; null if the hall has to be read anew.
   */
  apply(event) {
    if (event.seq && event.seq <= this.seq) return undefined;
    this.seq = event.seq ?? this.seq;
    const board = this.boards.get(event.board);
    if (!board) return null;
    // What happened at which second of the board's timeline, for whoever looks for evidence.
    if (event.at) board.zero = Date.parse(event.at) - event.t * 1000;
    switch (event.event) {
      case "link":
        board.up = event.state === "up";
        board.port = event.port ?? board.port;
        break;
      case "board":
        Object.assign(board, { serial: event.serial, version: event.version, rotated: event.rotated });
        break;
      case "lift":
        (board.in_air ??= []).push({ square: event.square, piece: event.piece });
        break;
      case "place": {
        const air = board.in_air ?? [];
        const landed = air.findIndex((held) => held.piece === event.piece);
        if (landed >= 0) air.splice(landed, 1);
        break;
      }
      case "press":
        if (board.clock) Object.assign(board.clock, event.clock, { at: event.at });
        board.pressed = { side: event.side, at: event.at };
        break;
      case "clock":
        board.clock = event.clock || board.clock
          ? { ...board.clock, ...event.clock, running: event.running, connected: event.connected, low_battery: event.low_battery, at: event.at }
          : null;
        break;
      case "game-start":
        board.game = { number: event.game, ply: 0, side: sideOf(event.fen), last: null, fen: event.fen, result: null, by: null };
        board.history = [];
        board.in_air = [];
        for (const [id, alert] of board.alerts) if (!isOpen(alert)) board.alerts.delete(id);
        break;
      case "move":
        this.#play(board, event);
        break;
      case "retract":
        return this.#retract(board, event) ? board : null;
      case "alert":
        board.alerts.set(event.id, { ...event, at: event.at });
        break;
      case "alert-update": {
        const alert = board.alerts.get(event.id);
        if (alert) Object.assign(alert, event, { event: "alert", at: alert.at, t: alert.t, seq: alert.seq, changed: event.at });
        else return null;
        break;
      }
      case "entry":
        if (event.order?.order === "mute") board.muted_until = new Date(Date.parse(event.at) + event.order.seconds * 1000).toISOString();
        break;
      case "result":
        if (board.game) Object.assign(board.game, event.result === "*" ? { result: null, by: null } : { result: event.result, by: event.by });
        break;
      default:
    }
    return board;
  }

  #play(board, event) {
    if (!board.game || board.game.number !== event.game) return;
    const history = (board.history ??= []);
    while (history.length && history.at(-1).ply >= event.ply) history.pop();
    history.push({ ply: event.ply, side: event.side, san: event.san, fen: event.fen, legal: event.legal, completed: event.completed });
    if (history.length > KEPT_MOVES) history.shift();
    board.in_air = [];
    show(board, history.at(-1));
  }

  #retract(board, event) {
    if (!board.game || board.game.number !== event.game) return true;
    const history = board.history ?? [];
    while (history.length && history.at(-1).ply >= event.ply) history.pop();
    Object.assign(board.game, { result: null, by: null });
    if (!history.length) return false;
    show(board, history.at(-1));
    return true;
  }

  /** Returns what both clocks show at this moment; null without a clock. */
  times(board, now = Date.now()) {
    const { clock } = board;
    if (!clock || clock.connected === false || clock.white === undefined || clock.white === null) return null;
    const run = clock.running && clock.at && board.up ? Math.max(0, (now - this.ahead - Date.parse(clock.at)) / 1000) : 0;
    const left = (side) => Math.max(0, clock[side] - (clock.running === side ? run : 0));
    return { white: left("white"), black: left("black"), running: clock.running ?? null };
  }

  /** Tells whether this arbiter looks after a board; without own tables everybody looks after all. */
  isMine(board) {
    return this.attention.has(arbiter.session?.name, board.table);
  }

  /** Tells whether nobody has gone to an urgent alert for so long that the chief has to know. */
  isEscalated(alert) {
    const { escalate_s: limit } = this.attention;
    return limit > 0 && alert.state === "open" && urgencyOf(alert) === 2 && !this.attention.going(alert.id).length && this.age(alert) >= limit;
  }

  /** Tells whether an alert is this arbiter's: at an own table, or for the chief if nobody goes to it. */
  concerns(board, alert) {
    return this.isMine(board) || (arbiter.isChief && this.isEscalated(alert));
  }

  /** Lists all alerts that somebody may have to deal with, the most urgent first. */
  open() {
    const all = [...this.boards.values()].flatMap((board) => waiting(board).map((alert) => ({ board, alert })));
    return all.sort((a, b) => byUrgency(a.alert, b.alert));
  }

  /** Lists boards with open alerts, each with its alerts: the one with the newest most urgent alert first. */
  openByBoard() {
    const groups = new Map();
    for (const { board, alert } of this.open()) groups.set(board, [...(groups.get(board) ?? []), alert]);
    return [...groups].map(([board, alerts]) => ({ board, alerts }));
  }

  /** Returns the seconds that an alert has been there for at this moment. */
  age(alert, now = Date.now()) {
    return Math.max(0, (now - this.ahead - Date.parse(alert.at)) / 1000);
  }

  /** Finds a board by its serial number, the name of its port, or the number of its table. */
  find(name) {
    const all = [...this.boards.values()];
    return this.boards.get(name) ?? all.find((board) => board.serial === name) ?? all.find((board) => board.table && String(board.table) === name);
  }
}

/** Makes what is kept of a board from what the daemon told. */
function remembered(board) {
  const game = board.game && { ...board.game, side: board.game.move?.side ?? sideOf(board.game.fen) };
  return { ...board, game, alerts: new Map(board.alerts.map((alert) => [alert.id, alert])), history: [] };
}

function show(board, move) {
  Object.assign(board.game, {
    ply: move.ply,
    side: move.side === "white" ? "black" : "white",
    last: { side: move.side, san: move.san, legal: move.legal, completed: move.completed },
    fen: move.fen,
  });
}

/** Lists the open alerts of a board, the most urgent first. */
export function openAlerts(board) {
  return [...board.alerts.values()].filter(isOpen).sort(byUrgency);
}

/** Lists the open alerts of a board but for those that only say how it has ended, when that is known. */
export function waiting(board) {
  return openAlerts(board).filter((alert) => !(board.game?.result && ENDINGS.has(alert.code)));
}

/** Tells whether a board waits for the arbiter: something to act on, or equipment that has failed. */
export function needsArbiter(board) {
  return waiting(board).some((alert) => alert.state === "open" && (urgencyOf(alert) > 0 || (EQUIPMENT.has(alert.code) && alert.code !== "clock-low-battery")));
}

/** Returns the side to move of a FEN. */
export const sideOf = (fen) => ((fen ?? "").split(" ")[1] === "b" ? "black" : "white");
