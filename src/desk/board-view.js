// One board: what stands on it, what was played, what is worth knowing about the game and the equipment.

import { byUrgency, isOpen } from "./alerts.js";
import { arbiter, read } from "./api.js";
import { diagram, differences, piecesOf } from "./board-svg.js";
import { isShort } from "./card.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { atHall, evidenceCard } from "./evidence.js";
import { sideOf } from "./hall.js";
import { icon } from "./icons.js";
import { facts, failure, playerName, tableName } from "./parts.js";
import { Tasks } from "./board-orders.js";
import { afterOrders, give, mutedNote, outcomeLine } from "./orders.js";
import { alertLine } from "./queue.js";
import { ReplayStrip, framesAt } from "./replay-strip.js";
import { reasonText } from "./refusals.js";
import { pieceName, sanText, scoreText, sideName, t, timeText } from "./words.js";

const TICK_MS = 250;
const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const BY = { mate: "byMate", arbiter: "byArbiter", kings: "byKings", sign: "bySign", flag: "byFlag", stalemate: "byStalemate" };

/** Milliseconds that changes are collected before the board is read anew. */
const COLLECT_MS = 300;

/** Says how a game ended. */
export const resultText = (game) => (game?.result ? `${scoreText(game.result)} ${BY[game.by] ? t(BY[game.by]) : game.by ?? ""}` : "");

/** Writes the number of a ply: `12.` or `12…`. */
export function plyNumber(board, index) {
  const [, turn, , , , number] = (board.game?.start ?? "").split(" ");
  const plies = index + (turn === "b" ? 1 : 0);
  return `${Number(number ?? 1) + Math.floor(plies / 2)}${plies % 2 ? "…" : "."}`;
}

/** The present position under the game's own rights to castle and turn. */
const positionOf = (board) => board.game?.moves?.at(-1)?.fen ?? board.game?.start ?? null;

/** The moves in pairs; the one that is chosen is shown on the board, and can be corrected in place. */
class Moves {
  constructor(choose, act) {
    this.list = h("ol", { class: "moves" });
    Object.assign(this, { choose, act });
    this.element = h("div", { class: "moves-holder", tabindex: 0, role: "region", "aria-label": t("moves") }, this.list);
  }

  update(board, chosen) {
    const moves = board.game?.moves ?? [];
    const shown = JSON.stringify([moves.map(({ san, completed, legal, clock, confidence, entered }) => [san, completed, legal, clock, confidence, entered]), chosen]);
    if (shown === this.shown) return;
    const first = this.shown === undefined;
    const { atEnd } = this;
    this.shown = shown;
    const blackBegins = board.game?.start?.split(" ")[1] === "b";
    const rows = [];
    moves.forEach((move, index) => {
      const white = (index % 2 === 0) !== blackBegins;
      if (white || !rows.length) rows.push({ number: plyNumber(board, index), cells: white ? [] : [h("span")], plies: [] });
      const row = rows.at(-1);
      row.plies.push(index + 1);
      row.cells.push(this.#ply(board, move, index, chosen, white ? "white" : "black"));
    });
    const focused = this.editing?.element.contains(document.activeElement) ? document.activeElement : null;
    this.list.replaceChildren(...rows.map(({ number, cells, plies }) => h("li", null, h("span", { class: "no", text: number.replace(/\D+$/, "") }), cells, plies.includes(chosen) && arbiter.mayOrder && this.#edit(board, chosen))));
    if (focused?.isConnected) focused.focus({ preventScroll: true });
    if (chosen === null) {
      this.editing = null;
      if (first || atEnd) this.toEnd();
    }
  }

  /** Whether the last moves are shown. */
  get atEnd() {
    return this.element.scrollTop + this.element.clientHeight >= this.element.scrollHeight - 40;
  }

  /** Shows the last moves. */
  toEnd() {
    this.element.scrollTop = this.element.scrollHeight;
  }

  #ply(board, move, index, chosen, side) {
    const marks = [!move.legal && `✗ ${t("illegal")}`, !move.completed && `… ${t("notCompleted")}`, move.confidence !== "certain" && `? ${t("unsure")}`].filter(Boolean);
    return h("button", { type: "button", class: `ply${move.legal ? "" : " illegal"}${move.entered ? " entered" : ""}`, "data-ply": index + 1, "data-last": index + 1 === board.game.moves.length, "aria-pressed": String(chosen === index + 1), onclick: () => this.choose(index + 1) },
      h("span", null, h("span", { class: "san", text: sanText(move.san) }), marks.length > 0 && h("span", { class: "marks", text: ` ${marks.join(" · ")}` })), h("span", { class: "spent", text: move.clock ? clockText(move.clock[side]) : "" }));
  }

  /** What can be done about a move: another one, one more before it, none. What is being typed stays while play goes on. */
  #edit(board, ply) {
    const move = board.game.moves[ply - 1];
    const of = `${board.game.number} ${ply} ${move.san}`;
    if (this.editing?.of !== of) this.editing = { of, element: this.#form(board, ply, move) };
    return this.editing.element;
  }

  #form(board, ply, move) {
    const line = outcomeLine();
    const input = h("input", { type: "text", value: sanText(move.san), "aria-label": t("editMove", { move: `${plyNumber(board, ply - 1)} ${sanText(move.san)}` }), autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
    const give_ = (body, name) => this.act({ order: "move", ply, ...body }, name, line);
    const keep = () => input.value.trim() && give_({ do: "replace", move: input.value.trim() }, t("editKept", { move: input.value.trim() }));
    const form = h("form", { class: "edit" }, input, h("button", { type: "submit", class: "primary", text: t("editKeep") }),
      h("button", { type: "button", text: t("editInsert"), onclick: () => input.value.trim() && give_({ do: "insert", move: input.value.trim() }, t("editInserted", { move: input.value.trim() })) }),
      h("button", { type: "button", class: "stop", text: t("editDelete"), onclick: () => give_({ do: "delete" }, t("editDeleted", { move: sanText(move.san) })) }), line);
    form.onsubmit = (submit) => {
      submit.preventDefault();
      keep();
    };
    input.onkeydown = (press) => {
      if (press.key === "Escape") this.choose(ply);
    };
    return form;
  }
}

function drawMonitor(board, notes) {
  const progress = board.progress ?? {};
  const times = progress.repetitions ?? board.repetition;
  const mate = (side) => {
    const answer = notes?.mate?.[side];
    return answer ? { possible: t("yes"), impossible: t("no"), unknown: t("unknown") }[answer] : "…";
  };
  return h("section", { class: "panel", id: "draws" }, h("h2", { text: t("drawMonitor") }), facts([
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
  return h("section", { class: "panel", id: "equipment" }, h("h2", { text: t("equipment") }), facts([
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
    parts = { white: player("white"), black: player("black"), figure: h("figure", { class: "live" }), caption: h("p", { class: "hint", role: "status" }), air: h("p", { class: "air" }), result: h("p", { class: "result" }), alerts: h("div", { class: "alert-list" }), waiting: h("section", { class: "alert-list", id: "waiting", "aria-label": t("openAlerts") }), info: h("div", { class: "stack" }), notes: h("footer") };
    parts.moves = new Moves((ply) => { view.chosen = view.chosen === ply ? null : ply; draw(); }, async (body, name, line) => {
      if (!(await give(view.board, body, name, line))) return;
      view.chosen = null;
      load();
    });
    parts.live = h("button", { type: "button", class: "primary", text: t("live"), onclick: () => { view.chosen = null; draw(); parts.moves.toEnd(); } });
    parts.evidence = h("div");
    const row = ({ side, turn, name: label, clock }) => h("div", { class: `player big ${side}` }, turn, h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "unseen", text: sideName(side) }), label, clock);
    const flip = h("button", { type: "button", text: t("flip"), onclick: () => { options.flip = !options.flip; remember(); draw(); } });
    const evidence = h("details", { class: "panel", id: "evidence" }, h("summary", { text: t("evidence") }), parts.evidence);
    evidence.addEventListener("toggle", () => { if (evidence.open) showEvidence(); });
    parts.evidencePanel = evidence;
    parts.tasks = new Tasks(hall, board, turnNow);
    parts.top = h("div", { class: "player-top" });
    main.replaceChildren(h("article", { class: "board-page" },
      h("div", { class: "table-head" }, neighbour(-1), h("h1", null, tableName(board), board.table && board.serial && h("small", { class: "unseen", text: ` ${board.serial}` })), neighbour(1),
        (parts.state = h("span", { class: "dim" })), h("span", { class: "push dim small", text: [board.serial && t("board", { serial: board.serial }), board.version].filter(Boolean).join(" · ") }), flip),
      parts.waiting,
      (parts.muted = mutedNote(hall, board)).element,
      h("section", { class: "position", "aria-label": t("position") }, (parts.rows = { black: row(parts.black), white: row(parts.white) }).black, parts.figure, parts.rows.white, parts.result, parts.air, parts.caption, h("div", { class: "buttons" }, parts.live)),
      h("section", { class: "panel flush moves-panel" }, h("h2", null, t("moves"), arbiter.mayOrder && h("span", { class: "push", text: t("editHint") })), parts.moves.element, parts.notes,
        h("footer", null, h("a", { class: "button", href: `#/sheet/${encodeURIComponent(board.board)}`, text: t("print") }),
          (parts.pgn = h("button", { type: "button", text: t("pgn"), onclick: () => downloadPgn(view.board) })))),
      h("div", { class: "column" }, parts.tasks.element, parts.info,
        h("section", { class: "panel" }, h("h2", { text: t("allAlerts") }), parts.alerts)),
      evidence));
  }

  /** A link to the table before or after this one; nothing where there is none. */
  function neighbour(step) {
    const all = [...hall.boards.values()].filter((one) => one.table).sort((a, b) => (a.hall ?? "").localeCompare(b.hall ?? "") || a.table - b.table);
    const other = all[all.findIndex((one) => one.board === (hall.find(name)?.board ?? name)) + step];
    if (!other || !all.some((one) => one.board === (hall.find(name)?.board ?? name))) return null;
    const label = t(step < 0 ? "previousTable" : "nextTable", { number: other.table });
    return h("a", { class: "button", href: `#/board/${encodeURIComponent(other.board)}`, "aria-label": label, id: step < 0 ? "previous" : "next" }, step < 0 ? [icon("prev"), String(other.table)] : [String(other.table), icon("next")]);
  }

  /** Whose time runs, or who is to move: until the clock is pressed, the move is still that player's. */
  function turnNow() {
    const live = hall.find(name) ?? view.board;
    return hall.times(live)?.running ?? live.game?.move?.side ?? sideOf(positionOf(view.board));
  }

  function showEvidence() {
    const { board, chosen } = view;
    const moves = board.game?.moves ?? [];
    const move = moves[(chosen ?? moves.length) - 1];
    parts.strip?.pause();
    if (board.hall) return parts.evidence.replaceChildren(atHall(board, `#/board/${encodeURIComponent(board.board)}`));
    if (!move) return parts.evidence.replaceChildren(h("p", { class: "hint", text: t("noEvents") }));
    const panel = h("section", { id: "replay" }, h("h3", { text: t("replay") }), h("p", { text: t("loading") }));
    parts.evidence.replaceChildren(panel);
    const ply = chosen ?? moves.length;
    return framesAt(board, move.at, ply).then(({ frames, moment }) => {
      if (ended || !panel.isConnected) return;
      parts.strip = new ReplayStrip(frames, moment);
      panel.lastChild.replaceWith(parts.strip.element);
      parts.evidence.append(evidenceCard(hall, board, moment, null, frames.flatMap(({ events }) => events)));
    }).catch((error) => panel.lastChild.replaceWith(h("p", { class: "hint", text: t("replayMissing", { reason: reasonText(error.message) }) })));
  }

  function draw() {
    const { board, chosen } = view;
    const { game } = board;
    const shownMove = chosen === null ? null : game?.moves?.[chosen - 1];
    const expected = shownMove?.fen ?? positionOf(board);
    // Once a game is over, its pieces are set up again: its last move is not on the board any more.
    const isGone = !shownMove && Boolean(game?.result) && Boolean(expected) && differences(expected, board.pieces).length > 0;
    const last = (isGone ? "" : (shownMove ?? game?.moves?.at(-1))?.uci) ?? "";
    const { atEnd } = parts.moves;
    // A piece that is being moved is nothing to look at; it stays pale on its square.
    const held = new Set((board.in_air ?? []).map(({ square }) => square));
    const marks = !shownMove && expected && !game?.result ? differences(expected, board.pieces).filter((square) => !held.has(square)) : [];
    const key = JSON.stringify([expected, shownMove ? null : board.pieces, options.flip, marks, last]);
    if (key !== view.drawn) {
      view.drawn = key;
      parts.figure.replaceChildren(diagram(shownMove ? shownMove.fen : board.pieces, { marks, last, ghosts: shownMove ? new Map() : piecesOf(game?.result ? "" : expected), flip: options.flip, label: t("position") }));
      // Beside the diagram, players sit where the diagram has them.
      const [top, bottom] = options.flip ? ["white", "black"] : ["black", "white"];
      parts.figure.before(parts.rows[top]);
      parts.figure.after(parts.rows[bottom]);
    }
    setText(parts.caption, shownMove ? t("atThis", { move: `${plyNumber(board, chosen - 1)} ${sanText(shownMove.san)}` }) : marks.length ? t("sensedDiffers", { squares: marks.join(", ") }) : t("sensed"));
    setText(parts.result, resultText(game));
    const air = board.in_air ?? [];
    setText(parts.air, air.length ? t("inAirNow", { pieces: air.map(({ piece, square }) => `${pieceName(piece)} ${square}`).join(", ") }) : "");
    parts.moves.update(board, chosen);
    parts.muted.update(board);
    parts.tasks.update(board);
    setText(parts.state, game && !game.result ? [t("move", { number: Math.floor((game.moves?.length ?? 0) / 2) + 1 }), t("turnIs", { side: sideName(turnNow()) })].join(" · ") : "");
    parts.live.hidden = chosen === null;
    parts.pgn.hidden = !board.pgn;
    const all = Object.entries(board.alerts ?? {}).map(([id, alert]) => ({ id, ...alert })).sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || byUrgency(a, b));
    parts.alerts.replaceChildren(...(all.length ? all.map((alert) => alertLine(hall, board, alert, { withTable: false })) : [h("p", { class: "empty", text: t("repNone") })]));
    // A claim that was wrong is decided, and what the opponent gets is still to be done.
    const claims = all.filter((alert) => alert.facts?.claim === "incorrect" && alert.ply === (game?.moves?.length ?? 0));
    const open = all.filter(isOpen);
    const shownOpen = JSON.stringify([open, claims].map((list) => list.map((alert) => [alert.id, alert.state, alert.progress, hall.attention.going(alert.id), hall.attending(board, alert).length])));
    if (shownOpen !== view.open) {
      view.open = shownOpen;
      parts.waiting.hidden = !open.length && !claims.length;
      parts.waiting.replaceChildren(...claims.map((alert) => h("a", { class: "banner claim", "data-s": "look", href: `#/alert/${encodeURIComponent(alert.id)}` }, h("b", { text: alert.parts?.happened ?? alert.text }), alert.parts?.do ?? "")),
        ...open.map((alert) => alertLine(hall, board, alert, { withTable: false })));
    }
    drawNotes(board);
    // Nobody mates or claims any more once there is a result.
    parts.info.replaceChildren(...[game?.result ? null : drawMonitor(board, view.notes), equipment(board)].filter(Boolean));
    if (atEnd && chosen === null) parts.moves.toEnd();
    for (const side of ["white", "black"]) setText(parts[side].name, playerName(board, side));
    tick();
  }

  /** How near a draw is, below the moves. */
  function drawNotes(board) {
    const times = board.progress?.repetitions ?? board.repetition;
    const left = board.progress?.moves_to_50;
    parts.notes.replaceChildren(...(board.game ? [
      h("span", null, `${t("position")} `, h("b", { text: times > 1 ? t("times", { number: times }) : t("once") })),
      left !== undefined && left !== null ? h("span", null, `${t("fiftyShort")} `, h("b", { text: t("toGo", { number: left }) })) : ""] : []));
  }

  function tick() {
    if (!parts) return;
    const live = hall.find(name) ?? view.board;
    const times = hall.times(live);
    for (const side of ["white", "black"]) {
      const turn = !live.game?.result && (times?.running ? times.running === side : live.game?.move?.side === side);
      setText(parts[side].clock, times ? clockText(times[side]) : "–");
      setText(parts[side].turn, turn ? (times?.running ? "▶" : "▷") : "");
      const row = parts[side].clock.parentElement;
      setAttribute(row, "data-turn", turn && times?.running ? "" : null);
      setAttribute(row, "data-short", times && !live.game?.result && times.running && isShort(hall, times[side]) ? "" : null);
      setAttribute(row, "data-stale", times && hall.isStale(live) ? "" : null);
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
    connected: tick,
    key(key) {
      if (key === "Escape" && view.chosen !== null) {
        view.chosen = null;
        draw();
        return true;
      }
      const link = { ArrowLeft: "#previous", ArrowRight: "#next" }[key];
      const found = link && main.querySelector(link);
      found?.click();
      return Boolean(found);
    },
    end() {
      ended = true;
      afterOrders();
      parts?.strip?.pause();
      clearInterval(ticking);
      clearTimeout(again);
    },
  };
}
