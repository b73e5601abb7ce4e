// Every component of the desk in every state, as the pages use them: to look at after a change of tokens.css or desk.css.

import { Card } from "./card.js";
import { diagram } from "./board-svg.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { QueueItem, alertLine } from "./queue.js";
import { Tile, legend } from "./tile.js";
import { t } from "./words.js";

const FEN = "2rqr3/5p1k/p2p1bp1/1p6/5R2/P3BQ1P/1Pb2P2/K4BR1 b - - 3 23";
const TONES = ["act", "look", "eq", "info"];
const SEVERITY = { act: "act", look: "look", eq: "equipment", info: "info" };
const CODE = { act: "press-without-move", look: "board-mismatch", eq: "board-link", info: "draw-offer" };

/** A hall in which nothing moves. */
const still = (stale = false) => ({
  event: { name: "", control: "rapid", time_control: "15+10" },
  times: (board) => board.clock && { white: board.clock.white, black: board.clock.black, running: board.clock.running },
  isStale: (board) => stale || !board.up,
  now: () => Date.now(),
  age: () => 51,
  since: () => 12,
  attention: { going: () => [] },
  attending: () => [],
  needsArbiter: (board, alert) => alert.state === "open",
  ahead: 0,
});

/** The same, with somebody on the way. */
const attended = () => ({ ...still(), needsArbiter: () => false, attending: () => [{ name: "Ben Brandt", at: "" }] });

const alert = (tone, more = {}) => ({ id: `24001-1-${TONES.indexOf(tone) + 1}`, code: CODE[tone], severity: SEVERITY[tone], state: "open", confidence: "certain", side: "black", waits: true, at: "", ...more });

function board(more = {}, alerts = []) {
  return {
    board: "24001", serial: "24001", table: 6, up: true, white: "Bastos, Rui", black: "Jovanovic, Milan", battery: null, in_air: [], offences: null,
    clock: { white: 502, black: 489, running: "black", connected: true },
    game: { number: 1, ply: 45, move: { number: 23, side: "black" }, last: { san: "Qf3", uci: "e2f3", side: "white", legal: true }, fen: FEN, result: null },
    ...more, alerts: new Map(alerts.map((one) => [one.id, one])),
  };
}

const over = (result) => ({ clock: { white: 502, black: 489, running: null, connected: true }, game: { ...board().game, result } });

/** The states of a table that a card shows. */
const CARDS = {
  playing: board(),
  "below the limit": board({ clock: { white: 21, black: 28, running: "black", connected: true } }),
  act: board({}, [alert("act")]),
  look: board({}, [alert("look")]),
  equipment: board({ up: false }, [alert("eq")]),
  information: board({}, [alert("info")]),
  "irregularity on record": board({ offences: { white: 1, black: 0 } }),
  finished: board(over("1/2-1/2")),
  forfeit: board(over("+/-")),
  "not started": board({ game: null, clock: { white: 900, black: 900, running: null, connected: true } }),
};

function card(state, withBoard) {
  const shown = new Card(state, withBoard);
  shown.update(still(), state);
  return shown.element;
}

function tile(state, wall) {
  const shown = new Tile(state, wall);
  shown.update(still(), state);
  return shown.element;
}

/** A clock as it looks in one state. */
const clock = (name, text, attributes = {}) => h("div", null, h("span", { class: "cap", text: name }), h("div", { class: "player", ...attributes }, h("span", { class: "clock", text })));

const section = (name, ...content) => h("section", { class: "comp" }, h("h2", { text: name }), content);
const roles = ["act", "look", "look-tint", "act-tint", "info-tint", "eq-tint", "accent", "surface", "sunk", "low", "good"];

/** One step of a list, as the page of an alert shows it. */
function step(state, name, content = []) {
  return h("li", { class: `step ${state}` }, h("span", { class: "tick", "aria-hidden": "true", text: { done: "✓", unseen: "?" }[state] ?? "" }), h("div", null, h("h3", { text: name }), content));
}

/** Shows all of them. */
export function componentsView(main) {
  const views = (Object.entries(CARDS)).map(([name, state]) => h("li", null, h("span", { class: "cap", text: name }), h("ul", null, card(state, false))));
  const boards = ["playing", "act", "finished"].map((name) => card(CARDS[name], true));
  const opening = "r1bqk2r/pppp1ppp/2n2n2/2b1pN2/2B1P3/3P4/PPP2PPP/RNBQK2R";
  main.replaceChildren(h("h1", { text: t("components") }), h("div", { class: "comps" },
    section("Roles", h("div", { class: "swatches" }, roles.map((role) => h("span", { class: `swatch of-${role}`, text: role })))),
    section("Queue", h("ul", { class: "rail-list", inert: true }, new QueueItem(still(), board(), alert("act", { proposal: { add_s: 60, to: "white" } }), { primary: true, acts: true }).element)),
    section("Alerts", h("div", { class: "alert-list" }, TONES.map((tone) => alertLine(still(), board(), alert(tone), { age: 51 })),
      alertLine(attended(), board(), alert("act"), { age: 51 }),
      alertLine(still(), board(), alert("act", { progress: "given" }), { age: 51 }),
      alertLine(still(), board(), alert("act", { state: "confirmed" }), { age: 51 }))),
    section("Buttons", h("div", { class: "row" }, h("button", { type: "button", class: "primary", text: "Confirm: White +1:00" }), h("button", { type: "button", text: t("imGoing") }), h("button", { type: "button", class: "plain", text: t("itWasThis") }),
      h("button", { type: "button", class: "stop", text: "Black loses …" }), h("button", { type: "button", "data-armed": true, text: "Press again: Black loses" }), h("button", { type: "button", "aria-pressed": "true", text: "Pressed" }), h("button", { type: "button", disabled: true, text: "Send results: 14 missing" }))),
    section("Segments", h("div", { class: "seg" }, h("button", { type: "button", "aria-pressed": "true" }, h("b", { text: "24" }), " tables"), h("button", { type: "button" }, h("span", { class: "c-act" }, icon("act")), h("b", { text: "2" }), " need me"), h("button", { type: "button" }, icon("over"), h("b", { text: "3" }), " finished"))),
    section("Clocks", h("div", { class: "clocks-shown" }, clock("stands", "8:22"), clock("runs", "8:09", { "data-turn": true }), clock("low", "0:55", { "data-short": true }), clock("low, runs", "0:41", { "data-short": true, "data-turn": true }),
      clock("flag", "0:00", { "data-flag": true }), clock("stale", "3:10", { "data-stale": true }))),
    section("Result", h("div", { class: "row" }, h("div", { class: "results large" }, h("button", { type: "button", text: "1–0" }), h("button", { type: "button", "data-kings": true, text: "½–½" }), h("button", { type: "button", text: "0–1" })),
      h("div", { class: "results dense" }, h("button", { type: "button", "aria-pressed": "true", text: "1–0" }), h("button", { type: "button", text: "½–½" }), h("button", { type: "button", text: "0–1" }), h("button", { type: "button", text: "…" })))),
    section("Steps", h("ol", { class: "steps" }, step("done", t("stepStop")), step("open", t("stepTimes"), h("div", { class: "set-times" },
      h("div", { class: "set", "data-ok": true }, h("span", { class: "side black" }, h("span", { class: "disc" }), t("black")), h("span", { class: "keys", text: "0:04:37" }), h("span", { class: "shows", text: t("stepRight") })),
      h("div", { class: "set" }, h("span", { class: "side white" }, h("span", { class: "disc" }), t("white")), h("span", { class: "keys", text: "0:04:42" }), h("span", { class: "shows", text: t("stepShows", { time: "4:20" }) })))),
    step("open", t("stepPosition")), step("unseen", t("stepStop")))),
    section("Boards", h("div", { class: "diagrams" }, diagram(FEN, { last: "e2f3", label: "Last move" }), diagram(opening, { marks: ["f5"], ghosts: new Map([["f3", "N"]]), arrows: ["!f3f5"], label: "Not allowed" }), diagram(opening, { arrows: ["e8g8", "h8f8"], label: "Arrows" }))),
    section("Cards", h("ul", { class: "card-states" }, views), h("ul", { class: "cards boards" }, boards)),
    section("Numbers", h("ul", { class: "floor" }, Object.values(CARDS).map((state) => tile(state, false))), legend()),
    section("Wall", h("ul", { class: "floor on-wall shown" }, ["playing", "act", "look", "finished", "not started", "equipment"].map((name) => tile(CARDS[name], true)))),
    section("Banners", h("div", { class: "alert-list" }, h("div", { class: "banner", "data-s": "act" }, h("b", { text: t("offline") }), h("button", { type: "button", class: "push", text: "Try now" })), h("div", { class: "banner", "data-s": "look", text: "The clock of table 8 is set to 5+3." }),
      h("div", { class: "banner", "data-s": "good", text: "Round 4 has begun." }), h("div", { class: "banner", text: "New pairings came at 13:20." }))),
    section("Toast", h("div", { class: "toast" }, h("span", { text: "Table 20: 1–0 entered" }), h("button", { type: "button", text: t("toastUndo", { seconds: 8 }) }))),
    section("Empty", h("div", { class: "panel empty" }, icon("over"), h("b", { text: t("nobodyNeeds") }), h("span", { text: t("nobodyNeedsText", { all: 24, playing: 19 }) }))),
    section("Fields", h("div", { class: "row" }, h("input", { type: "text", placeholder: t("findTable"), "aria-label": t("findTable") }), h("select", { "aria-label": "Choice" }, h("option", { text: "DGT 3000" })), h("label", { class: "inline" }, h("input", { type: "checkbox", checked: true }), "checked"),
      h("progress", { max: 100, value: 74, "aria-label": "74 %" }), h("progress", { max: 100, value: 11, "data-low": true, "aria-label": "11 %" }), h("span", { class: "chip", text: "12 to go" })))));
  return { changed() {}, reset() {}, end() {} };
}
