// What the public sees: how each way out does, which move of each game viewers have, and the switches that hold games back.

import { arbiter, read, send } from "./api.js";
import { h, setText } from "./dom.js";
import { icon } from "./icons.js";
import { outcomeLine, sureButton } from "./orders.js";
import { ageText, failure } from "./parts.js";
import { reasonText } from "./refusals.js";
import { toast } from "./toast.js";
import { scoreText, t } from "./words.js";

/** Milliseconds after which the page is read anew. */
const LOOK_MS = 5000;

/** Names of the ways out. */
const NAMES = { pgn: "outFiles", lichess: "Lichess", mqtt: "outBroker", public: "outPublic", livechess: "LiveChess" };

const ago = (at, now) => t("castAgo", { age: ageText(Math.max(0, (Date.parse(now) - Date.parse(at)) / 1000)) });

/** Says how a way out does. */
function outputRow({ name: way, target, last_success: last, failures, refused_games: refused, trouble }, now) {
  const name = NAMES[way].startsWith("out") ? t(NAMES[way]) : NAMES[way];
  const state = trouble ? h("b", { class: "c-eq" }, icon("eq"), ` ${trouble}`)
    : last ? h("span", { class: "good", text: ago(last, now) })
      : h("span", { class: "dim", text: last === undefined ? t("castFetched") : t("castNothing") });
  const notes = [failures > 0 && t("castFailures", { number: failures }), refused > 0 && t("castRefused", { number: refused })].filter(Boolean);
  return h("tr", { "data-output": way }, h("td", { text: name }), h("td", null, state), h("td", { class: "dim", text: notes.join(", ") }), h("td", { class: "dim", text: target }));
}

/** Says after how many moves something is. */
const movesOf = (plies) => (typeof plies === "number" ? String(Math.ceil(plies / 2)) : "–");

/** Shows what the public sees. */
export function broadcastView(main) {
  let known = null;
  let ended = false;
  const line = outcomeLine();
  const delay = h("b");
  const outputs = h("tbody");
  const games = h("tbody");
  const empty = h("p", { class: "empty", hidden: true });
  const parts = {};
  const holdAll = h("button", { type: "button", id: "hold-all", onclick: () => hold(null, !allHeld()) });
  const head = (names) => h("thead", null, h("tr", null, names.map(([name, kind]) => h("th", { scope: "col", class: kind ?? null, text: t(name) }))));
  const table = (label, names, body, kind) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t(label) }, h("table", { class: `data ${kind}` }, head(names), body));
  main.replaceChildren(
    h("div", { class: "page-head" }, h("h1", { text: t("broadcast") }), h("span", { class: "dim" }, `${t("castDelay")} `, delay), arbiter.isChief ? h("span", { class: "push" }, holdAll) : ""),
    line,
    h("section", { class: "panel flush" }, h("h2", { class: "unseen", text: t("castOutputs") }),
      table("castOutputs", [["castOutput"], ["eqState"], ["castNotes"], ["castTarget"]], outputs, "outputs")),
    (parts.games = h("section", { class: "panel flush", hidden: true }, h("h2", { class: "unseen", text: t("castGames") }),
      table("castGames", [["eqTable", "num"], ["castPlayers"], ["castBoard", "num"], ["castPublic", "num"], ["result"], ["castSince"], ["castSwitch"]], games, "broadcast"))),
    empty);

  const allHeld = () => known.games.length > 0 && known.games.every(({ held }) => held);

  /** Stops the publication of a table, or of all, or resumes it. */
  async function hold(number, held) {
    try {
      await send("POST", `/api/rounds/${known.round}/broadcast`, number === null ? { held } : { table: number, held });
      toast(t(held ? "castHeld" : "castResumed"), async () => {
        await send("POST", `/api/rounds/${known.round}/broadcast`, number === null ? { held: !held } : { table: number, held: !held });
        await load();
      });
      line.textContent = "";
      await load();
    } catch (error) {
      line.className = "outcome refused";
      line.textContent = t("orderRefused", { reason: reasonText(error.message) });
    }
  }

  function gameRow(game) {
    const behind = typeof game.plies === "number" && typeof game.public_plies === "number" && game.plies > game.public_plies;
    // Viewers see at once what was held back: that is asked for twice.
    const act = arbiter.mayOrder && (game.held ? sureButton(t("castResume"), () => hold(game.table, false)) : h("button", { type: "button", text: t("castHold"), onclick: () => hold(game.table, true) }));
    return h("tr", { "data-table": game.table, "data-s": game.held ? "look" : null }, h("td", { class: "num tno" }, h("a", { href: `#/table/${game.table}`, text: String(game.table) })),
      h("td", { text: [game.white, game.black].filter(Boolean).join(" – ") }), h("td", { class: "num", text: movesOf(game.plies) }),
      h("td", { class: behind ? "num dim" : "num", text: movesOf(game.public_plies) }), h("td", { text: game.public_result && game.public_result !== "*" ? scoreText(game.public_result) : "" }),
      h("td", { class: "dim", text: game.held ? t("castIsHeld") : game.since ? ago(game.since, known.at) : t("castNothing") }), h("td", null, act || ""));
  }

  function draw() {
    const focused = games.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.table : null;
    setText(delay, known.publish === null ? t("castOff") : `${ageText(known.delay_s)}, ${t(known.publish === "completed" ? "castCompleted" : "castMade")}`);
    outputs.replaceChildren(...(known.outputs.length ? known.outputs.map((output) => outputRow(output, known.at)) : [h("tr", null, h("td", { colspan: 4, class: "dim", text: t("castNowhere") }))]));
    games.replaceChildren(...known.games.map(gameRow));
    empty.hidden = known.games.length > 0;
    parts.games.hidden = !empty.hidden;
    setText(empty, t(known.round === null ? "castNoRound" : "castNoGames"));
    setText(holdAll, t(known.games.length && allHeld() ? "castResumeAll" : "castHoldAll"));
    holdAll.disabled = known.games.length === 0;
    if (focused) games.querySelector(`tr[data-table="${focused}"] button`)?.focus();
  }

  async function load() {
    try {
      const now = await read("/api/broadcast");
      if (ended) return;
      known = now;
      draw();
    } catch (error) {
      if (!ended && !known) empty.replaceChildren(failure(error));
      empty.hidden = Boolean(known);
    }
  }

  load();
  // A button that waits for its second press stays as it is.
  const looking = setInterval(() => {
    if (!document.hidden && !games.querySelector("[data-armed]")) load();
  }, LOOK_MS);
  return {
    changed() {},
    connected: load,
    reset: load,
    end() {
      ended = true;
      clearInterval(looking);
    },
  };
}
