// One alert: what happened, until when it can be acted on, what to do at board and clock, what the Laws say.

import { gameOf, isClaimable, isNotice, isOpen, openAlerts, toneOf, urgencyOf } from "./alerts.js";
import { AttentionPanel, mayGo } from "./attention.js";
import { arbiter, read } from "./api.js";
import { carried, colourOf, diagram, differences, piecesOf } from "./board-svg.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { atHall, evidenceCard, touchDuty } from "./evidence.js";
import { sideOf } from "./hall.js";
import { icon } from "./icons.js";
import { ageText, alertTitle, confidenceName, facts, failure, playerName, stateName, surname, tableName } from "./parts.js";
import { Tasks } from "./board-orders.js";
import { afterOrders, give, outcomeLine, ruling } from "./orders.js";
import { alertLine } from "./queue.js";
import { ReplayStrip, framesAround, startByItself } from "./replay-strip.js";
import { StepsPanel } from "./steps.js";
import { reasonText } from "./refusals.js";
import { articlesPath, eventLanguage, otherSide, pieceName, sanText, scoreText, sideName, spanText, spoken, t, timeText } from "./words.js";

/** Milliseconds between two looks at clocks and windows. */
const TICK_MS = 250;

/**
 * Milliseconds before a replay that could not be read is read again by itself, at a change of the board; twice as many after each look, as
 * each replays the capture. After the last one only the person at the page looks again.
 */
const REPLAY_AGAIN_MS = 500;
const REPLAY_LOOKS = 8;

const WHY = {
  "two-hands-suspect": "whyHands",
  "touch-move-suspect": "whyTouch",
  "castling-rook-first": "whyTouch",
  "released-piece-moved": "whyRelease",
  "default-time": "whyPresence",
};

/** States in which something can still be done at the board. */
const CAN_ACT = new Set(["open", "acknowledged", "corrected"]);

let editions = null;

/** What the articles say, by the path of a language's file. */
const texts = {};

/** Returns what says an article of an edition in our own words: by edition and number a key, by key a text. */
async function paraphrases() {
  const path = articlesPath();
  editions ??= (await read("/desk/articles.json")).editions;
  texts[path] ??= await read(path);
  return (edition, number) => texts[path][editions[edition]?.[number]] ?? null;
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
  // What is on the board now may be another game.
  const game = board.game?.number === gameOf(alert) ? board.game : null;
  const moves = game?.moves ?? [];
  const at = (ply) => (ply <= 0 ? game?.start : moves[ply - 1]?.fen);
  const { reinstate, move } = alert.facts ?? {};
  // A press without a move left the position as it was; an irregular move may have been put right since.
  if (alert.code === "press-without-move") return { before: reinstate, after: reinstate };
  if (alert.code === "start-position-wrong") return { before: null, after: at(0) ?? null };
  const gone = alert.code === "illegal-move" && moves[alert.ply - 1]?.legal !== false;
  const after = gone && reinstate && move ? carried(reinstate, move) : at(alert.ply);
  return { before: reinstate ?? at(alert.ply - 1) ?? null, after: after ?? (game || !board.game ? board.pieces : null) };
}

/** What stands on top: the table, what has happened, whom it is about, how sure it is, since when. */
function header(hall, board, alert) {
  const tone = toneOf(alert);
  const other = otherSide(alert.side);
  const who = alert.side === "both" ? `${playerName(board, "white")} – ${playerName(board, "black")}` : t("sideAgainst", { side: sideName(alert.side), opponent: surname(board, other) });
  const article = alert.article && t("articleShort", { article: alert.article });
  return h("header", { class: "alert-head" },
    h("a", { class: "no", href: `#/board/${encodeURIComponent(board.board)}`, "aria-label": tableName(board) }, icon(tone === "done" ? "over" : tone), h("span", { "aria-hidden": "true", text: String(board.table ?? board.serial ?? board.board) })),
    h("div", null, h("h1", { text: alertTitle(board, alert) }),
      h("p", null, `${who} · ${confidenceName(alert.confidence)}`, article && ` · ${article}`, " · ", h("span", { id: "state", text: stateName(alert.state) }), isOpen(alert) && h("span", { class: "unseen", text: ` · ${[t("info"), t("soon"), t("urgent")][urgencyOf(alert)]}` }))),
    h("div", { class: "since" }, h("span", { id: "age", text: isOpen(alert) ? ageText(hall.age(alert, hall.now())) : "" }), h("small", { text: t("sinceTime", { time: timeText(alert.at) }) })));
}

/** What stood on the board, large, with what is wrong on it; who sits where, and their clocks. */
function position(board, alert) {
  const { before, after } = positions(board, alert);
  if (!before && !after) return null;
  const { squares, square, reinstate } = alert.facts ?? {};
  // Where nothing is to be put back, the last move is one like any other.
  const marks = squares?.length ? squares : square ? [square] : reinstate && before && after ? differences(before, after) : [];
  const equal = reinstate && before && after && !marks.length;
  const last = reinstate && !equal || board.game?.number !== gameOf(alert) ? "" : board.game.moves?.[alert.ply - 1]?.uci;
  const played = alert.facts?.move ?? "";
  const illegal = reinstate && played && !equal ? [`!${played}`] : [];
  const ghosts = before && illegal.length ? piecesOf(before) : new Map();
  const kept = new Map([...ghosts].filter(([square]) => square === played.slice(0, 2)));
  const shown = reinstate ?? (after?.includes(" ") ? after : null);
  const turn = shown ? t(reinstate ? "turnAfter" : "turnIs", { side: sideName(sideOf(shown)) }) : "";
  const player = (side) => h("div", { class: `player ${side}`, "data-side": side }, h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "unseen", text: sideName(side) }), h("span", { class: "name", text: playerName(board, side) }), h("span", { class: "clock" }));
  return h("section", { class: "panel see", id: "boards", "aria-label": t("position") }, h("div", { class: "boards" },
    player("black"), h("figure", null, diagram(after ?? before, { marks, arrows: illegal, ghosts: kept, last: last ?? "", label: t(reinstate && !equal ? "after" : "position") })), player("white"),
    h("p", { class: "hint differ", text: [equal ? t("nothingDiffers") : marks.length ? t("differ", { squares: marks.join(", ") }) : "", turn].filter(Boolean).join(" · ") }),
    h("div", { id: "duty" })));
}

/** One of several readings of the Laws: the number of an article, or an object with it and what else differs. */
function otherView(view, line) {
  if (typeof view !== "object") return line(t("alternatives"), view);
  const { article, add_s: seconds } = view;
  const differs = seconds === undefined ? "" : ` · ${t("alternativeSeconds", { seconds })}`;
  return article ? line(`${t("alternatives")}${differs}`, article) : h("p", { text: `${t("alternatives")}${differs}` });
}

async function law(hall, alert) {
  const textOf = await paraphrases();
  const entry = (number) => textOf(alert.edition, number);
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

function countsPanel(hall, board, alert) {
  const counts = board.counts;
  if (!counts) return null;
  const loses = alert.facts?.loses_at;
  const line = (side) => {
    const { official = 0, provisional = 0 } = counts[side] ?? {};
    const next = loses && provisional + 1 >= loses;
    return [playerName(board, side), [t("countsLine", { official, provisional }), next && h("strong", { class: "next-loses", text: ` ${t("nextLoses")}` })]];
  };
  const earlier = (alert.facts?.earlier ?? []).map((id) => board.alerts?.[id]).filter(Boolean);
  const known = ["white", "black"].some((side) => counts[side]?.official || counts[side]?.provisional);
  if (!known && !loses) return null;
  return h("section", { class: "panel", id: "counts" }, h("h2", { text: t("counts") }),
    facts([line("white"), line("black")]),
    loses && h("p", { class: "hint", text: t("losesAt", { number: loses }) }),
    earlier.length > 0 && h("div", null, h("h3", { text: t("earlier") }), earlier.map((one) => alertLine(hall, board, one, { withTable: false }))));
}

/** The clocks beside the diagram now, and in words what they showed at the press. */
class Clocks {
  /** `events` are those around the alert, null while they are not known. */
  constructor(hall, board, alert, events) {
    Object.assign(this, { hall, board });
    const press = events?.find((event) => event.event === "press" && Math.abs(event.t - (alert.facts?.pressed_at ?? Infinity)) < 0.01);
    const then = press?.clock ?? alert.facts?.clock ?? null;
    const changes = alert.proposal?.add_s || alert.proposal?.take_back_s;
    this.element = h("p", { class: "hint", id: "clocks" }, then ? t("clocksThen", { white: clockText(then.white), black: clockText(then.black) }) : "",
      CAN_ACT.has(alert.state) && !changes && alert.article && ["act", "look"].includes(alert.severity) ? ` ${t("noCorrection", { article: alert.edition === "2009" ? "6.13" : "7.1" })}` : "");
  }

  tick(main) {
    const board = this.hall.find(this.board.board) ?? this.board;
    const times = this.hall.times(board);
    for (const row of main.querySelectorAll("#boards .player")) {
      const { side } = row.dataset;
      setText(row.lastChild, times ? clockText(times[side]) : "–");
      setAttribute(row, "data-turn", times?.running === side ? "" : null);
      setAttribute(row, "data-stale", this.hall.isStale(board) ? "" : null);
    }
  }
}

/** The decision in numbers: `White +1:00, Black −0:10.` */
function decision(alert) {
  const { add_s: add, to, take_back_s: takeBack, from, result } = alert.proposal ?? {};
  const parts = [add && `${sideName(to)} +${clockText(add)}`, takeBack && `${sideName(from)} −${clockText(takeBack)}`, result && scoreText(result)].filter(Boolean);
  if (!parts.length || !CAN_ACT.has(alert.state) || isClaimable(alert)) return "";
  const turn = alert.facts?.reinstate ? ` ${t("turnIs", { side: sideName(sideOf(alert.facts.reinstate)) })}.` : "";
  return `${parts.join(", ")}.${turn}`;
}

/** What it may have been instead, with one press each that says so. */
function otherwise(board, alert, line) {
  const stories = [alert.otherwise ?? alert.facts?.otherwise ?? []].flat().filter(Boolean).map((story) => story.text ?? story);
  if (!stories.length || !isOpen(alert)) return null;
  const take = (story) => h("button", { type: "button", class: "plain", text: t("itWasThis"), onclick: () => give(board, { order: "story", alert: alert.id, reason: story }, t("itWasThis"), line, gameOf(alert)) });
  return h("section", { class: "panel", id: "otherwise" }, h("h2", { text: t("otherwise") }), h("ul", { class: "other" }, stories.map((story) => h("li", null, h("span", { text: story }), arbiter.mayOrder && take(story)))));
}

/** What the window says, and what the players are doing about it right now. */
function windowText(hall, board, alert) {
  if (alert.state === "expired") return `${stateName(alert.state)} · ${alert.authority ? t("tooLate", { article: alert.authority }) : t("tooLateBare")} ${t("windowClosed", { time: timeText(alert.changed) })}`;
  if (!isOpen(alert)) return `${stateName(alert.state)} · ${t("sinceTime", { time: timeText(alert.changed) })}`;
  if (!alert.window) return t(alert.article && alert.severity !== "look" ? "windowNone" : "windowInOrder");
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
  return new Tasks(hall, board, () => hall.times(live)?.running ?? live.game?.move?.side ?? "white").element;
}

/** Shows an alert; returns what to do on changes and at the end. */
export function alertView(main, { hall, id, settings }) {
  main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
  const view = { board: null, alert: null, clock: null, events: null, reading: null, looks: 0, lookedAt: 0, words: null, strip: null, steps: null, line: outcomeLine(), replay: h("section", { class: "panel", id: "replay" }, h("h2", { text: t("replay") }), h("p", { text: t("loading") })), windowLine: h("p", { class: "window", id: "window", role: "status" }), drawn: "" };
  let ended = false;
  let again = 0;

  async function load_() {
    try {
      const { board, alert: found } = await load(hall, id);
      // Said again by replaying the capture, which is not to be done for every change.
      if (found) view.words ??= translated(hall, board, found).then(({ text, window, parts, otherwise: story }) => ({ text, window, parts, ...(story && { otherwise: story }) }));
      const alert = found && { ...found, ...(await view.words) };
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
    view.clock = new Clocks(hall, board, alert, view.events);
    view.attention = new AttentionPanel(hall, board, alert);
    view.steps?.end();
    view.steps = new StepsPanel(hall, board, alert, settings, (given) => offerGiven(given));
    const lawHolder = h("div", { class: "law" }, h("p", { text: t("loading") }));
    law(hall, alert).then((lines) => lawHolder.replaceChildren(...lines, certainty(alert)), (error) => lawHolder.replaceChildren(failure(error)));
    const rest = openAlerts(hall.find(board.board) ?? { alerts: new Map() }).filter((one) => one.id !== alert.id);
    main.replaceChildren(
      h("article", { class: `alert-page state-${alert.state}`, "data-s": toneOf(alert) },
        header(hall, board, alert),
        h("div", { class: "alert-grid" },
          h("div", { class: "column" },
            h("section", { class: "panel act", "aria-label": t("actions") }, (view.sum = h("p", { class: "sum", id: "decision", text: decision(alert) })),
              h("p", { class: "sentence", id: "sentence", text: alert.parts?.happened || alert.text }),
              CAN_ACT.has(alert.state) && alert.parts?.do && h("p", { class: "what-to-do", id: "do", text: alert.parts.do }), (view.ruling = ruling(board, alert, view.line, mayGo(hall, board) && isOpen(alert) && !isNotice(alert) && view.attention.button)), view.windowLine,
              view.attention.element,
              !isOpen(alert) && h("p", null, h("a", { class: "button", id: "report", href: `#/report/${encodeURIComponent(alert.id)}`, text: t("reportOne") }))),
            view.steps.element,
            otherwise(board, alert, view.line),
            countsPanel(hall, board, alert),
            h("details", { class: "panel", id: "law" }, h("summary", { text: [t("law"), [...new Set([alert.article, alert.authority].filter(Boolean))].join(", ")].filter(Boolean).join(": ") }), lawHolder)),
          h("div", { class: "column" },
            position(board, alert),
            view.clock.element,
            view.replay)),
        rest.length > 0 && h("section", { class: "panel" }, h("h2", { text: t("openAlerts") }), h("div", { class: "alert-list" }, rest.map((one) => alertLine(hall, board, one, { withTable: false })))),
        h("details", { class: "panel", id: "evidence" }, h("summary", { text: t("evidence") })),
        h("details", { class: "panel", id: "orders" }, h("summary", { text: t("otherOrders") }), otherOrders(hall, board))));
    const evidence = main.querySelector("#evidence");
    const moment = alert.facts?.pressed_at ?? alert.t;
    evidence.hidden = Boolean(board.hall);
    evidence.addEventListener("toggle", () => evidence.append(evidenceCard(hall, board, moment, alert)), { once: true });
    explain(board, alert);
    tick();
  }

  /** Adds what only the events around the press show: the clocks of that instant, and what was touched. */
  async function explain(board, alert) {
    const holder = main.querySelector("#duty");
    if (board.hall) {
      view.replay.lastChild.replaceWith(atHall(board, `#/alert/${encodeURIComponent(alert.id)}`));
      if (alert.facts?.reinstate) holder?.replaceChildren(h("h3", { text: t("duty") }), h("p", { text: t("dutyUnknown") }));
      return;
    }
    try {
      // Found by replaying the capture, which is not to be done for every change.
      view.reading ??= readFrames(board, alert);
      const frames = await view.reading;
      if (ended) return;
      view.events = frames.flatMap(({ events }) => events);
      play(frames, alert.facts?.pressed_at ?? alert.t);
      if (alert.facts?.pressed_at === undefined) return;
      const clock = new Clocks(hall, board, alert, view.events);
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

  /** Says why there is no replay, and lets the person look again. */
  function showMissing(error) {
    const look = h("button", { type: "button", id: "replay-again", text: t("replayAgain"), onclick: () => view.reading ?? explain(view.board, view.alert) });
    view.replay.lastChild.replaceWith(h("div", null, h("p", { class: "hint", text: t("replayMissing", { reason: reasonText(error.message) }) }), look));
  }

  /** Looks for the replay again at a change of the board, unless it was looked for just now or often enough. */
  function lookAgain() {
    const { strip, reading, looks, lookedAt, board, alert } = view;
    if (strip || reading || !looks || looks > REPLAY_LOOKS || board.hall) return;
    if (performance.now() - lookedAt >= REPLAY_AGAIN_MS * 2 ** (looks - 1)) explain(board, alert);
  }

  /** Plays what the board sensed, once for all changes of the alert. */
  function play(frames, moment) {
    if (view.strip) return;
    view.strip = new ReplayStrip(frames, moment);
    view.replay.lastChild.replaceWith(view.strip.element);
    startByItself(view.strip);
  }

  /** The clock shows time that was given: that is what is confirmed. */
  function offerGiven(given) {
    const { alert } = view;
    const article = main.querySelector(".alert-page");
    article?.toggleAttribute("data-given", Boolean(given));
    if (!CAN_ACT.has(alert.state) || !["open", "acknowledged"].includes(alert.state)) return;
    setText(view.sum, given ? t("youGave", { side: sideName(given.side), time: spanText(given.seconds) }) : decision(alert));
    view.ruling.given?.(given);
  }

  function tick() {
    if (!view.alert) return;
    view.clock.tick(main);
    const age = main.querySelector("#age");
    if (age && isOpen(view.alert)) setText(age, ageText(hall.age(view.alert, hall.now())));
    main.querySelector(".alert-page")?.toggleAttribute("data-calm", isOpen(view.alert) && !hall.needsArbiter(hall.find(view.board.board) ?? view.board, view.alert));
    view.attention.update();
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
    attention() {
      tick();
    },
    connected: tick,
    key(key) {
      const button = { Enter: "#confirm, .ruling-bar #acknowledge", x: "#dismiss", g: "#go" }[key];
      const found = button && document.activeElement?.matches?.("button, a, summary") && key === "Enter" ? null : button && main.querySelector(button);
      found?.click();
      return Boolean(found);
    },
    reset: load_,
    end() {
      ended = true;
      afterOrders();
      view.strip?.pause();
      view.steps?.end();
      clearInterval(ticking);
      clearTimeout(again);
    },
  };
}
