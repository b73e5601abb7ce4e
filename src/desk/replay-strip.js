// What the board sensed, played again: squares and clocks from frame to frame, at any speed, back and forth.

import { diagram, piecesOf } from "./board-svg.js";
import { read } from "./api.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { sentence } from "./evidence.js";
import { choice } from "./parts.js";
import { codeName, sideName, spoken, t } from "./words.js";

/** Seconds before the moment at which the replay begins. */
const LEAD_S = 2;

const SPEEDS = ["0.25", "0.5", "1", "2", "4"];

/** Reads the frames around an alert; of an earlier game it is found by when it was raised. */
export function framesAround(board, alert) {
  const which = `alert=${encodeURIComponent(alert.id)}&at=${encodeURIComponent(alert.at)}`;
  return read(`/api/boards/${encodeURIComponent(board.board)}/frames?${which}&language=${spoken()}`);
}

/** Reads the frames around an instant of any game, and finds the moment on their timeline at which a ply was made. */
export async function framesAt(board, at, ply) {
  const frames = await read(`/api/boards/${encodeURIComponent(board.board)}/frames?at=${encodeURIComponent(at)}&language=${spoken()}`);
  if (!frames.length) throw new Error(t("noEvents"));
  const shown = frames.findLast(({ events }) => events.some((event) => event.event === "move" && event.ply === ply));
  return { frames, moment: (shown ?? frames[Math.floor(frames.length / 2)]).t };
}

/** Lists the squares that a frame changed. */
const touched = (frame) => frame.events.filter(({ event }) => event === "lift" || event === "place").map(({ square }) => square);

/** Returns the pieces that stood on squares that the frame emptied, to be shown faintly. */
function lifted(frame) {
  const now = piecesOf(frame.pieces);
  return new Map(frame.events.filter(({ event, square }) => event === "lift" && !now.has(square)).map(({ square, piece }) => [square, piece]));
}

/** Returns the index of the frame that shows an instant. */
export function frameAt(frames, instant) {
  let index = 0;
  while (index + 1 < frames.length && frames[index + 1].t <= instant + 1e-6) index += 1;
  return index;
}

/** Says what happened in a frame: clock reports say nothing that the clocks do not show, and alerts say at length what has a name. */
const texts = (frame) => frame.events.filter(({ event }) => !["clock", "alert-update"].includes(event))
  .map((event) => (event.event === "alert" ? codeName(event.code) : sentence(event))).filter(Boolean);

/** The most positions of the strip. */
const KEYS = 5;

/** Returns the frames that show what happened: the last before the moment in which something was lifted, placed or pressed, and one after. */
function keyFrames(frames, moment) {
  const acts = frames.map((_, index) => index).filter((index) => frames[index].events.some(({ event }) => ["lift", "place", "press", "move"].includes(event)));
  const before = acts.filter((index) => frames[index].t <= moment + 0.05).slice(1 - KEYS);
  const [after] = acts.filter((index) => frames[index].t > moment + 0.05);
  return after === undefined ? before : [...before, after];
}

/** A replay of frames; `moment` is the instant that times are relative to. */
export class ReplayStrip {
  constructor(frames, moment) {
    Object.assign(this, { frames, moment, index: -1, timer: 0, last: 0 });
    const button = (id, sign, label, act) => h("button", { type: "button", id, "aria-label": label, title: label, text: sign, onclick: act });
    this.figure = h("figure", { class: "replay-figure" });
    this.clocks = Object.fromEntries(["white", "black"].map((side) => [side, h("span", { class: "clock" })]));
    this.time = h("p", { class: "replay-time" });
    this.caption = h("p", { class: "replay-caption", id: "replay-caption" });
    this.play = button("replay-play", "▶", t("replayPlay"), () => (this.timer ? this.pause() : this.start()));
    this.speed = choice(SPEEDS.map((speed) => [speed, t("replayTimes", { number: speed })]), "1", { "aria-label": t("replaySpeed"), id: "replay-speed" });
    this.slider = h("input", { type: "range", id: "replay-slider", "aria-label": t("replayInstant"), min: frames[0].t, max: frames.at(-1).t, step: 0.01 });
    this.slider.oninput = () => {
      this.pause();
      this.seek(Number(this.slider.value));
    };
    const player = (side) => h("div", { class: `player ${side}` }, h("span"), h("span", { class: "disc", "aria-hidden": "true" }), h("span", { class: "name", text: sideName(side) }), this.clocks[side]);
    this.keys = keyFrames(frames, moment).map((index) => this.#key(index));
    this.element = h("div", { class: "replay" }, this.keys.length > 1 && h("div", { class: "replay-frames", role: "group", "aria-label": t("replay") }, this.keys.map(({ button: one }) => one)), player("black"), this.figure, player("white"), this.time, this.caption, this.slider,
      h("div", { class: "buttons" }, button("replay-begin", "❙◀◀", t("replayBegin"), () => this.begin()),
        button("replay-back", "◀❙", t("replayBack"), () => this.step(-1)), this.play,
        button("replay-forth", "❙▶", t("replayForth"), () => this.step(1)), this.speed));
    this.begin();
  }

  /** One position of the strip; a press shows it. */
  #key(index) {
    const frame = this.frames[index];
    const at = frame.t - this.moment;
    const element = h("button", { type: "button", "aria-pressed": "false", onclick: () => { this.pause(); this.seek(frame.t); } },
      diagram(frame.pieces, { marks: touched(frame), ghosts: lifted(frame), edge: false, label: null }), h("b", { text: `${at < -0.05 ? "−" : at > 0.05 ? "+" : ""}${Math.abs(at).toFixed(1)} s` }), h("span", { text: texts(frame)[0] ?? "" }));
    return { index, button: element };
  }

  /** Goes to where the replay begins. */
  begin() {
    this.pause();
    this.seek(Math.max(this.frames[0].t, this.moment - LEAD_S));
  }

  /** Shows an instant. */
  seek(instant) {
    this.instant = Math.min(Math.max(instant, this.frames[0].t), this.frames.at(-1).t);
    this.slider.value = this.instant;
    const relative = `${this.instant < this.moment ? "−" : "+"}${Math.abs(this.instant - this.moment).toFixed(2)}`;
    setText(this.time, t("replayAt", { seconds: relative }));
    setAttribute(this.slider, "aria-valuetext", this.time.textContent);
    const index = frameAt(this.frames, this.instant);
    if (index === this.index) return;
    this.index = index;
    const frame = this.frames[index];
    setAttribute(this.element, "data-frame", String(index));
    setAttribute(this.element, "data-pieces", frame.pieces);
    this.figure.replaceChildren(diagram(frame.pieces, { marks: touched(frame), ghosts: lifted(frame), label: t("sensed") }));
    for (const side of ["white", "black"]) {
      setText(this.clocks[side], frame.clock ? clockText(frame.clock[side]) : "–");
      setAttribute(this.clocks[side].parentElement, "data-turn", frame.clock?.running === side ? "" : null);
    }
    for (const { index: one, button } of this.keys) setAttribute(button, "aria-pressed", String(one === index));
    setText(this.caption, texts(frame).join(" · ") || "…");
  }

  /** Shows another frame, one on or one back. */
  step(by) {
    this.pause();
    const index = Math.min(Math.max(this.index + by, 0), this.frames.length - 1);
    this.seek(this.frames[index].t);
  }

  /** Plays on, from the beginning if the end is shown. */
  start() {
    if (this.instant >= this.frames.at(-1).t) this.begin();
    this.#label("❚❚", t("replayPause"));
    this.last = performance.now();
    this.timer = requestAnimationFrame((now) => this.#run(now));
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.#label("▶", t("replayPlay"));
  }

  #label(sign, label) {
    setText(this.play, sign);
    setAttribute(this.play, "aria-label", label);
    setAttribute(this.play, "title", label);
  }

  #run(now) {
    this.seek(this.instant + (Math.max(0, now - this.last) / 1000) * Number(this.speed.value));
    this.last = now;
    if (this.instant >= this.frames.at(-1).t) this.pause();
    else this.timer = requestAnimationFrame((next) => this.#run(next));
  }
}

/** Starts a replay by itself unless the device asks for less motion. */
export function startByItself(strip) {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) strip.start();
}
