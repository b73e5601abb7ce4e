// A scripted DGT board with clock at the end of a TCP connection.

import { once } from "node:events";
import net from "node:net";

const CODES = " PRNBKQprnbkq";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

const RUNNING = 0x01;
const RIGHT_UP = 0x02;

/** Fields run from a8 in reading order. */
const fieldOf = (square) => (8 - Number(square[1])) * 8 + "abcdefgh".indexOf(square[0]);
const bcd = (number) => (Math.floor(number / 10) << 4) | (number % 10);
const time = (seconds) => [Math.floor(seconds / 3600), bcd(Math.floor(seconds / 60) % 60), bcd(seconds % 60)];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the letters of all fields of a position. */
function letters(placement) {
  return [...placement.split("/").join("")].flatMap((one) => (/\d/.test(one) ? Array(Number(one)).fill(" ") : [one]));
}

/**
 * One board. White sits at the clock's left. `heard`, where it is set, waits until the daemon has heard of all that was done here: what
 * is done next does not depend on how fast the daemon is.
 */
export class TableBoard {
  constructor(serial, seconds) {
    Object.assign(this, { serial, heard: null, fields: letters(START), clock: { white: seconds, black: seconds, running: null, lever: "white" }, sockets: new Set(), ticking: null });
  }

  static async open(serial, { seconds = 300 } = {}) {
    const board = new TableBoard(serial, seconds);
    board.server = net.createServer((socket) => board.#serve(socket)).listen(0, "127.0.0.1");
    await once(board.server, "listening");
    board.path = `tcp://127.0.0.1:${board.server.address().port}`;
    board.ticking = setInterval(() => board.#tick(), 1000);
    return board;
  }

  /** Dies: nothing is heard of it any more. */
  unplug() {
    this.heard = null;
    this.close();
  }

  close() {
    clearInterval(this.ticking);
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  /** The pieces as a FEN has them. */
  get pieces() {
    const row = (index) => this.fields.slice(8 * index, 8 * index + 8).join("").replace(/ +/g, (empty) => String(empty.length));
    return Array.from({ length: 8 }, (_, index) => row(index)).join("/");
  }

  /** Lifts the piece on a square. */
  async lift(square) {
    await this.put(square, " ");
  }

  /** Puts a piece on a square. */
  async put(square, piece) {
    this.fields[fieldOf(square)] = piece;
    this.#send(0x8e, [fieldOf(square), CODES.indexOf(piece)]);
    await this.#settle(250);
  }

  /** Moves a piece, and captures the one on the target square. */
  async move(from, to) {
    const piece = this.fields[fieldOf(from)];
    if (this.fields[fieldOf(to)] !== " ") await this.lift(to);
    await this.lift(from);
    await this.put(to, piece);
    await this.#settle(600);
  }

  /** A player presses the clock. */
  async press(side) {
    this.clock.lever = side === "white" ? "black" : "white";
    this.clock.running = this.clock.lever;
    this.#reportState();
    await this.#settle(700);
  }

  /** Moves and presses. */
  async play(side, from, to) {
    await this.move(from, to);
    await this.press(side);
  }

  async stopClock() {
    this.clock.running = null;
    this.#reportState();
    await this.#settle(300);
  }

  /** Starts the clock of a side. */
  async startClock(side) {
    Object.assign(this.clock, { running: side, lever: side });
    this.#reportState();
    await this.#settle(300);
  }

  async setClock(times) {
    Object.assign(this.clock, times);
    this.#reportState();
    await this.#settle(300);
  }

  /** Sets the whole board up at once. */
  async setUp(placement = START) {
    const wanted = letters(placement);
    for (let field = 0; field < 64; field += 1) {
      if (wanted[field] === this.fields[field]) continue;
      this.fields[field] = wanted[field];
      this.#send(0x8e, [field, CODES.indexOf(wanted[field])]);
    }
    await this.#settle(1500);
  }

  /** Sets up a game in which White has to move, and starts White's clock. */
  async newGame() {
    await this.stopClock();
    await this.setUp();
    await this.setClock({ white: 300, black: 300, lever: "white" });
    await this.startClock("white");
  }

  /** Waits as people do, and until the daemon has heard of it. */
  async #settle(ms) {
    await pause(ms);
    await this.heard?.();
  }

  #tick() {
    const { running } = this.clock;
    if (!running) return;
    this.clock[running] = Math.max(0, this.clock[running] - 1);
    this.#reportState();
  }

  #reportState() {
    const { white, black, running, lever } = this.clock;
    // The right side comes first; the lever of the side to move is up.
    this.#send(0x8d, [...time(black), ...time(white), (running ? RUNNING : 0) | (lever === "black" ? RIGHT_UP : 0)]);
  }

  #send(id, data) {
    const length = data.length + 3;
    for (const socket of this.sockets) socket.write(Buffer.from([id, length >> 7, length & 0x7f, ...data]));
  }

  #serve(socket) {
    this.sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("data", (bytes) => {
      for (const byte of bytes) {
        if (byte === 0x42) this.#send(0x86, this.fields.map((letter) => CODES.indexOf(letter)));
        else if (byte === 0x41) this.#reportState();
        else if (byte === 0x45) this.#send(0x91, [...Buffer.from(this.serial)]);
        else if (byte === 0x4d) this.#send(0x93, [1, 8]);
      }
    });
  }
}
