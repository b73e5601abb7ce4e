// The hall as it is known here: what the daemon sent at first, and the changes that it has sent since.

import { arbiter, read } from "./api.js";
import { byUrgency, isOpen, urgencyOf, waiting } from "./alerts.js";
import { Attention } from "./attention.js";

/** Everything that the hall view shows, kept up to date by events. */
export class Hall {
  boards = new Map();
  attention = new Attention();
  event = {};
  seq = 0;
  /** Milliseconds that this device's clock is ahead of the daemon's. */
  ahead = 0;
  /** Since when the daemon cannot be heard, in milliseconds of this device's clock; null while it can. */
  lostAt = null;

  /** Reads the whole hall anew. Returns the alerts of known boards, each with its board, that are new to this page. */
  async load() {
    const sent = Date.now();
    const [hall, attention] = await Promise.all([read("/api/hall"), read("/api/attention").catch(() => ({}))]);
    this.attention = new Attention(attention);
    if (hall.at) this.ahead = (sent + Date.now()) / 2 - Date.parse(hall.at);
    this.event = hall.event ?? {};
    this.seq = hall.seq;
    const known = this.boards;
    this.boards = new Map(hall.boards.map((board) => [board.board, { ...board, alerts: new Map(board.alerts.map((alert) => [alert.id, alert])) }]));
    return this.open().filter(({ board, alert }) => known.get(board.board)?.alerts.has(alert.id) === false);
  }

  /**
   * Takes in what has changed of a board. Returns the board, and the alerts that are new to this page; null if the hall has
   * to be read anew.
   */
  apply({ seq, board: name, whole, changed = {}, alerts = [], gone = [] }) {
    const board = this.boards.get(name);
    if (!board) return null;
    this.seq = Math.max(this.seq, seq);
    const fresh = alerts.filter((alert) => isOpen(alert) && !board.alerts.has(alert.id));
    if (changed.game && changed.game.number !== board.game?.number) {
      for (const [id, alert] of board.alerts) if (!isOpen(alert)) board.alerts.delete(id);
    }
    Object.assign(board, changed);
    if (whole) board.alerts = new Map();
    for (const id of gone) board.alerts.delete(id);
    for (const alert of alerts) board.alerts.set(alert.id, alert);
    return { board, fresh };
  }

  /** The instant that the page shows: clocks and ages stand while the daemon cannot be heard. */
  now() {
    return this.lostAt ?? Date.now();
  }

  /** Returns whether what a board's clock shows may be out of date. */
  isStale(board) {
    return !board.up || this.lostAt !== null;
  }

  /** Returns what both clocks show at this moment; null without a clock. */
  times(board, now = this.now()) {
    const { clock } = board;
    if (!clock || clock.connected === false || clock.white === undefined || clock.white === null) return null;
    const run = clock.running && clock.at && board.up ? Math.max(0, (now - this.ahead - Date.parse(clock.at)) / 1000) : 0;
    const left = (side) => Math.max(0, clock[side] - (clock.running === side ? run : 0));
    return { white: left("white"), black: left("black"), running: clock.running ?? null };
  }

  /** Returns whether this arbiter looks after a board; without own tables everybody looks after all. */
  isMine(board) {
    return this.attention.has(arbiter.session?.name, board);
  }

  /** Lists who is on the way to an alert, or there: whoever set out long ago counts only while the clock stands, as an arbiter stops it first. */
  attending(board, alert) {
    const { running, connected } = board.clock ?? {};
    const stands = board.up && board.clock && connected !== false && !running;
    return isOpen(alert) ? this.attention.going(alert.id).filter(({ at }) => stands || this.since(at) < this.attention.going_s) : [];
  }

  /** Returns whether somebody has to go to an alert, and nobody does; what an arbiter has noted as seen waits without that. */
  needsArbiter(board, alert) {
    return urgencyOf(alert) === 2 && alert.state === "open" && !this.attending(board, alert).length;
  }

  /** Returns whether nobody has gone to an urgent alert for so long that the chief has to know. */
  isEscalated(board, alert) {
    const { escalate_s: limit } = this.attention;
    return limit > 0 && this.needsArbiter(board, alert) && this.age(alert) >= limit;
  }

  /** Returns whether an alert is this arbiter's: at an own table, or for the chief if nobody goes to it. */
  concerns(board, alert) {
    return this.isMine(board) || (arbiter.isChief && this.isEscalated(board, alert));
  }

  /** Lists all alerts that somebody may have to deal with, the most urgent first. */
  open() {
    const all = [...this.boards.values()].flatMap((board) => waiting(this, board).map((alert) => ({ board, alert })));
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
    return this.since(alert.at, now);
  }

  /** Returns the seconds since an instant of the daemon's. */
  since(at, now = Date.now()) {
    return Math.max(0, (now - this.ahead - Date.parse(at)) / 1000);
  }

  /** Finds a board by its serial number, the name of its port, or the number of its table. */
  find(name) {
    const all = [...this.boards.values()];
    return this.boards.get(name) ?? all.find((board) => board.serial === name) ?? all.find((board) => board.table && String(board.table) === name);
  }
}

/** Returns the side to move of a FEN. */
export const sideOf = (fen) => ((fen ?? "").split(" ")[1] === "b" ? "black" : "white");
