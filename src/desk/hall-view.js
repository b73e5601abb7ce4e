// The hall at a glance: open alerts, and one card or tile a table; on a wall as many as there are, on one screen.
//
// Cards are made once and then changed where they differ, at most once a frame, so that 300 of them stay smooth.

import { needsArbiter, urgencyOf, waiting } from "./alerts.js";
import { arbiter } from "./api.js";
import { Card, timeLeft } from "./card.js";
import { h, setAttribute, setText } from "./dom.js";
import { ageText, alertLine, choice, tableName } from "./parts.js";
import { STATES, Tile } from "./tile.js";
import { t } from "./words.js";

/** Milliseconds between two looks at the clocks. */
const TICK_MS = 250;

/** Milliseconds between two looks at the ages of alerts. */
const AGE_MS = 5000;

/** Milliseconds between two sortings: cards that jump about cannot be read. */
const SORT_MS = 1000;

/** Most tables that are shown as cards unless it is wished otherwise, by the width up to which this holds in letters' heights. */
const CARDS = [[50, 24], [75, 48], [Infinity, 120]];

/** Most tables on a wall that have clocks on their tiles. */
const WALL_CLOCKS = 100;

/** Width of a tile on a wall to its height, as near as the number of tables allows. */
const WALL_SHAPE = 1.2;

/** Alerts that a phone lists before the tables; the rest on demand. */
const FIRST_ALERTS = 4;

/** Width in letters' heights below which alerts stand above the tables; it grows with the text. */
const NARROW_REM = 50;

/** Says how many columns the tiles of a wall have; a style in the page is not allowed. */
const wallSheet = new CSSStyleSheet();

/** Returns the number of columns with the largest tiles on a screen of this size. */
function wallColumns(tables, width, height) {
  let best = [1, 0];
  for (let columns = 1; columns <= tables; columns += 1) {
    const size = Math.min(width / columns / WALL_SHAPE, height / Math.ceil(tables / columns));
    if (size > best[1]) best = [columns, size];
  }
  return best[0];
}

function order(hall, name) {
  const table = (board) => board.table ?? Number.MAX_SAFE_INTEGER;
  const byTable = (a, b) => (a.hall ?? "").localeCompare(b.hall ?? "", undefined, { numeric: true }) || table(a) - table(b) || a.board.localeCompare(b.board, undefined, { numeric: true });
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
  const text = [board.hall, board.table, board.table && tableName(board), board.serial, board.board, board.white, board.black].join(" ").toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** Shows the hall; returns what to do on changes and at the end. */
export function hallView(main, { hall, options, remember, settings }) {
  const wall = settings.size === "wall";
  const cards = new Map();
  const holder = h("div", { class: "hall" });
  const list = h("ul", { class: "cards", id: "tables" });
  const rail = h("ol", { class: "rail-list" });
  const moreAlerts = h("button", { type: "button", class: "more-alerts", "aria-expanded": "false", hidden: true });
  const count = h("p", { class: "count", role: "status" });
  const empty = h("p", { class: "empty", hidden: true });
  const search = h("input", { type: "search", id: "search", placeholder: t("search"), "aria-label": t("search"), value: options.query ?? "" });
  const mine = h("button", { type: "button", id: "mine", text: t("myTables"), hidden: true });
  const needs = h("button", { type: "button", id: "needs", "aria-pressed": String(Boolean(options.needs)) });
  const trouble = h("button", { type: "button", id: "trouble", "aria-pressed": String(options.sort === "time"), text: t("timeTrouble") });
  const layout = h("button", { type: "button", id: "as-tiles", text: t("asTiles") });
  const sort = choice([["table", t("byTable")], ["urgency", t("byUrgency")], ["time", t("byTime")], ["move", t("byMove")]], options.sort ?? "table", { "aria-label": t("sortBy"), id: "sort" });
  const legend = h("p", { class: "legend" }, Object.values(STATES).map(([sign, word]) => h("span", null, h("span", { "aria-hidden": "true", text: `${sign} ` }), t(word))));
  main.replaceChildren(
    h("h1", { class: "unseen", text: t("hall") }),
    holder);
  holder.append(
    h("section", { class: "rail", "aria-label": t("openAlerts") }, h("h2", { text: t("openAlerts") }), rail, moreAlerts),
    h("div", { class: "tools", role: "search" }, mine, needs, trouble, layout, h("label", { class: "inline" }, h("span", { text: t("sortBy") }), sort), search, h("a", { class: "button", id: "to-round", href: "#/round", text: t("beforeRound") }), count),
    h("section", { class: "tables", "aria-label": t("tables") }, h("h2", { class: "unseen", text: t("tables") }), empty, list, legend));

  const room = () => main.clientWidth / parseFloat(getComputedStyle(document.documentElement).fontSize);
  const isNarrow = () => room() < NARROW_REM;
  let narrow = isNarrow();

  /** What a table is shown as at present: `card`, `tile`, or `wall` for a tile with clocks. */
  const shape = () => {
    const tables = hall.boards.size;
    if (wall) return tables > WALL_CLOCKS ? "tile" : "wall";
    const width = room();
    return (options.tiles ?? tables > CARDS.find(([limit]) => width < limit)[1]) ? "tile" : "card";
  };

  const change = (changes) => {
    Object.assign(options, changes);
    remember();
    arrange();
  };
  /** Whether only own tables are shown: for whoever has some, until all are wished. */
  const onlyMine = () => !wall && hall.attention.isLimited(arbiter.session?.name) && options.mine !== false;
  mine.onclick = () => {
    change({ mine: !onlyMine() });
    railShown = "";
    arrangeRail();
  };
  needs.onclick = () => change({ needs: !options.needs });
  trouble.onclick = () => change({ sort: options.sort === "time" ? "table" : "time" });
  layout.onclick = () => change({ tiles: shape() !== "tile" });
  sort.onchange = () => change({ sort: sort.value });
  search.oninput = () => change({ query: search.value });
  moreAlerts.onclick = () => {
    options.allAlerts = !options.allAlerts;
    railShown = "";
    arrangeRail();
  };

  const dirty = new Set();
  let made = "";
  let frame = 0;
  let sorted = 0;
  let railShown = "";
  let aged = 0;

  function arrange() {
    sorted = performance.now();
    const wanted = shape();
    if (made !== wanted) {
      made = wanted;
      cards.clear();
      list.replaceChildren();
      setAttribute(list, "class", wanted === "card" ? "cards" : `floor${wall ? " on-wall" : ""}`);
      legend.hidden = wanted === "card";
    }
    setAttribute(needs, "aria-pressed", String(Boolean(options.needs)));
    setAttribute(trouble, "aria-pressed", String(options.sort === "time"));
    setAttribute(layout, "aria-pressed", String(wanted === "tile"));
    sort.value = options.sort ?? "table";
    mine.hidden = wall || !hall.attention.isLimited(arbiter.session?.name);
    setAttribute(mine, "aria-pressed", String(onlyMine()));
    const all = [...hall.boards.values()].filter((board) => !onlyMine() || hall.isMine(board) || waiting(board).some((alert) => hall.concerns(board, alert)));
    // A wall has nobody who could choose.
    const shown = wall ? all : all.filter((board) => (!options.needs || needsArbiter(board)) && (!options.query || matches(board, options.query)));
    shown.sort(order(hall, wall ? "table" : options.sort));
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
    setAttribute(holder, "data-narrow", narrow ? "" : null);
    fitWall();
  }

  /** Gives a wall the columns with which all tables fit on the screen. */
  function fitWall() {
    if (!wall) return;
    const columns = wallColumns(Math.max(1, list.children.length), list.clientWidth, list.clientHeight);
    wallSheet.replaceSync(`.on-wall { --columns: ${columns}; }`);
  }

  function arrangeRail() {
    aged = performance.now();
    const groups = hall.openByBoard().filter(({ board, alerts }) => !onlyMine() || alerts.some((alert) => hall.concerns(board, alert)));
    const total = groups.reduce((sum, { alerts }) => sum + alerts.length, 0);
    let left = narrow && !options.allAlerts ? FIRST_ALERTS : total;
    const listed = [];
    for (const { board, alerts } of groups) {
      if (left > 0) listed.push({ board, alerts: alerts.slice(0, left) });
      left -= alerts.length;
    }
    const line = (board, alert) => alertLine(board, alert, { age: hall.age(alert), going: hall.attention.goingText(alert.id) });
    const shown = narrow + total + listed.map(({ board, alerts }) => board.board + alerts.map((alert) => alert.id + alert.state + hall.attention.goingText(alert.id) + ageText(hall.age(alert))).join()).join();
    if (shown === railShown) return;
    railShown = shown;
    moreAlerts.hidden = !narrow || total <= FIRST_ALERTS;
    setAttribute(moreAlerts, "aria-expanded", String(Boolean(options.allAlerts)));
    setText(moreAlerts, options.allAlerts ? t("fewerAlerts") : t("more", { number: total - FIRST_ALERTS }));
    rail.replaceChildren(...(groups.length
      ? listed.map(({ board, alerts }) => h("li", null,
        h("a", { class: "where", href: `#/board/${encodeURIComponent(board.board)}`, text: tableName(board) }), alerts.map((alert) => line(board, alert))))
      : [h("li", { class: "empty", text: t("nothingOpen") })]));
  }

  function card(board) {
    let known = cards.get(board.board);
    if (!known) {
      known = made === "card" ? new Card(board) : new Tile(board, made === "wall");
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

  const sizes = new ResizeObserver(() => {
    if (wall) fitWall();
    if (narrow === isNarrow()) return;
    narrow = !narrow;
    arrange();
    arrangeRail();
  });
  if (wall) document.adoptedStyleSheets = [wallSheet];
  for (const element of [main, list, legend, search]) sizes.observe(element);
  arrange();
  arrangeRail();
  return {
    changed(board) {
      dirty.add(board);
      frame ||= requestAnimationFrame(paint);
    },
    attention() {
      arrange();
      arrangeRail();
    },
    reset() {
      made = "";
      railShown = "";
      arrange();
      arrangeRail();
    },
    end() {
      clearInterval(tick);
      cancelAnimationFrame(frame);
      sizes.disconnect();
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
