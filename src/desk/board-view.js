// One board: what stands on it, what was played, what is worth knowing about the game and the equipment.

import { byUrgency, isOpen } from "./alerts.js";
import { read } from "./api.js";
import { diagram, differences, piecesOf } from "./board-svg.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { atHall, evidenceCard } from "./evidence.js";
import { sideOf } from "./hall.js";
import { alertLine, facts, failure, playerName, tableName } from "./parts.js";
import { OftenOrders, moreOrders } from "./board-orders.js";
import { mutedNote } from "./orders.js";
import { ReplayStrip, framesAt } from "./replay-strip.js";
import { reasonText } from "./refusal-words.js";
import { pieceName, sanText, sideName, t, timeText } from "./words.js";

const TICK_MS = 250;
const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const BY = { mate: "byMate", arbiter: "byArbiter", kings: "byKings", sign: "bySign", flag: "byFlag", stalemate: "byStalemate" };

/** Milliseconds that changes are collected before the board is read anew. */
const COLLECT_MS = 300;

/** Says how a game ended. */
export const resultText = (game) => (game?.result ? `${game.result.replace("1/2-1/2", "½–½")} ${BY[game.by] ? t(BY[game.by]) : game.by ?? ""}` : "");

/** Writes the number of a ply: `12.` or `12…`. */
export function plyNumber(board, index) {
  const [, turn, , , , number] = (board.game?.start ?? "").split(" ");
  const plies = index + (turn === "b" ? 1 : 0);
  return `${Number(number ?? 1) + Math.floor(plies / 2)}${plies % 2 ? "…" : "."}`;
}

/** The present position under the game's own rights to castle and turn. */
const positionOf = (board) => board.game?.moves?.at(-1)?.fen ?? board.game?.start ?? null;

class Moves {
  constructor(board, choose) {
    this.list = h("ol", { class: "moves" });
    this.choose = choose;
    this.element = h("div", { class: "scroll moves-holder", tabindex: 0, role: "region", "aria-label": t("moves") }, this.list);
    this.update(board, null);
  }

  update(board, chosen) {
    const moves = board.game?.moves ?? [];
    const shown = JSON.stringify([moves.map(({ san, completed, legal, clock, confidence }) => [san, completed, legal, clock, confidence]), chosen]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...moves.map((move, index) => {
      const marks = [!move.legal && `✗ ${t("illegal")}`, !move.completed && `… ${t("notCompleted")}`, move.confidence !== "certain" && `? ${t("unsure")}`].filter(Boolean);
      const side = (board.game.start.split(" ")[1] === "b") === (index % 2 === 0) ? "black" : "white";
      const button = h("button", { type: "button", "aria-pressed": String(chosen === index + 1), onclick: () => this.choose(index + 1) },
        h("span", { class: "no", text: plyNumber(board, index) }), h("span", { class: "san", text: sanText(move.san) }),
        h("span", { class: "spent", text: move.clock ? clockText(move.clock[side]) : "" }), marks.length > 0 && h("span", { class: "marks", text: marks.join(" · ") }));
      return h("li", { class: move.legal ? null : "illegal" }, button);
    }));
    if (chosen === null) this.element.scrollTop = this.element.scrollHeight;
  }
}

function drawMonitor(board, notes) {
  const progress = board.progress ?? {};
  const times = progress.repetitions ?? board.repetition;
  const mate = (side) => {
    const answer = notes?.mate?.[side];
    return answer ? { possible: t("yes"), impossible: t("no"), unknown: t("unknown") }[answer] : "…";
  };
  return h("section", { class: "panel" }, h("h2", { text: t("drawMonitor") }), facts([
    [t("repetition"), times === undefined ? null : times === 1 ? t("once") : t("times", { number: times })],
    [t("toFifty"), progress.moves_to_50], [t("toSeventyfive"), progress.moves_to_75],
    [t("mateOf", { side: t("white") }), mate("white")], [t("mateOf", { side: t("black") }), mate("black")],
  ]));
}

function setUpNote(board) {
  const pieces = piecesOf(board.pieces).size;
  if (!board.game) return t("setUpEmpty", { number: pieces });
  if (board.game.adopted) return t("setUpAdopted", { time: timeText(board.game.began) });
  return board.game.start.startsWith(INITIAL) ? t("setUpRight") : t("setUpOdd");
}

function equipment(board) {
  const clock = board.clock ? (board.clock.connected === false ? t("clockLost") : board.clock.low_battery ? t("clockBattery") : t("up")) : t("noClock");
  return h("section", { class: "panel" }, h("h2", { text: t("equipment") }), facts([
    [t("link"), board.up ? t("up") : `⚠ ${t("down")}`], [t("clocks"), clock], [t("port"), board.port],
    [t("serial"), [board.serial, board.long_serial].filter(Boolean).join(" · ")], [t("firmware"), board.version],
    [t("orientation"), t(board.rotated ? "turned" : "asPrinted")], [t("setUp"), setUpNote(board)],
    [t("battery", { percent: "" }).replace("%", "").trim(), typeof board.battery === "number" ? `${board.battery} %` : null],
  ]));
}

function downloadPgn(board) {
  const link = h("a", { href: URL.createObjectURL(new Blob([board.pgn], { type: "application/x-chess-pgn" })), download: `${board.serial ?? board.board}-${board.game.number}.pgn` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Shows a board; returns what to do on changes and at the end. */
export function boardView(main, { hall, name, options, remember }) {
  main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
  const view = { board: null, notes: null, notesOf: null, chosen: null, drawn: "" };
  let ended = false;
  let again = 0;
  let parts = null;

  async function load() {
    try {
      const board = await read(`/api/boards/${encodeURIComponent(name)}`);
      if (ended) return;
      view.board = board;
      if (!parts) build(board);
      draw();
      const fen = positionOf(board);
      if (fen && fen !== view.notesOf) {
        view.notesOf = fen;
        read(`/api/boards/${encodeURIComponent(name)}/position`).then((notes) => { view.notes = notes; if (!ended) draw(); }, () => { view.notes = null; });
      }
    } catch (error) {
      if (!ended && !parts) main.replaceChildren(error.status === 404 ? h("p", { class: "empty", text: t("noSuchBoard") }) : failure(error));
    }
  }

  function build(board) {
    const player = (side) => ({ name: h("span", { class: "name" }), clock: h("span", { class: "clock" }), turn: h("span", { class: "turn" }), side });
    parts = { white: player("white"), black: player("black"), figure: h("figure", { class: "live" }), caption: h("p", { class: "hint", role: "status" }), air: h("p", { class: "air" }), result: h("p", { class: "result" }), alerts: h("div", { class: "alert-list" }), waiting: h("section", { class: "alert-list", id: "waiting", "aria-label": t("openAlerts") }), info: h("div", { class: "column" }) };
    parts.moves = new Moves(board, (ply) => { view.chosen = view.chosen === ply ? null : ply; draw(); });
    parts.live = h("button", { type: "button", text: t("live"), onclick: () => { view.chosen = null; draw(); } });
    parts.evidence = h("div");
    const row = ({ side, turn, name: label, clock }) => h("div", { class: `player big ${side}` }, turn, h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "unseen", text: sideName(side) }), label, clock);
    const flip = h("button", { type: "button", text: t("flip"), onclick: () => { options.flip = !options.flip; remember(); draw(); } });
    const orders = h("details", { class: "panel", id: "orders" }, h("summary", { text: t("moreOrders") }));
    orders.addEventListener("toggle", fillOrders);
    parts.orders = orders;
    const evidence = h("details", { class: "panel", id: "evidence" }, h("summary", { text: t("evidence") }), parts.evidence);
    evidence.addEventListener("toggle", () => { if (evidence.open) showEvidence(); });
    parts.evidencePanel = evidence;
    main.replaceChildren(h("article", { class: "board-page" },
      h("h1", null, tableName(board), board.table && board.serial && h("small", { text: ` ${board.serial}` })),
      (parts.often = new OftenOrders(board, turnNow)).element,
      parts.waiting,
      (parts.muted = mutedNote(hall, board)).element,
      h("div", { class: "board-grid" },
        h("section", { class: "panel position", "aria-label": t("position") }, row(parts.black), parts.figure, row(parts.white), parts.result, parts.air, parts.caption, h("div", { class: "buttons" }, parts.live, flip)),
        h("section", { class: "panel moves-panel" }, h("h2", { text: t("moves") }), parts.moves.element,
          h("div", { class: "buttons" }, h("a", { class: "button", href: `#/sheet/${encodeURIComponent(board.board)}`, text: t("print") }),
            (parts.pgn = h("button", { type: "button", text: t("pgn"), onclick: () => downloadPgn(view.board) })))),
        parts.info),
      h("section", { class: "panel" }, h("h2", { text: t("allAlerts") }), parts.alerts),
      evidence, orders));
  }

  /** Whose time runs, or who is to move: until the clock is pressed, the move is still that player's. */
  function turnNow() {
    const live = hall.find(name) ?? view.board;
    return hall.times(live)?.running ?? live.game?.move?.side ?? sideOf(positionOf(view.board));
  }

  /** Makes the orders, anew for each game: an order names the game that it is for. */
  function fillOrders() {
    const of = view.board.game?.number ?? 0;
    if (!parts.orders.open || parts.ordersOf === of) return;
    parts.ordersOf = of;
    parts.orders.querySelector(".orders")?.remove();
    parts.orders.append(moreOrders(view.board, view.board.game?.moves ?? [], turnNow()));
  }

  function showEvidence() {
    const { board, chosen } = view;
    const moves = board.game?.moves ?? [];
    const move = moves[(chosen ?? moves.length) - 1];
    parts.strip?.pause();
    if (board.hall) return parts.evidence.replaceChildren(atHall(board, `#/board/${encodeURIComponent(board.board)}`));
    if (!move) return parts.evidence.replaceChildren(h("p", { class: "hint", text: t("noEvents") }));
    const film = h("section", { id: "replay" }, h("h3", { text: t("replay") }), h("p", { text: t("loading") }));
    parts.evidence.replaceChildren(film);
    const ply = chosen ?? moves.length;
    return framesAt(board, move.at, ply).then(({ frames, moment }) => {
      if (ended || !film.isConnected) return;
      parts.strip = new ReplayStrip(frames, moment);
      film.lastChild.replaceWith(parts.strip.element);
      parts.evidence.append(evidenceCard(hall, board, moment, null, frames.flatMap(({ events }) => events)));
    }).catch((error) => film.lastChild.replaceWith(h("p", { class: "hint", text: t("replayMissing", { reason: reasonText(error.message) }) })));
  }

  function draw() {
    const { board, chosen } = view;
    const { game } = board;
    const shownMove = chosen === null ? null : game?.moves?.[chosen - 1];
    const expected = shownMove?.fen ?? positionOf(board);
    const marks = !shownMove && expected && !game?.result ? differences(expected, board.pieces) : [];
    const key = JSON.stringify([expected, shownMove ? null : board.pieces, options.flip, marks]);
    if (key !== view.drawn) {
      view.drawn = key;
      parts.figure.replaceChildren(diagram(shownMove ? shownMove.fen : board.pieces, { marks, ghosts: shownMove ? new Map() : piecesOf(game?.result ? "" : expected), flip: options.flip, label: t("position") }));
    }
    setText(parts.caption, shownMove ? t("atThis", { move: `${plyNumber(board, chosen - 1)} ${sanText(shownMove.san)}` }) : marks.length ? t("sensedDiffers", { squares: marks.join(", ") }) : t("sensed"));
    setText(parts.result, resultText(game));
    const air = board.in_air ?? [];
    setText(parts.air, air.length ? t("inAir", { pieces: air.map(({ piece, square }) => `${pieceName(piece)} ${square}`).join(", ") }) : "");
    parts.moves.update(board, chosen);
    parts.muted.update(board);
    parts.often.update(board);
    fillOrders();
    parts.live.hidden = chosen === null;
    parts.pgn.hidden = !board.pgn;
    const all = Object.entries(board.alerts ?? {}).map(([id, alert]) => ({ id, ...alert })).sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || byUrgency(a, b));
    parts.alerts.replaceChildren(...(all.length ? all.map((alert) => alertLine(board, alert, { withTable: false })) : [h("p", { class: "empty", text: t("nothingOpen") })]));
    const open = all.filter(isOpen);
    const shownOpen = open.map(({ id, state }) => id + state).join();
    if (shownOpen !== view.open) {
      view.open = shownOpen;
      parts.waiting.hidden = !open.length;
      parts.waiting.replaceChildren(...open.map((alert) => alertLine(board, alert, { withTable: false })));
    }
    parts.info.replaceChildren(drawMonitor(board, view.notes), equipment(board));
    for (const side of ["white", "black"]) setText(parts[side].name, playerName(board, side));
    tick();
  }

  function tick() {
    if (!parts) return;
    const live = hall.find(name) ?? view.board;
    const times = hall.times(live);
    for (const side of ["white", "black"]) {
      const turn = !live.game?.result && (times?.running ? times.running === side : live.game?.move?.side === side);
      setText(parts[side].clock, times ? clockText(times[side]) : "–");
      setText(parts[side].turn, turn ? "▶" : "");
      setAttribute(parts[side].clock.parentElement, "data-turn", turn ? "" : null);
    }
  }

  const ticking = setInterval(tick, TICK_MS);
  load();
  return {
    changed(board, event) {
      if (board.board !== (view.board?.board ?? name)) return;
      if (event === "clock") return;
      // One reading for everything that happens in a moment, but none is put off for ever.
      again ||= setTimeout(() => { again = 0; load(); }, COLLECT_MS);
    },
    reset: load,
    end() {
      ended = true;
      parts?.strip?.pause();
      clearInterval(ticking);
      clearTimeout(again);
    },
  };
}
