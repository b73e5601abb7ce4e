// The hall at a glance: one card a table, clocks that count by themselves, alerts by urgency.
//
// Cards are made once and then changed where they differ, at most once a frame, so that 300 of them stay smooth.

import { clockText, h, setAttribute, setText } from "./dom.js";
import { needsArbiter, openAlerts, urgencyOf, waiting } from "./hall.js";
import { ageText, alertLine, choice, mutedText, playerName, tableName } from "./parts.js";
import { codeName, pieceName, sanText, sideName, t } from "./words.js";

/** Milliseconds between two looks at the clocks. */
const TICK_MS = 250;

/** Milliseconds between two looks at the ages of alerts. */
const AGE_MS = 5000;

/** Milliseconds between two sortings: cards that jump about cannot be read. */
const SORT_MS = 1000;

/** Seconds on the clock of the side to move that count as time trouble with an increment, and without. */
const TROUBLE_S = 120;
const TROUBLE_INCREMENT_S = 30;

const SIDES = ["white", "black"];

/** Returns the seconds left to whoever runs out first among those to move; Infinity for games that are over. */
function timeLeft(hall, board) {
  const times = hall.times(board);
  if (!times || !board.game || board.game.result) return Infinity;
  return times.running ? Math.min(times[times.running], times.white + 1e4, times.black + 1e4) : Math.min(times.white, times.black) + 1e5;
}

/** Tells whether a side is short of time. */
function isShort(hall, seconds) {
  return seconds < ((hall.event.time_control ?? "").includes("+") ? TROUBLE_INCREMENT_S : TROUBLE_S);
}

function order(hall, name) {
  const table = (board) => board.table ?? Number.MAX_SAFE_INTEGER;
  const byTable = (a, b) => table(a) - table(b) || a.board.localeCompare(b.board, undefined, { numeric: true });
  const worst = (board) => Math.max(-1, ...waiting(board).map((alert) => urgencyOf(alert) + (alert.state === "open" ? 0.5 : 0)));
  const orders = {
    table: byTable,
    urgency: (a, b) => worst(b) - worst(a) || byTable(a, b),
    time: (a, b) => timeLeft(hall, a) - timeLeft(hall, b) || byTable(a, b),
    move: (a, b) => (b.game?.ply ?? -1) - (a.game?.ply ?? -1) || byTable(a, b),
  };
  return orders[name] ?? byTable;
}

function matches(board, query) {
  const text = [board.table, board.table && tableName(board), board.serial, board.board, board.white, board.black].join(" ").toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** A table of the hall. */
class Card {
  constructor(board) {
    const player = (side) => {
      const parts = { turn: h("span", { class: "turn", "aria-hidden": "true" }), name: h("span", { class: "name" }), clock: h("span", { class: "clock" }), note: h("span", { class: "unseen" }) };
      parts.row = h("div", { class: `player ${side}` }, parts.turn, h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "unseen" }), parts.name, parts.clock, parts.note);
      parts.side = parts.row.children[2];
      return parts;
    };
    this.title = h("a", { class: "number" });
    this.move = h("span", { class: "last" });
    this.status = h("span", { class: "status" });
    this.alerts = h("div", { class: "card-alerts" });
    [this.white, this.black] = SIDES.map(player);
    this.element = h("li", { class: "card" },
      h("div", { class: "card-head" }, h("h3", null, this.title), this.move),
      this.black.row, this.white.row, this.status, this.alerts);
    this.board = board;
  }

  /** Shows what is known of the board. */
  update(hall, board) {
    this.board = board;
    const { game } = board;
    setText(this.title, board.table ? String(board.table) : board.serial ?? board.board);
    setAttribute(this.title, "aria-label", tableName(board));
    setAttribute(this.title, "href", `#/board/${encodeURIComponent(board.board)}`);
    setText(this.move, moveText(game));
    for (const side of SIDES) {
      setText(this[side].side, sideName(side));
      setText(this[side].name, playerName(board, side));
    }
    this.#status(hall, board);
    this.#alerts(board);
    this.tick(hall);
    const worst = Math.max(-1, ...waiting(board).map(urgencyOf));
    setAttribute(this.element, "data-urgency", worst < 0 ? null : String(worst));
    setAttribute(this.element, "data-over", game?.result ? "" : null);
    setAttribute(this.element, "data-down", board.up ? null : "");
  }

  /** Lets the clocks count. */
  tick(hall) {
    const times = hall.times(this.board);
    const over = Boolean(this.board.game?.result);
    if (this.board.muted_until) this.#status(hall, this.board);
    for (const side of SIDES) {
      const parts = this[side];
      const turn = !over && (times?.running ? times.running === side : this.board.game?.side === side);
      setText(parts.clock, times ? clockText(times[side]) : "–");
      setText(parts.turn, turn ? (times?.running ? "▶" : "▷") : "");
      setText(parts.note, turn ? t(times?.running ? "running" : "toMove") : "");
      setAttribute(parts.row, "data-turn", turn ? "" : null);
      setAttribute(parts.row, "data-short", times && !over && isShort(hall, times[side]) ? "" : null);
    }
  }

  #status(hall, board) {
    const notes = [];
    if (mutedText(hall, board)) notes.push(`🔇 ${mutedText(hall, board)}`);
    if (!board.up) notes.push(`⚠ ${t("linkDown")}`);
    if (board.clock?.connected === false) notes.push(`⚠ ${t("clockLost")}`);
    if (board.clock?.low_battery) notes.push(`▯ ${t("clockBattery")}`);
    if (typeof board.battery === "number" && board.battery <= 100) notes.push(t("battery", { percent: board.battery }));
    const air = (board.in_air ?? []).slice(0, 3);
    if (air.length && board.up) notes.push(t("inAir", { pieces: air.map(({ piece, square }) => `${pieceName(piece)} ${square}`).join(", ") }));
    setText(this.status, notes.join(" · "));
  }

  #alerts(board) {
    const open = openAlerts(board);
    const shown = open.slice(0, 2).map((alert) => `${alert.id} ${alert.state} ${codeName(alert.code)}`).join("|") + open.length;
    if (this.shown === shown) return;
    this.shown = shown;
    this.alerts.replaceChildren(...open.slice(0, 2).map((alert) => alertLine(board, alert, { withTable: false })),
      ...(open.length > 2 ? [h("span", { class: "more", text: t("more", { number: open.length - 2 }) })] : []));
  }
}

const resultText = (result) => result.replace("1/2-1/2", "½–½").replace("-", "–");

function moveText(game) {
  if (!game) return t("noGame");
  if (!game.last) return t("atStart");
  if (game.result) return resultText(game.result);
  return `${Math.ceil(game.ply / 2)}${game.last.side === "black" ? "…" : "."} ${sanText(game.last.san)}${game.last.legal === false ? " ✗" : ""}`;
}

/** Shows the hall; returns what to do on changes and at the end. */
export function hallView(main, { hall, options, remember }) {
  const cards = new Map();
  const list = h("ul", { class: "cards", id: "tables" });
  const rail = h("ol", { class: "rail-list" });
  const count = h("p", { class: "count", role: "status" });
  const empty = h("p", { class: "empty", hidden: true });
  const search = h("input", { type: "search", id: "search", placeholder: t("search"), "aria-label": t("search"), value: options.query ?? "" });
  const needs = h("button", { type: "button", id: "needs", "aria-pressed": String(Boolean(options.needs)) });
  const trouble = h("button", { type: "button", id: "trouble", "aria-pressed": String(options.sort === "time"), text: t("timeTrouble") });
  const sort = choice([["table", t("byTable")], ["urgency", t("byUrgency")], ["time", t("byTime")], ["move", t("byMove")]], options.sort ?? "table", { "aria-label": t("sortBy"), id: "sort" });
  main.replaceChildren(
    h("h1", { class: "unseen", text: t("hall") }),
    h("div", { class: "tools", role: "search" }, needs, trouble, h("label", { class: "inline" }, h("span", { text: t("sortBy") }), sort), search, count),
    h("div", { class: "split" },
      h("section", { class: "tables", "aria-label": t("tables") }, h("h2", { class: "unseen", text: t("tables") }), empty, list),
      h("section", { class: "rail", "aria-label": t("openAlerts") }, h("h2", { text: t("openAlerts") }), rail)));

  const change = (changes) => {
    Object.assign(options, changes);
    remember();
    setAttribute(needs, "aria-pressed", String(Boolean(options.needs)));
    setAttribute(trouble, "aria-pressed", String(options.sort === "time"));
    sort.value = options.sort ?? "table";
    arrange();
  };
  needs.onclick = () => change({ needs: !options.needs });
  trouble.onclick = () => change({ sort: options.sort === "time" ? "table" : "time" });
  sort.onchange = () => change({ sort: sort.value });
  search.oninput = () => change({ query: search.value });

  const dirty = new Set();
  let frame = 0;
  let sorted = 0;
  let railShown = "";
  let aged = 0;

  function arrange() {
    sorted = performance.now();
    const all = [...hall.boards.values()];
    const shown = all.filter((board) => (!options.needs || needsArbiter(board)) && (!options.query || matches(board, options.query)));
    shown.sort(order(hall, options.sort));
    const elements = shown.map((board) => card(board).element);
    // Only what has moved is moved, so that the focus stays where it is.
    elements.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    while (list.children.length > elements.length) list.lastChild.remove();
    setText(needs, `${t("needsMe")} (${all.filter(needsArbiter).length})`);
    setText(count, t("tablesShown", { shown: shown.length, all: all.length }));
    empty.hidden = shown.length > 0;
    setText(empty, all.length === 0 ? t("noTables") : t(options.needs && !options.query ? "nothingOpen" : "noMatch"));
  }

  function arrangeRail() {
    aged = performance.now();
    const groups = hall.openByBoard();
    const line = (board, alert) => alertLine(board, alert, { withTable: false, age: hall.age(alert) });
    const shown = groups.map(({ board, alerts }) => board.board + alerts.map((alert) => alert.id + alert.state + ageText(hall.age(alert))).join()).join();
    if (shown === railShown) return;
    railShown = shown;
    rail.replaceChildren(...(groups.length
      ? groups.map(({ board, alerts }) => h("li", null,
        h("a", { class: "where", href: `#/board/${encodeURIComponent(board.board)}`, text: tableName(board) }), alerts.map((alert) => line(board, alert))))
      : [h("li", { class: "empty", text: t("nothingOpen") })]));
  }

  function card(board) {
    let known = cards.get(board.board);
    if (!known) {
      known = new Card(board);
      cards.set(board.board, known);
      known.update(hall, board);
    }
    return known;
  }

  function paint() {
    frame = 0;
    for (const board of dirty) card(board).update(hall, board);
    dirty.clear();
    arrangeRail();
    if (performance.now() - sorted > SORT_MS) arrange();
  }

  const tick = setInterval(() => {
    if (document.hidden) return;
    for (const known of cards.values()) if (known.board.clock?.running) known.tick(hall);
    // What the arbiter is about to follow is not to be torn away by its age.
    if (!rail.contains(document.activeElement) && performance.now() - aged > AGE_MS) arrangeRail();
    if (performance.now() - sorted > SORT_MS && (options.sort === "time" || options.needs || options.sort === "urgency")) arrange();
  }, TICK_MS);

  arrange();
  arrangeRail();
  return {
    changed(board) {
      dirty.add(board);
      frame ||= requestAnimationFrame(paint);
    },
    reset() {
      cards.clear();
      list.replaceChildren();
      railShown = "";
      arrange();
      arrangeRail();
    },
    end() {
      clearInterval(tick);
      cancelAnimationFrame(frame);
    },
    key(key) {
      if (key === "/") search.focus();
      else if (key === "n") needs.click();
      else if (key === "t") trouble.click();
      else return false;
      return true;
    },
  };
}
