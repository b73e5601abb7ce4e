// One alert: what happened, until when it can be acted on, what to do at board and clock, what the Laws say.

import { isOpen, openAlerts, urgencyOf } from "./alerts.js";
import { AttentionPanel } from "./attention.js";
import { read } from "./api.js";
import { carried, colourOf, diagram, differences } from "./board-svg.js";
import { clockText, h, setText } from "./dom.js";
import { atHall, evidenceCard, touchDuty } from "./evidence.js";
import { sideOf } from "./hall.js";
import { alertLine, confidenceName, facts, failure, playerName, stateName, tableName, urgencyBadge } from "./parts.js";
import { OftenOrders, moreOrders } from "./board-orders.js";
import { outcomeLine, ruling } from "./orders.js";
import { ReplayStrip, framesAround, startByItself } from "./replay-strip.js";
import { StepsPanel } from "./steps.js";
import { reasonText } from "./refusal-words.js";
import { codeName, eventLanguage, otherSide, pieceName, sanText, sideName, spoken, t, timeText } from "./words.js";

/** Milliseconds between two looks at clocks and windows. */
const TICK_MS = 250;

/**
 * Milliseconds before a film that could not be read is read again by itself, at a change of the board; twice as many after each look, as
 * each replays the capture. After the last one only the person at the page looks again.
 */
const FILM_AGAIN_MS = 500;
const FILM_LOOKS = 8;

const WHY = {
  "two-hands-suspect": "whyHands",
  "touch-move-suspect": "whyTouch",
  "castling-rook-first": "whyTouch",
  "released-piece-moved": "whyRelease",
  "default-time": "whyPresence",
};

/** States in which something can still be done at the board. */
const CAN_ACT = new Set(["open", "acknowledged", "corrected"]);

let articles = null;

/** Returns the paraphrases of articles: by edition and number a key, by key a text in each language. */
async function paraphrases() {
  articles ??= await read("/desk/articles.json");
  return articles;
}

/** Finds the board and the alert with this id; the serial number comes first in it. */
async function load(hall, id) {
  const known = [...hall.boards.values()].find((board) => board.alerts.has(id));
  const name = known?.board ?? id.split("-").slice(0, -2).join("-");
  const full = await read(`/api/boards/${encodeURIComponent(name)}`);
  const alert = full.alerts?.[id] ?? (Array.isArray(full.alerts) ? full.alerts.find((one) => one.id === id) : null);
  return { board: full, alert: alert ?? known?.alerts.get(id) ?? null };
}

/** Returns the alert with its sentence and window in the language of the page, if the daemon can say it again. */
async function translated(hall, board, alert) {
  if (spoken() === eventLanguage(hall)) return alert;
  const wish = `alert=${encodeURIComponent(alert.id)}&language=${spoken()}`;
  try {
    return { ...alert, ...(await read(`/api/boards/${encodeURIComponent(board.board)}/text?${wish}`)) };
  } catch {
    return alert;
  }
}

/** Returns the positions before and after what the alert is about. */
function positions(board, alert) {
  const moves = board.game?.moves ?? [];
  const at = (ply) => (ply <= 0 ? board.game?.start : moves[ply - 1]?.fen);
  const { reinstate, move } = alert.facts ?? {};
  // A press without a move left the position as it was; an irregular move may have been put right since.
  if (alert.code === "press-without-move") return { before: reinstate, after: reinstate };
  const gone = alert.code === "illegal-move" && moves[alert.ply - 1]?.legal !== false;
  const after = gone && reinstate && move ? carried(reinstate, move) : at(alert.ply);
  return { before: reinstate ?? at(alert.ply - 1) ?? null, after: after ?? board.pieces };
}

function header(board, alert) {
  return h("div", { class: "alert-head" },
    h("p", { class: "crumbs" }, h("a", { href: `#/board/${encodeURIComponent(board.board)}`, text: tableName(board) }),
      ` · ${playerName(board, "white")} – ${playerName(board, "black")} · ${timeText(alert.at)}`),
    h("h1", null, codeName(alert.code), alert.side !== "both" && h("span", { class: "offender", text: ` ${sideName(alert.side)}` })),
    h("p", { class: "badges" }, urgencyBadge(alert),
      h("span", { class: "badge", id: "state", text: stateName(alert.state) }),
      h("span", { class: `badge confidence-${alert.confidence}`, text: confidenceName(alert.confidence) })),
    h("p", { class: "sentence", id: "sentence", text: alert.parts?.happened || alert.text }));
}

function diagrams(board, alert) {
  const { before, after } = positions(board, alert);
  if (!before && !after) return null;
  const marks = before && after ? differences(before, after) : [];
  const equal = before && after && !marks.length;
  const figure = (fen, caption, label) => h("figure", null, diagram(fen, { marks, label }), h("figcaption", null, caption));
  const reinstate = alert.facts?.reinstate;
  const turn = before ? t(reinstate ? "turnAfter" : "turnIs", { side: sideName(sideOf(reinstate ?? before)) }) : "";
  return h("section", { class: "panel boards", id: "boards", "aria-label": t("position") },
    before && figure(before, [h("strong", { text: t(equal ? "position" : reinstate ? "putBack" : "before") }), h("span", { text: turn })], t("before")),
    after && !equal && figure(after, [h("strong", { text: t("after") })], t("after")),
    h("p", { class: "differ", text: equal ? t("nothingDiffers") : t("differ", { squares: marks.join(", ") }) }),
    h("div", { id: "duty" }));
}

/** One of several readings of the Laws: the number of an article, or an object with it and what else differs. */
function otherView(view, line) {
  if (typeof view !== "object") return line(t("alternatives"), view);
  const { article, add_s: seconds } = view;
  const differs = seconds === undefined ? "" : ` · ${t("alternativeSeconds", { seconds })}`;
  return article ? line(`${t("alternatives")}${differs}`, article) : h("p", { text: `${t("alternatives")}${differs}` });
}

async function law(hall, alert) {
  const texts = await paraphrases();
  const entry = (number) => {
    const key = texts.editions[alert.edition]?.[number];
    return key ? texts.texts[key][spoken()] : null;
  };
  const line = (name, number) => number && h("div", { class: "law-line" },
    h("h3", null, name, h("span", { class: "number", text: ` ${number}` })), h("p", { text: entry(number) ?? "–" }));
  const penalty = alert.facts?.penalty_article;
  const numbers = [["article", alert.article], ["authority", alert.authority], ["penaltyArticle", penalty]]
    .filter(([, number], index, all) => number && all.findIndex(([, earlier]) => earlier === number) === index);
  const views = alert.facts?.alternatives ?? [];
  return [
    ...(numbers.length ? numbers.map(([name, number]) => line(t(name), number)) : [h("p", { text: t("noArticle") })]),
    views.length > 0 && h("div", { class: "contested" }, h("p", { text: t("contested") }), views.map((view) => otherView(view, line))),
    numbers.length > 0 && h("p", { class: "hint", text: t("inOwnWords", { edition: alert.edition ?? hall.event.rules }) }),
  ].filter(Boolean);
}

function certainty(alert) {
  const general = { certain: "whyCertain", likely: "whyLikely", possible: "whyPossible" }[alert.confidence];
  const special = WHY[alert.code];
  return h("div", { class: "law-line" }, h("h3", { text: `${t("confidence")}: ${confidenceName(alert.confidence)}` }),
    h("p", { text: [special && t(special), general && t(general), t("factsOnly")].filter(Boolean).join(" ") }));
}

function countsPanel(board, alert) {
  const counts = board.counts;
  if (!counts) return null;
  const loses = alert.facts?.loses_at;
  const line = (side) => {
    const { official = 0, provisional = 0 } = counts[side] ?? {};
    const next = loses && provisional + 1 >= loses;
    return [playerName(board, side), [t("countsLine", { official, provisional }), next && h("strong", { class: "next-loses", text: ` ${t("nextLoses")}` })]];
  };
  const earlier = (alert.facts?.earlier ?? []).map((id) => board.alerts?.[id]).filter(Boolean);
  return h("section", { class: "panel", id: "counts" }, h("h2", { text: t("counts") }),
    facts([line("white"), line("black")]),
    loses && h("p", { class: "hint", text: t("losesAt", { number: loses }) }),
    earlier.length > 0 && h("div", null, h("h3", { text: t("earlier") }), earlier.map((one) => alertLine(board, one, { withTable: false }))));
}

/** The clocks at the press and now. */
class ClockPanel {
  /** `events` are those around the alert, null while they are not known. */
  constructor(hall, board, alert, events) {
    Object.assign(this, { hall, board, alert });
    const press = events?.find((event) => event.event === "press" && Math.abs(event.t - (alert.facts?.pressed_at ?? Infinity)) < 0.01);
    this.then = press?.clock ?? alert.facts?.clock ?? null;
    this.cells = {};
    const cell = (row, side) => (this.cells[`${row}-${side}`] = h("td", { class: "clock" }));
    const row = (name, label) => h("tr", { class: `row-${name}` }, h("th", { scope: "row", text: label }), cell(name, "white"), cell(name, "black"));
    const changes = alert.proposal?.add_s || alert.proposal?.take_back_s;
    this.element = h("section", { class: "panel", id: "clocks" }, h("h2", { text: t("clocks") }),
      h("table", { class: "clocks" },
        h("thead", null, h("tr", null, h("td"), h("th", { scope: "col", text: t("white") }), h("th", { scope: "col", text: t("black") }))),
        h("tbody", null, this.then && row("then", t("atPress")), row("now", t("now")))),
      CAN_ACT.has(alert.state) && (changes
        ? h("p", { class: "parts", text: this.parts() })
        : alert.article && h("p", { class: "hint", text: t("noCorrection", { article: alert.edition === "2009" ? "6.13" : "7.1" }) })));
    this.tick();
  }

  /** What changes, in signs: `White: +1:00`. */
  parts() {
    const { add_s: add, to, take_back_s: takeBack, from } = this.alert.proposal;
    return [add && `${sideName(to)} +${clockText(add)}`, takeBack && `${sideName(from)} −${clockText(takeBack)}`].filter(Boolean).join(" · ");
  }

  tick() {
    const times = this.hall.times(this.hall.find(this.board.board) ?? this.board);
    const put = (row, side, value) => this.cells[`${row}-${side}`] && setText(this.cells[`${row}-${side}`], value === null ? "–" : clockText(value));
    for (const side of ["white", "black"]) {
      if (this.then) put("then", side, this.then[side]);
      put("now", side, times ? times[side] : null);
    }
  }
}

/** What the window says, and what the players are doing about it right now. */
function windowText(hall, board, alert) {
  if (alert.state === "expired") return `${stateName(alert.state)} · ${alert.authority ? t("tooLate", { article: alert.authority }) : t("tooLateBare")} ${t("windowClosed", { time: timeText(alert.changed) })}`;
  if (!isOpen(alert)) return `${stateName(alert.state)} · ${t("windowClosed", { time: timeText(alert.changed) })}`;
  if (!alert.window) return alert.article ? t("windowNone") : t("windowInOrder");
  // The daemon speaks the language of the event, which need not be that of the page.
  const wording = alert.window.replace(/\b(white|black)\b/g, (side) => side[0].toUpperCase() + side.slice(1));
  const parts = [`${wording[0].toUpperCase()}${wording.slice(1)}.`];
  const live = hall.find(board.board);
  if (!live) return parts[0];
  if (live.game && alert.side !== "both" && !/game|Partie/.test(alert.window)) {
    const waits = /white|Weiß/.test(alert.window) ? "white" : /black|Schwarz/.test(alert.window) ? "black" : live.game.move?.side ?? otherSide(alert.side);
    const air = live.in_air ?? [];
    const named = (held) => held.map(({ piece, square }) => `${pieceName(piece)} ${square}`).join(", ");
    const own = air.filter(({ piece }) => colourOf(piece) === waits);
    if (live.game.ply > alert.ply && live.game.last) parts.push(t("nextMoveShown", { side: sideName(live.game.last.side), move: sanText(live.game.last.san) }));
    else if (own.length) parts.push(t("liftedBy", { side: sideName(waits), pieces: named(own) }));
    else if (air.length) parts.push(t("inAirNow", { pieces: named(air) }));
    else parts.push(t("notTouched", { side: sideName(waits) }));
  }
  if (live.clock && !live.clock.running) parts.push(t("clockStands"));
  return parts.join(" ");
}

/** What can be entered for the board besides the ruling. */
function otherOrders(hall, board) {
  const live = hall.find(board.board) ?? board;
  const turn = hall.times(live)?.running ?? live.game?.move?.side ?? "white";
  return [new OftenOrders(board, () => turn).element, moreOrders(board, board.game?.moves ?? [], turn)];
}

/** Shows an alert; returns what to do on changes and at the end. */
export function alertView(main, { hall, id, settings }) {
  main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
  const view = { board: null, alert: null, clock: null, events: null, reading: null, looks: 0, lookedAt: 0, words: null, strip: null, steps: null, line: outcomeLine(), film: h("section", { class: "panel", id: "replay" }, h("h2", { text: t("replay") }), h("p", { text: t("loading") })), windowLine: h("p", { class: "window", id: "window", role: "status" }), drawn: "" };
  let ended = false;
  let again = 0;

  async function load_() {
    try {
      const { board, alert: told } = await load(hall, id);
      // Said again by replaying the capture, which is not to be done for every change.
      if (told) view.words ??= translated(hall, board, told).then(({ text, window, parts }) => ({ text, window, parts }));
      const alert = told && { ...told, ...(await view.words) };
      if (ended) return;
      if (!alert) main.replaceChildren(h("h1", { text: t("noAlertTitle") }), h("p", { class: "empty", text: t("noAlert") }), h("p", null, h("a", { class: "button", href: `#/report/${encodeURIComponent(id)}`, text: t("reportOne") })), h("p", null, h("a", { href: "#/", text: t("hall") })));
      else draw(board, alert);
    } catch (error) {
      if (!ended && !view.alert) main.replaceChildren(failure(error), h("p", null, h("a", { href: "#/", text: t("hall") })));
    }
  }

  function draw(board, alert) {
    Object.assign(view, { board, alert });
    const drawn = JSON.stringify([alert, board.counts]);
    if (drawn === view.drawn) return;
    const first = view.drawn === "";
    // What the arbiter is typing is not to be torn away.
    if (!first && main.contains(document.activeElement) && document.activeElement.matches("input, select")) {
      tick();
      setText(main.querySelector("#state"), stateName(alert.state));
      return;
    }
    view.drawn = drawn;
    view.clock = new ClockPanel(hall, board, alert, view.events);
    view.attention = new AttentionPanel(hall, alert);
    view.steps?.end();
    view.steps = new StepsPanel(hall, board, alert, settings);
    const lawHolder = h("div", { class: "law" }, h("p", { text: t("loading") }));
    law(hall, alert).then((lines) => lawHolder.replaceChildren(...lines, certainty(alert)), (error) => lawHolder.replaceChildren(failure(error)));
    const rest = openAlerts(hall.find(board.board) ?? { alerts: new Map() }).filter((one) => one.id !== alert.id);
    main.replaceChildren(
      h("article", { class: `alert-page urgency-${isOpen(alert) ? urgencyOf(alert) : "none"} state-${alert.state}` },
        header(board, alert),
        h("div", { class: "alert-grid" },
          h("div", { class: "column" },
            h("section", { class: "panel act" }, h("h2", { text: t("window") }), view.windowLine, view.attention.element, h("h2", { text: t("actions") }),
              CAN_ACT.has(alert.state) && alert.parts?.do && h("p", { class: "what-to-do", id: "do", text: alert.parts.do }), ruling(board, alert, view.line),
              !isOpen(alert) && h("p", null, h("a", { class: "button", id: "report", href: `#/report/${encodeURIComponent(alert.id)}`, text: t("reportOne") }))),
            view.steps.element,
            view.clock.element,
            countsPanel(board, alert)),
          h("div", { class: "column" },
            diagrams(board, alert),
            view.film,
            h("section", { class: "panel", id: "law" }, h("h2", { text: t("law") }), lawHolder))),
        rest.length > 0 && h("section", { class: "panel" }, h("h2", { text: t("openAlerts") }), rest.map((one) => alertLine(board, one, { withTable: false }))),
        h("details", { class: "panel", id: "evidence" }, h("summary", { text: t("evidence") })),
        h("details", { class: "panel", id: "orders" }, h("summary", { text: t("otherOrders") }), otherOrders(hall, board))));
    const evidence = main.querySelector("#evidence");
    const moment = alert.facts?.pressed_at ?? alert.t;
    evidence.hidden = Boolean(board.hall);
    evidence.addEventListener("toggle", () => evidence.append(evidenceCard(hall, board, moment, alert)), { once: true });
    explain(board, alert);
    tick();
  }

  /** Adds what only the events around the press can tell: the clocks of that instant, and what was touched. */
  async function explain(board, alert) {
    const holder = main.querySelector("#duty");
    if (board.hall) {
      view.film.lastChild.replaceWith(atHall(board, `#/alert/${encodeURIComponent(alert.id)}`));
      if (alert.facts?.reinstate) holder?.replaceChildren(h("h3", { text: t("duty") }), h("p", { text: t("dutyUnknown") }));
      return;
    }
    try {
      // Found by replaying the capture, which is not to be done for every change.
      view.reading ??= readFrames(board, alert);
      const frames = await view.reading;
      if (ended) return;
      view.events = frames.flatMap(({ events }) => events);
      film(frames, alert.facts?.pressed_at ?? alert.t);
      if (alert.facts?.pressed_at === undefined) return;
      const clock = new ClockPanel(hall, board, alert, view.events);
      view.clock.element.replaceWith(clock.element);
      view.clock = clock;
      if (!alert.facts.reinstate || alert.side === "both") return;
      const lines = await touchDuty(view.events, board, alert, alert.edition ?? hall.event.rules);
      holder?.replaceChildren(h("h3", { text: t("duty") }), ...lines.map((text) => h("p", { text })));
    } catch (error) {
      view.reading = null;
      if (!ended && !view.strip) showMissing(error);
      if (alert.facts?.reinstate) holder?.replaceChildren(h("h3", { text: t("duty") }), h("p", { text: t("dutyUnknown") }));
    }
  }

  /** Reads the frames around the alert; none are a failure as well, as the capture may not hold them yet. */
  async function readFrames(board, alert) {
    view.looks += 1;
    try {
      const frames = await framesAround(board, alert);
      if (!frames.length) throw new Error(t("noEvents"));
      return frames;
    } finally {
      view.lookedAt = performance.now();
    }
  }

  /** Says why there is no film, and lets the person look again. */
  function showMissing(error) {
    const look = h("button", { type: "button", id: "replay-again", text: t("replayAgain"), onclick: () => view.reading ?? explain(view.board, view.alert) });
    view.film.lastChild.replaceWith(h("div", null, h("p", { class: "hint", text: t("replayMissing", { reason: reasonText(error.message) }) }), look));
  }

  /** Looks for the film again at a change of the board, unless it was looked for just now or often enough. */
  function lookAgain() {
    const { strip, reading, looks, lookedAt, board, alert } = view;
    if (strip || reading || !looks || looks > FILM_LOOKS || board.hall) return;
    if (performance.now() - lookedAt >= FILM_AGAIN_MS * 2 ** (looks - 1)) explain(board, alert);
  }

  /** Plays what the board sensed, once for all changes of the alert. */
  function film(frames, moment) {
    if (view.strip) return;
    view.strip = new ReplayStrip(frames, moment);
    view.film.lastChild.replaceWith(view.strip.element);
    startByItself(view.strip);
  }

  function tick() {
    if (!view.alert) return;
    view.clock.tick();
    setText(view.windowLine, windowText(hall, view.board, view.alert));
  }

  const ticking = setInterval(tick, TICK_MS);
  load_();
  return {
    changed(board, event) {
      if (board.board !== view.board?.board) return;
      const known = board.alerts.get(id);
      if (known) {
        // The state is shown at once; what it entails is read after it.
        Object.assign(view.alert, { state: known.state, changed: known.changed });
        const state = main.querySelector("#state");
        if (state) setText(state, stateName(known.state));
      }
      tick();
      lookAgain();
      view.steps?.changed(event);
      // Without a kind, it is what happened while the daemon could not be heard.
      if (!event || ["alert", "alert-update", "retract", "result"].includes(event)) {
        clearTimeout(again);
        again = setTimeout(load_, 150);
      }
    },
    attention: () => view.attention?.update(),
    reset: load_,
    end() {
      ended = true;
      view.strip?.pause();
      view.steps?.end();
      clearInterval(ticking);
      clearTimeout(again);
    },
  };
}
