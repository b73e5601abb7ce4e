// The three steps at the table: stop the clock, restore the position, set the times. The daemon finds out
// from board and clock whether one is done; it is shown here.

import { read } from "./api.js";
import { diagram } from "./board-svg.js";
import { clockText, h, setAttribute } from "./dom.js";
import { sideOf } from "./hall.js";
import { pieceName, sideName, t } from "./words.js";

/** Milliseconds between an event of the board and the look at what is done by now. */
const LOOK_MS = 150;

/** Events after which a step may be done, or not any more. */
const MATTERS = new Set(["lift", "place", "press", "clock", "link", "alert-update", "board"]);

/** The clocks whose keys are known; the first is taken unless another one is chosen in the settings. */
export const CLOCKS = ["3000", "2010", "xl"];

/** Wrong squares that are named one by one; of more, play has gone on, and the diagram says it. */
const NAMED = 6;

const SIGNS = { done: "✓", open: "", unseen: "?" };

/** Writes seconds as the digits that are set one by one: hours, minutes, seconds. */
const digits = (seconds) => [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part, index) => String(part).padStart(index ? 2 : 1, "0")).join(":");

/** Says what is wrong on a square. */
function wrongSquare({ square, shows, wants }) {
  if (!shows) return t("stepMissing", { square, piece: pieceName(wants) });
  return wants ? t("stepInstead", { square, piece: pieceName(wants), shown: pieceName(shows) }) : t("stepTooMuch", { square, piece: pieceName(shows) });
}

function stopText({ state, running }) {
  if (state === "unseen") return t("stepNoClock");
  return state === "open" ? t("stepRuns", { side: sideName(running) }) : "";
}

function position({ state, fen, wrong }) {
  const marks = wrong.map(({ square }) => square);
  return [
    state === "unseen" && h("p", { text: t("stepNoBoard") }),
    state === "open" && (wrong.length > NAMED ? h("p", { text: t("stepManyWrong", { number: wrong.length }) }) : h("ul", { class: "wrong" }, wrong.map((one) => h("li", { text: wrongSquare(one) })))),
    state !== "done" && fen && h("figure", { class: "wanted" }, diagram(fen, { marks, label: t("putBack") })),
  ];
}

/** What a display shows beside what it is to show. */
function shows(side, right, clock, isRight) {
  if (isRight) return t("stepRight");
  const { least, most } = right?.[side] ?? {};
  const range = least !== undefined && most - least > 3 ? t("stepRange", { least: clockText(least), most: clockText(most) }) : "";
  return [clock && clock[side] !== undefined && t("stepShows", { time: clockText(clock[side]) }), range].filter(Boolean).join("; ");
}

/** The times in the order in which the clock has them: left, then right. */
function times({ state, set, moves, wrong, right }, board, model, clock) {
  const order = board.white_clock === "right" ? ["black", "white"] : ["white", "black"];
  const seat = (side, index) => (board.white_clock ? `${t(index ? "clockRight" : "clockLeft")}, ${sideName(side)}` : sideName(side));
  const isRight = (side) => state === "done" || (state === "open" && !wrong.includes(side));
  const one = (side, index) => h("div", { class: "set", "data-ok": isRight(side) },
    h("span", { class: `side ${side}` }, h("span", { class: "disc", "aria-hidden": "true" }), seat(side, index)), h("span", { class: "keys", text: digits(set[side]) }),
    h("span", { class: "shows", "data-side": side, text: shows(side, right, clock, isRight(side)) }));
  return [
    h("div", { class: "set-times", id: "set-times" }, order.map(one)),
    state === "open" && h("p", { class: "unseen", text: t("stepTimesWrong", { sides: wrong.map(sideName).join(", ") }) }),
    state === "unseen" && h("p", { text: t("stepNoClock") }),
    state !== "done" && h("p", { class: "hint", id: "clock-keys" }, t(`keys${model}`)),
    state !== "done" && moves && h("p", { class: "hint", text: t("moveCounter", { white: moves.white, black: moves.black }) }),
  ];
}

/** The steps of an alert on a board, which follow what is done there. */
export class StepsPanel {
  /** `given` is called with the time that the clock shows to have been given, null while it shows none. */
  constructor(hall, board, alert, settings, given = () => {}) {
    Object.assign(this, { hall, board, alert, given, drawn: "", again: 0, ended: false });
    this.model = CLOCKS.includes(settings?.clock) ? settings.clock : CLOCKS[0];
    this.element = h("section", { class: "panel", id: "steps", hidden: true, "aria-label": t("steps") });
    this.look();
  }

  /** Handles that something has happened at the board, and what if that is known. */
  changed(event) {
    if (event && !MATTERS.has(event)) return;
    clearTimeout(this.again);
    this.again = setTimeout(() => this.look(), LOOK_MS);
  }

  /** Asks how far the steps are. */
  async look() {
    try {
      const steps = await read(`/api/boards/${encodeURIComponent(this.board.board)}/steps?alert=${encodeURIComponent(this.alert.id)}`);
      if (!this.ended) this.#draw(steps);
    } catch {
      // The page says by itself that the daemon does not answer; the steps stay as they were seen last.
    }
  }

  end() {
    this.ended = true;
    clearTimeout(this.again);
  }

  #draw(steps) {
    const step = steps.find(({ step: name }) => name === "times");
    this.given(step?.given ?? null);
    const drawn = JSON.stringify(steps);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.element.hidden = steps.length === 0;
    const names = { stop: "stepStop", position: "stepPosition", times: "stepTimes" };
    const content = (step) => {
      if (step.step === "position") return position(step);
      return step.step === "times" ? times(step, this.board, this.model, this.hall.times(this.hall.find(this.board.board) ?? this.board)) : h("p", { text: stopText(step) });
    };
    const all = steps.every(({ state }) => state === "done");
    const fen = steps.find(({ step }) => step === "position")?.fen ?? this.alert.facts?.reinstate;
    const item = (step) => h("li", { class: `step ${step.state}`, "data-step": step.step, "data-state": step.state },
      h("span", { class: "tick", "aria-hidden": "true", text: SIGNS[step.state] }),
      h("div", null, h("h3", null, t(names[step.step]), h("span", { class: "unseen", text: ` – ${t(`step${step.state[0].toUpperCase()}${step.state.slice(1)}`)}` })), content(step)));
    this.element.replaceChildren(h("h2", { text: t("steps") }), h("ol", { class: "steps" }, steps.map(item)),
      h("p", { class: "all-done", role: "status", text: all ? t(fen ? "stepsDone" : "stepsDoneBare", { side: fen ? sideName(sideOf(fen)) : "" }) : "" }));
    setAttribute(this.element, "data-done", all ? "" : null);
  }
}
