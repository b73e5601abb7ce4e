// What arbiters let each other know: who has seen an alert, who goes to its table, who looks after which tables.

import { isOpen } from "./alerts.js";
import { arbiter, send } from "./api.js";
import { h, setAttribute, setText } from "./dom.js";
import { outcomeLine } from "./orders.js";
import { ageText, choice, field, tableName } from "./parts.js";
import { reasonText } from "./refusals.js";
import { toast } from "./toast.js";
import { t, timeText } from "./words.js";

/** Returns whether a text such as `1-20,25`, or `hall-a:1-20,25,hall-b:*`, has a table of a hall; the empty one has all. */
export function isIn(tables, table, hall = null) {
  if (!tables) return true;
  let only = null;
  return tables.split(",").some((part) => {
    const [range, name] = part.split(":").reverse();
    only = name ?? only;
    if (only !== null && only !== hall) return false;
    const [first, last = first] = range.split("-").map(Number);
    return range === "*" || (table >= first && table <= last);
  });
}

/** Names an arbiter; whoever has the token of the daemon may have given no name. */
const nameOf = (name) => name || t("theChief");

/** What the daemon reports of it. */
export class Attention {
  constructor({ alerts = {}, watching = {}, handed = {}, sectors = {}, screens = [], escalate_s = 0, going_s = Infinity } = {}) {
    Object.assign(this, { alerts, watching, handed, sectors, screens, escalate_s, going_s });
  }

  /** Returns whether somebody looks after a table; whoever has no account looks after all. */
  has(name, { table, hall }) {
    const sector = this.sectors[name];
    return !sector || sector.some((tables) => isIn(tables, table, hall));
  }

  /** Returns whether somebody looks after some tables only. */
  isLimited(name) {
    const sector = this.sectors[name];
    return Boolean(sector) && !sector.includes("");
  }

  /** Lists who has said to go to the table of an alert, and when. */
  going(id) {
    return this.alerts[id]?.going ?? [];
  }

  /** Lists who watches the game that is played on a board. */
  watchers(board) {
    const { game, by = [] } = this.watching[board.board] ?? {};
    return game === board.game?.number && !board.game?.result ? by.map(({ name }) => name) : [];
  }

  /** Says who watches a game, in a few words; empty if nobody does. */
  watchersText(board) {
    return this.watchers(board).map(nameOf).join(", ");
  }
}

/** What whoever is signed in here is called among those who go or watch. */
const ownName = () => arbiter.session?.name ?? arbiter.name;

/** The button to watch a game; it says who does, and a press says that one does so oneself, or no more. */
export class WatchButton {
  constructor(hall, board) {
    this.hall = hall;
    this.element = h("button", { type: "button", class: "watch", onclick: () => this.#press() });
    this.update(board);
  }

  /** Shows who watches now. */
  update(board = this.board) {
    this.board = board;
    const names = this.hall.attention.watchers(board);
    const own = names.includes(ownName());
    const others = names.filter((name) => name !== ownName()).map(nameOf).join(", ");
    setText(this.element, own ? [t("youWatch"), others].filter(Boolean).join(", ") : others ? t("isWatching", { names: others }) : t("iWatch"));
    setAttribute(this.element, "aria-pressed", String(own));
    this.element.disabled = !mayGo(this.hall, board);
    this.element.hidden = this.element.disabled && !names.length;
  }

  async #press() {
    const state = this.hall.attention.watchers(this.board).includes(ownName()) ? "not-watching" : "watching";
    try {
      await send("POST", `/api/boards/${encodeURIComponent(this.board.board)}/attention`, { state });
    } catch (error) {
      setText(this.element, t("orderRefused", { reason: reasonText(error.message) }));
    }
  }
}

/** Says who goes to an alert and since when, or who has been held up; empty if nobody has set out, or it is decided. `counts` gives ages. */
export function goingText(hall, board, alert, { counts = false } = {}) {
  const here = hall.attending(board, alert);
  const shown = here.length || !isOpen(alert) ? here : hall.attention.going(alert.id);
  const since = (at) => (counts ? ageText(hall.since(at)) : t("sinceTime", { time: timeText(at) }));
  const names = shown.map(({ name, at }) => `${nameOf(name)}, ${since(at)}`).join("; ");
  return names && t(here.length ? "isGoing" : "isLate", { names });
}

/** Returns whether whoever is signed in here goes to an alert. */
export const isOwnWay = (hall, board, alert) => hall.attending(board, alert).some(({ name }) => name === ownName());

/** Returns whether it is for whoever is signed in here to go to a table. */
export const mayGo = (hall, board) => arbiter.mayOrder && (arbiter.session?.role !== "tables" || hall.isMine(board));

/** Says that one goes to an alert, or does not go after all, and offers to take it back. */
export async function setOut(hall, board, alert) {
  const [state, word] = isOwnWay(hall, board, alert) ? ["not-going", "logNotGoing"] : ["going", "logGoing"];
  const said = async (work) => {
    try {
      await work();
    } catch (error) {
      toast(t("orderRefused", { reason: reasonText(error.message) }));
    }
  };
  await said(async () => {
    await noteState(alert, state);
    toast(t(word, { subject: tableName(board) }), state === "going" && (() => said(() => noteState(alert, "not-going"))));
  });
}

const noteState = (alert, state) => send("POST", `/api/alerts/${encodeURIComponent(alert.id)}/attention`, { state });

/** Who has seen an alert and who goes there; the button to go stands beside the ruling. */
export class AttentionPanel {
  constructor(hall, board, alert) {
    Object.assign(this, { hall, board, alert });
    this.text = h("p", { id: "going", role: "status" });
    this.seen = h("p", { class: "hint", id: "seen-by" });
    this.line = outcomeLine();
    this.button = h("button", { type: "button", id: "go", "aria-keyshortcuts": "G", onclick: () => this.#press() });
    this.element = h("div", { class: "attention" }, this.text, this.seen, this.line);
    if (arbiter.mayOrder && alert.state === "open") noteState(alert, "seen").catch(() => {});
    this.update();
  }

  /** The board as it is now. */
  get #live() {
    return this.hall.find(this.board.board) ?? this.board;
  }

  get #own() {
    return isOwnWay(this.hall, this.#live, this.alert);
  }

  /** Shows what is known now. */
  update() {
    const { attention } = this.hall;
    setText(this.text, goingText(this.hall, this.#live, this.alert));
    const seen = (attention.alerts[this.alert.id]?.seen ?? []).map(nameOf);
    setText(this.seen, seen.length ? t("seenBy", { names: seen.join(", ") }) : "");
    setText(this.button, t(this.#own ? "notGoing" : "imGoing"));
  }

  async #press() {
    this.line.className = "outcome";
    setText(this.line, "");
    try {
      await noteState(this.alert, this.#own ? "not-going" : "going");
    } catch (error) {
      this.line.classList.add("refused");
      setText(this.line, t("orderRefused", { reason: reasonText(error.message) }));
    }
  }
}

/** Hands the own tables to somebody else, and takes them back; null for whoever has none. */
export function handOverForm(hall) {
  const { session } = arbiter;
  const others = Object.keys(hall.attention.sectors).filter((name) => name !== session?.name && !hall.attention.screens.includes(name));
  if (!session?.until || session.role === "screen" || !others.length) return null;
  const to = choice([["", t("handOverNobody")], ...others.map((name) => [name, name])], hall.attention.handed[session.name] ?? "", { id: "hand-over-to" });
  const line = outcomeLine();
  const form = h("form", { class: "panel", id: "hand-over" }, h("h2", { text: t("handOver") }), h("p", { class: "hint", text: t("handOverText") }),
    h("div", { class: "fields" }, field(t("handOverTo"), to)), h("div", { class: "buttons" }, h("button", { type: "submit", text: t("save") })), line);
  form.onsubmit = async (submit) => {
    submit.preventDefault();
    line.className = "outcome";
    try {
      await send("POST", "/api/handover", { to: to.value || null });
      line.classList.add("done");
      setText(line, to.value ? t("handedOver", { name: to.value }) : t("handedBack"));
    } catch (error) {
      line.classList.add("refused");
      setText(line, t("orderRefused", { reason: reasonText(error.message) }));
    }
  };
  return form;
}
