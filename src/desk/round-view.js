// The round, from its pairings to the last slip.

import { arbiter, download, read, send } from "./api.js";
import { h, setAttribute, setText } from "./dom.js";
import { outcomeLine, sureButton } from "./orders.js";
import { Pairings } from "./pairings-part.js";
import { choice, failure } from "./parts.js";
import { reasonText } from "./refusals.js";
import { Results, resultState } from "./results-part.js";
import { SetUp } from "./setup-part.js";
import { toast } from "./toast.js";
import { t, timeText } from "./words.js";

/** Milliseconds in which changes are collected, and after which the round is read anew in any case. */
const COLLECT_MS = 1000;
const LOOK_MS = 10_000;

const STAGES = ["Pairings", "SetUp", "Playing", "Results"];

/** The stage that a round is at. */
function stageOf(round) {
  if (!round) return "SetUp";
  if (round.state === "planned") return "SetUp";
  return round.state === "finished" || round.playing === 0 ? "Results" : "Playing";
}

/** Games that were played in the round and are those of no table. */
function unpairedList(loose, pair) {
  if (!loose?.length) return null;
  const line = ({ table, board, number, began }) => h("li", null, h("span", { text: `${table ? t("table", { number: table }) : t("board", { serial: board })} · ${timeText(began)}` }),
    arbiter.mayOrder && table && h("button", { type: "button", class: "plain", text: t("roundPair", { table }), onclick: () => pair({ table, board, game: number }) }));
  return h("section", { class: "panel", id: "unpaired" }, h("h2", { text: t("roundUnpaired") }), h("p", { class: "hint", text: t("roundUnpairedText") }), h("ul", { class: "other" }, loose.map(line)));
}

/** Shows a round; without one that is known, how ready the tables are. */
export function roundView(main, { name: wanted }) {
  const setUp = new SetUp();
  const line = outcomeLine();
  const title = h("h1", { text: t("beforeRound") });
  const stages = h("div", { class: "stages", role: "group", "aria-label": t("stages"), hidden: true });
  const left = h("div", { class: "stack" });
  const right = h("aside", { class: "stack" });
  const place = h("div", null, setUp.element);
  const rounds = h("div", { class: "push" });
  let all = [];
  let round = null;
  let stage = null;
  let results = null;
  let loose = null;
  let looseDrawn = "";
  let ended = false;
  let again = 0;
  let collected = 0;

  const act = async (path, body, said) => {
    try {
      await send("POST", path, body);
      line.className = "outcome done";
      setText(line, said);
      return true;
    } catch (error) {
      line.className = "outcome refused";
      setText(line, t("orderRefused", { reason: reasonText(error.message) }));
      return false;
    } finally {
      load();
    }
  };
  /** Says that a game is that of its table; the one that was comes back if that is taken back. */
  const pair = async (game) => {
    const path = `/api/rounds/${round.round}/games`;
    const was = round.games.find(({ table }) => table === game.table)?.game;
    const back = was ? { table: game.table, board: was.board, game: was.number } : { ...game, unpaired: true };
    if (await act(path, game, t("roundPair", game))) toast(t("roundPair", game), () => act(path, back, t("undone")));
  };
  const pairings = new Pairings(arbiter.isChief, () => load());

  const buttons = STAGES.map((name) => {
    const note = h("small");
    const button = h("button", { type: "button", "data-stage": name, onclick: () => { stage = name; draw(); } }, h("b", { text: t(`stage${name}`) }), note);
    return { name, note, button };
  });
  stages.append(...buttons.map(({ button }) => button));

  function aside() {
    const { round: number } = round;
    const games = round.games ?? [];
    const missing = games.filter(({ result }) => !result).length;
    const save = (path, kind) => download(path, `round-${number}.${kind}`).catch((error) => { line.className = "outcome refused"; setText(line, t("failed", { reason: reasonText(error.message) })); });
    const finish = round.state !== "finished" && arbiter.isChief && (missing ? h("button", { type: "button", class: "wide", disabled: true, text: t("roundFinishMissing", { round: number, number: missing }) }) : sureButton(t("roundFinish", { round: number }), () => act(`/api/rounds/${number}/finish`, {}, t("roundEnded", { round: number })), { class: "wide", id: "finish-round" }));
    right.replaceChildren(...[
      h("section", { class: "panel" }, h("h2", { text: t("resState") }), resultState(games)),
      round.state === "planned" && arbiter.isChief && h("section", { class: "panel" }, sureButton(t("roundStart", { round: number }), () => act(`/api/rounds/${number}/start`, {}, t("roundBegan", { round: number })), { class: "primary wide", id: "start-round" })),
      h("section", { class: "panel" }, h("h2", { text: t("resTo") }), h("div", { class: "stack" },
        h("button", { type: "button", class: "wide", text: t("resTrf"), onclick: () => save(`/api/rounds/${number}/results.trf`, "trf") }), h("button", { type: "button", class: "wide", text: t("resCsv"), onclick: () => save(`/api/rounds/${number}/results.csv`, "csv") }),
        h("button", { type: "button", class: "wide", text: t("resPgn"), onclick: () => save(`/round-${number}/games.pgn`, "pgn") }), finish)),
      h("section", { class: "panel" }, h("a", { href: "#/report", text: t("report") }))].filter(Boolean));
  }

  function draw() {
    const shown = stage ?? stageOf(round);
    for (const { name, button } of buttons) setAttribute(button, "aria-pressed", String(name === shown));
    if (!round) {
      place.replaceChildren(shown === "Pairings" ? pairings.element : setUp.element);
      return;
    }
    const games = round.games ?? [];
    const notes = { Pairings: t("stagePairs", { number: games.length || round.tables }), SetUp: setUp.text, Playing: t("stagePlays", { number: round.playing }), Results: t("stageOf", { number: games.filter(({ result }) => result).length, all: games.length || round.tables }) };
    for (const { name, note } of buttons) setText(note, notes[name]);
    setText(title, t("roundOf", { round: round.round }));
    aside();
    if (results?.round !== round.round) results = new Results(round.round, load);
    results.update(shown === "Playing" ? games.filter(({ result }) => !result) : games);
    pairings.update(games);
    const content = { Pairings: pairings.element, SetUp: setUp.element, Playing: results.element, Results: results.element }[shown];
    const plays = shown === "Playing" || shown === "Results";
    const unpaired = JSON.stringify(round.unpaired_games);
    if (unpaired !== looseDrawn) {
      looseDrawn = unpaired;
      loose = unpairedList(round.unpaired_games, pair);
    }
    // What is wrong at a table is worth knowing while the round is played, too.
    const wanted = [content, plays && loose, plays && setUp.element].filter(Boolean);
    if (wanted.length !== left.children.length || wanted.some((one, index) => left.children[index] !== one)) left.replaceChildren(...wanted);
    if (place.firstChild !== left.parentElement || !left.parentElement) place.replaceChildren(h("div", { class: "with-side" }, left, right));
  }

  async function load() {
    clearTimeout(again);
    try {
      all = await read("/api/rounds");
      const present = all.find(({ round: number }) => String(number) === wanted) ?? all.find(({ current }) => current) ?? all.at(-1);
      round = present ? await read(`/api/rounds/${present.round}`) : null;
      if (ended) return;
      stages.hidden = false;
      const select = choice(all.map(({ round: number }) => [String(number), t("roundOf", { round: number })]), String(present?.round ?? ""), { "aria-label": t("roundChoose"), onchange: ({ target }) => { location.hash = `#/round/${target.value}`; } });
      if (!rounds.contains(document.activeElement)) rounds.replaceChildren(...(all.length > 1 ? [select] : []));
      draw();
    } catch (error) {
      // A desk of many halls, and a daemon of an earlier version, know of no rounds.
      if (!ended && error.status !== 404 && !round) left.replaceChildren(failure(error));
    }
    if (!ended) again = setTimeout(load, LOOK_MS);
  }

  main.replaceChildren(h("div", { class: "page-head" }, title, rounds), stages, line, place);
  load();
  return {
    changed(board, event) {
      setUp.changed(board);
      if (event === "clock") return;
      collected ||= setTimeout(() => {
        collected = 0;
        load();
      }, COLLECT_MS);
    },
    reset() {
      setUp.load();
      load();
    },
    end() {
      ended = true;
      setUp.end();
      clearTimeout(again);
      clearTimeout(collected);
    },
  };
}
