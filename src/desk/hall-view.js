// The hall at a glance: open alerts, and one card or tile a table; on a wall as many as there are, on one screen.
//
// Cards are made once and then changed where they differ, at most once a frame, so that 300 of them stay smooth.

import { needing, toneOf, urgencyOf, waiting } from "./alerts.js";
import { arbiter, read } from "./api.js";
import { Card, hasBegun, hasShort, timeLeft } from "./card.js";
import { Decided } from "./decided.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { icon, setIcon } from "./icons.js";
import { tableName } from "./parts.js";
import { QueueItem } from "./queue.js";
import { Tile, legend } from "./tile.js";
import { lowLimit } from "./time-control.js";
import { t, timeText } from "./words.js";

/** Milliseconds between two looks at the clocks. */
const TICK_MS = 250;

/** Milliseconds between two sortings, and looks at the ages of alerts: cards that jump about cannot be read. */
const SORT_MS = 1000;

/** Most tables that are shown as cards unless it is wished otherwise, by the width up to which this holds in letters' heights. */
const CARDS = [[50, 24], [75, 48], [Infinity, 120]];

/** Most tables on a wall that have clocks on their tiles. */
const WALL_CLOCKS = 100;

/** Width of a tile on a wall to its height, as near as the number of tables allows. */
const WALL_SHAPE = 1.05;

/** Alerts that a phone lists before the tables; the rest on demand. */
const FIRST_ALERTS = 3;

/** Milliseconds between two looks of a wall at which round it is. */
const ROUND_MS = 60_000;

/** Width in letters' heights below which alerts stand above the tables; it grows with the text. */
const NARROW_REM = 68.75;

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

/** Orders boards by hall and table: a table keeps its place. */
function byTable(a, b) {
  const table = (board) => board.table ?? Number.MAX_SAFE_INTEGER;
  return (a.hall ?? "").localeCompare(b.hall ?? "", undefined, { numeric: true }) || table(a) - table(b) || a.board.localeCompare(b.board, undefined, { numeric: true });
}

/** The line of state, which filters as well: the id, the sign, the words, and which boards. */
const FILTERS = [
  ["all", null, "segTables", () => true],
  ["needs", "act", "segNeeds", (hall, board) => needing(hall, board).length > 0],
  ["trouble", "low", "segShort", hasShort],
  ["playing", "play", "segPlaying", (hall, board) => hasBegun(board) && !board.game.result],
  ["over", "over", "segOver", (hall, board) => Boolean(board.game?.result)],
  ["unstarted", "none", "segNone", (hall, board) => !board.game?.result && !hasBegun(board)],
];

function matches(board, query) {
  const text = [board.hall, board.table, board.table && tableName(board), board.serial, board.board, board.white, board.black].join(" ").toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** What stands above the tables of a wall: the event, how the round stands, where an arbiter is needed, the time. */
class WallHead {
  constructor(hall) {
    Object.assign(this, { hall, due: 0 });
    this.round = h("span");
    this.counts = h("span");
    this.urgent = h("b", { class: "c-act" });
    this.soon = h("span", { class: "c-look" });
    this.time = h("time");
    this.element = h("header", { class: "wall-head" }, h("b", { text: hall.event.name || "jadoube" }), this.round, this.counts, this.urgent, this.soon, this.time);
    this.update();
  }

  /** Says which round is played; a desk of many halls knows of none. */
  #look() {
    if (performance.now() < this.due) return;
    this.due = performance.now() + ROUND_MS;
    read("/api/rounds").then((rounds) => {
      const { round } = rounds.find(({ current }) => current) ?? {};
      setText(this.round, round ? t("roundOf", { round }) : "");
    }, () => {});
  }

  update() {
    this.#look();
    const all = [...this.hall.boards.values()];
    const number = (name) => all.filter((board) => FILTERS.find(([id]) => id === name)[3](this.hall, board)).length;
    setText(this.counts, `${number("playing")} ${t("segPlaying")} · ${number("over")} ${t("segOver")}`);
    const tables = (has) => all.filter((board) => waiting(this.hall, board).some((alert) => has(board, alert))).sort(byTable).map((board) => board.table ?? board.serial);
    const [urgent, soon] = [tables((board, alert) => this.hall.needsArbiter(board, alert)), tables((board, alert) => toneOf(alert) === "look")];
    const [urgentText, soonText] = [urgent.join(", "), soon.join(", ")];
    setText(this.urgent, urgentText && `▲ ${urgent.length > 1 ? t("wallTables", { tables: urgentText }) : t("table", { number: urgentText })}`);
    setText(this.soon, soonText && `◆ ${soonText}`);
    setText(this.time, timeText(this.hall.now() - this.hall.ahead).slice(0, 5));
  }
}

/** Shows the hall; returns what to do on changes and at the end. */
export function hallView(main, { hall, options, remember, settings }) {
  const wall = settings.size === "wall";
  const cards = new Map();
  // What is searched and filtered for is of this moment: a page that is loaded anew shows all.
  const chosen = { filter: "all", query: "", allAlerts: false };
  const holder = h("div", { class: "hall" });
  const list = h("ul", { class: "cards", id: "tables" });
  const rail = h("ol", { class: "rail-list" });
  const railCount = h("span", { class: "push" });
  const moreAlerts = h("button", { type: "button", class: "more-alerts plain", "aria-expanded": "false", hidden: true });
  const empty = h("p", { class: "empty", hidden: true });
  const search = h("input", { type: "search", id: "search", placeholder: `${t("findTable")}  /`, "aria-label": t("search") });
  const mine = h("button", { type: "button", id: "mine", text: t("myTables"), hidden: true });
  const limit = clockText(lowLimit(hall));
  const filters = FILTERS.map(([id, sign, word, has]) => {
    const number = h("b");
    const mark = sign && h("span");
    if (sign) setIcon(mark, sign);
    const button = h("button", { type: "button", id, onclick: () => filterBy(chosen.filter === id ? "all" : id) }, mark, number, ` ${t(word, { limit })}`);
    return { id, has, number, button, sign: mark };
  });
  const views = ["list", "boards", "tiles"].map((name) => h("button", { type: "button", id: `as-${name}`, text: t({ list: "viewList", boards: "viewBoards", tiles: "viewTiles" }[name]), onclick: () => change({ layout: name }) }));
  const signs = legend();
  const head = wall ? new WallHead(hall) : null;
  const decided = new Decided(hall);
  const queue = h("section", { class: "rail", "aria-label": t("openAlerts") }, h("h2", null, t("queueTitle"), railCount), rail, moreAlerts, decided.element);
  main.replaceChildren(h("h1", { class: "unseen", text: t("hall") }), head?.element ?? "", holder);
  holder.append(
    queue,
    h("div", { class: "tools", role: "search" }, mine, h("div", { class: "seg states", role: "group", tabindex: 0, "aria-label": t("stateOfRound") }, filters.map(({ button }) => button)), search,
      h("div", { class: "seg views", role: "group", "aria-label": t("viewAs") }, views)),
    h("section", { class: "tables", "aria-label": t("tables") }, h("h2", { class: "unseen", text: t("tables") }), empty, list, signs));

  const room = () => main.clientWidth / parseFloat(getComputedStyle(document.documentElement).fontSize);
  const isNarrow = () => room() < NARROW_REM;
  let narrow = isNarrow();

  /** What a table is shown as at present: `list`, `boards`, `tiles`, or `wall` for a tile with names and clocks. */
  const shape = () => {
    const tables = hall.boards.size;
    if (wall) return tables > WALL_CLOCKS ? "tiles" : "wall";
    const width = room();
    return options.layout ?? (tables > CARDS.find(([limit]) => width < limit)[1] ? "tiles" : "list");
  };

  const change = (changes) => {
    Object.assign(options, changes);
    remember();
    arrange();
  };
  const filterBy = (name) => {
    chosen.filter = name;
    arrange();
  };
  /** Whether only own tables are shown: for whoever has some, until all are wished. */
  const onlyMine = () => !wall && hall.attention.isLimited(arbiter.session?.name) && options.mine !== false;
  mine.onclick = () => {
    change({ mine: !onlyMine() });
    railShown = "";
    arrangeRail();
  };
  search.oninput = () => {
    chosen.query = search.value;
    arrange();
  };
  moreAlerts.onclick = () => {
    chosen.allAlerts = !chosen.allAlerts;
    railShown = "";
    arrangeRail();
  };

  const dirty = new Set();
  let made = "";
  let frame = 0;
  let sorted = 0;
  let ticked = 0;
  let railShown = "";
  let items = [];

  function arrange() {
    sorted = performance.now();
    const wanted = shape();
    if (made !== wanted) {
      made = wanted;
      cards.clear();
      list.replaceChildren();
      const isCard = wanted === "list" || wanted === "boards";
      setAttribute(list, "class", isCard ? `cards ${wanted}` : `floor${wall ? " on-wall" : ""}`);
      signs.hidden = wanted !== "tiles";
    }
    views.forEach((button) => setAttribute(button, "aria-pressed", String(button.id === `as-${wanted}`)));
    mine.hidden = wall || !hall.attention.isLimited(arbiter.session?.name);
    setAttribute(mine, "aria-pressed", String(onlyMine()));
    const all = [...hall.boards.values()].filter((board) => !onlyMine() || hall.isMine(board) || waiting(hall, board).some((alert) => hall.concerns(board, alert)));
    const has = filters.find(({ id }) => id === chosen.filter).has;
    // A wall has nobody who could choose.
    const shown = wall ? all : all.filter((board) => has(hall, board) && (!chosen.query || matches(board, chosen.query)));
    shown.sort(chosen.filter === "trouble" && !wall ? (a, b) => timeLeft(hall, a) - timeLeft(hall, b) || byTable(a, b) : byTable);
    const elements = shown.map((board) => card(board).element);
    // Only what has moved is moved, so that the focus stays where it is.
    elements.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    while (list.children.length > elements.length) list.lastChild.remove();
    for (const { id, has: one, number, button } of filters) {
      setText(number, String(all.filter((board) => one(hall, board)).length));
      setAttribute(button, "aria-pressed", String(chosen.filter === id));
    }
    // Red only where somebody has to go now.
    const tones = new Set(all.flatMap((board) => needing(hall, board).map(toneOf)));
    const tone = ["act", "look", "eq"].find((one) => tones.has(one));
    const { sign } = filters.find(({ id }) => id === "needs");
    setIcon(sign, tone ?? "act");
    setAttribute(sign, "class", tone ? `c-${tone}` : null);
    empty.hidden = shown.length > 0;
    setText(empty, all.length === 0 ? t("noTables") : t(chosen.filter === "needs" && !chosen.query ? "nothingOpen" : "noMatch"));
    setAttribute(holder, "data-narrow", narrow ? "" : null);
    setAttribute(list, "data-few", shown.length <= 24 ? "" : null);
    head?.update();
    fitWall();
  }

  /** Gives a wall the columns with which all tables fit on the screen. */
  function fitWall() {
    if (!wall) return;
    const columns = wallColumns(Math.max(1, list.children.length), list.clientWidth, list.clientHeight);
    wallSheet.replaceSync(`.on-wall { --columns: ${columns}; }`);
  }

  function arrangeRail() {
    // Where somebody is on the way, others come first.
    const weight = ({ board, alert }) => urgencyOf(alert) + (hall.needsArbiter(board, alert) ? 1 : 0);
    const open = hall.open().filter(({ board, alert }) => !onlyMine() || hall.concerns(board, alert)).sort((a, b) => weight(b) - weight(a));
    const listed = narrow && !chosen.allAlerts ? open.slice(0, FIRST_ALERTS) : open;
    const shown = narrow + open.length + listed.map(({ board, alert }) => QueueItem.key(hall, board, alert)).join();
    if (shown === railShown) {
      for (const item of items) item.tick();
      return;
    }
    if (items.some(({ alert }) => !open.some((one) => one.alert.id === alert.id))) decided.changed();
    const held = items.find(({ element }) => element.contains(document.activeElement));
    const isGo = document.activeElement === held?.go;
    railShown = shown;
    setText(railCount, open.length ? String(open.length) : "");
    moreAlerts.hidden = !narrow || open.length <= FIRST_ALERTS;
    setAttribute(moreAlerts, "aria-expanded", String(chosen.allAlerts));
    setText(moreAlerts, chosen.allAlerts ? t("fewerAlerts") : t("more", { number: open.length - FIRST_ALERTS }));
    const playing = [...hall.boards.values()].filter((board) => hasBegun(board) && !board.game.result).length;
    items = listed.map(({ board, alert }, index) => new QueueItem(hall, board, alert, { primary: index === 0, acts: !narrow || index === 0 }));
    rail.replaceChildren(...(open.length
      ? items.map(({ element }) => element)
      : [h("li", { class: "panel empty" }, icon("over"), h("b", { text: t("nobodyNeeds") }), h("span", { text: t("nobodyNeedsText", { all: hall.boards.size, playing }) }))]));
    const again = held && items.find(({ alert }) => alert.id === held.alert.id);
    if (again) (isGo && again.go ? again.go : again.line).focus({ preventScroll: true });
  }

  function card(board) {
    let known = cards.get(board.board);
    if (!known) {
      known = made === "list" || made === "boards" ? new Card(board, made === "boards") : new Tile(board, made === "wall");
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
    // Ages count where no clock runs, too.
    const all = performance.now() - ticked > SORT_MS;
    if (all) ticked = performance.now();
    for (const known of cards.values()) if (all || known.board.clock?.running) known.tick(hall);
    if (performance.now() - sorted > SORT_MS) {
      arrange();
      arrangeRail();
    }
  }, TICK_MS);

  const sizes = new ResizeObserver(() => {
    if (wall) fitWall();
    if (narrow === isNarrow()) return;
    narrow = !narrow;
    arrange();
    arrangeRail();
  });
  // The alarm is not shown twice where the list of alerts can be seen.
  const inView = new IntersectionObserver(([{ isIntersecting }]) => document.body.toggleAttribute("data-queue", isIntersecting && !wall));
  inView.observe(queue);
  if (wall) document.adoptedStyleSheets = [wallSheet];
  for (const element of [main, list, signs, search]) sizes.observe(element);
  arrange();
  arrangeRail();
  const tickAll = () => cards.forEach((known) => known.update(hall, hall.boards.get(known.board.board) ?? known.board));
  return {
    changed(board) {
      dirty.add(board);
      frame ||= requestAnimationFrame(paint);
    },
    attention() {
      tickAll();
      arrange();
      arrangeRail();
    },
    connected: tickAll,
    reset() {
      made = "";
      railShown = "";
      arrange();
      arrangeRail();
    },
    end() {
      clearInterval(tick);
      decided.end();
      cancelAnimationFrame(frame);
      sizes.disconnect();
      inView.disconnect();
      document.body.removeAttribute("data-queue");
    },
    key(key) {
      if (key === "/") search.focus();
      else if (key === "n") filterBy(chosen.filter === "needs" ? "all" : "needs");
      else if (key === "g" && !wall) {
        // Of the alert that has the focus, else of the first to which nobody goes.
        const item = items.find(({ element }) => element.contains(document.activeElement)) ?? items.find(({ go, own }) => go && !own);
        item?.go?.click();
        return Boolean(item?.go);
      } else if (key === "t") filterBy(chosen.filter === "trouble" ? "all" : "trouble");
      else return false;
      return true;
    },
  };
}
