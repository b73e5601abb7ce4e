// All boards with what they stand on: links, batteries, clocks, firmware; what is wrong comes first.

import { arbiter, read, troubles } from "./api.js";
import { hasBegun } from "./card.js";
import { clockText, h, setAttribute, setText } from "./dom.js";
import { icon } from "./icons.js";
import { failure, tableName } from "./parts.js";
import { sanText, scoreText, t } from "./words.js";

/** Milliseconds after which the page is read anew. */
const LOOK_MS = 10_000;

/** Charge below which a battery does not last a round, percent. */
const LOW_BATTERY = 20;

/** Says what is wrong with the equipment of a board; empty if nothing is. */
function problems(board) {
  return [
    !board.up && t("linkDown"),
    board.up && board.clock?.connected === false && t("clockLost"),
    board.up && !board.clock && t("noClock"),
    board.clock?.low_battery && t("clockBattery"),
    typeof board.battery === "number" && board.battery < LOW_BATTERY && t("battery", { percent: board.battery }),
  ].filter(Boolean);
}

/** Says what goes on at a board. */
function activity(board) {
  const { game } = board;
  if (game?.result) return `${t("tileOver")} ${scoreText(game.result)}`;
  if (!hasBegun(board)) return t("notBegun");
  return game?.last ? `${t("tileRunning")}, ${Math.ceil(game.ply / 2)}${game.last.side === "black" ? "…" : "."} ${sanText(game.last.san)}` : t("tileRunning");
}

function row(board, known) {
  const wrong = problems(board);
  const name = String(board.table ?? "–");
  return h("tr", { "data-s": wrong.length ? "eq" : null, "data-board": board.board },
    h("td", { class: "num tno" }, h("a", { href: `#/board/${encodeURIComponent(board.board)}`, "aria-label": tableName(board), text: name })),
    h("td", null, wrong.length ? h("b", { class: "c-eq" }, icon("eq"), ` ${wrong.join(", ")}`) : h("span", { class: "dim", text: activity(board) })),
    h("td", { text: (known?.port ?? board.port).replace(/^.*\//, "") }),
    h("td", null, typeof board.battery === "number" ? [h("progress", { max: 100, value: board.battery, "data-low": board.battery < LOW_BATTERY, "aria-label": t("battery", { percent: board.battery }) }), ` ${board.battery} %`] : h("span", { class: "dim", text: t("eqMains") })),
    h("td", { text: board.serial ?? "–" }), h("td", { class: "dim", text: known?.version ?? "–" }),
    h("td", { text: board.clock ? (board.clock.connected === false ? t("clockLost") : `${clockText(board.clock.white)} / ${clockText(board.clock.black)}`) : t("noClock") }));
}

/** Shows the equipment of the hall. */
export function equipmentView(main, { hall }) {
  let known = new Map();
  let missing = [];
  let only = false;
  let ended = false;
  const body = h("tbody");
  const numbers = { all: h("b"), wrong: h("b"), none: h("b") };
  const all = h("button", { type: "button", onclick: () => { only = false; draw(); } }, numbers.all, ` ${t("eqBoards")}`);
  const wrong = h("button", { type: "button", onclick: () => { only = true; draw(); } }, h("span", { class: "c-eq" }, icon("eq")), numbers.wrong, ` ${t("eqProblem")}`);
  const absent = h("div", { class: "banner", "data-s": "look", hidden: true });
  const service = h("div", { id: "machine" });
  const spare = h("p", { class: "small" });
  const heads = [["eqTable", "num"], ["eqState"], ["port"], ["eqPower"], ["serial"], ["firmware"], ["eqClock"]];
  main.replaceChildren(
    h("div", { class: "page-head" }, h("h1", { text: t("equipmentTitle") }), h("div", { class: "seg", role: "group", "aria-label": t("eqState") }, all, wrong),
      h("a", { class: "button push", id: "to-broadcast", href: "#/broadcast", text: t("broadcast") }), h("a", { class: "button", href: "#/tables", text: t("whichTable") })),
    absent,
    h("div", { class: "with-side" },
      h("section", { class: "panel flush" }, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("equipmentTitle") }, h("table", { class: "data equipment" },
        h("thead", null, h("tr", null, heads.map(([name, kind]) => h("th", { scope: "col", class: kind ?? null, text: t(name) })))), body))),
      h("aside", { class: "stack" },
        h("section", { class: "panel" }, h("h2", { text: t("machine") }), service),
        h("section", { class: "panel" }, h("h2", { text: t("spares") }), spare))));

  function draw() {
    const boards = [...hall.boards.values()].sort((a, b) => problems(b).length - problems(a).length || (a.table ?? 1e6) - (b.table ?? 1e6));
    const bad = boards.filter((board) => problems(board).length);
    setText(numbers.all, String(boards.length));
    setText(numbers.wrong, String(bad.length));
    setAttribute(all, "aria-pressed", String(!only));
    setAttribute(wrong, "aria-pressed", String(only));
    body.replaceChildren(...(only ? bad : boards).map((board) => row(board, known.get(board.board))));
    absent.hidden = missing.length === 0;
    setText(absent, `${t("eqNoBoard")}: ${missing.join(", ")}`);
    const free = boards.filter((board) => !board.table).map((board) => board.serial ?? board.board);
    setText(spare, free.length ? free.join(", ") : t("noSpares"));
  }

  async function load() {
    try {
      const boards = await read("/api/boards");
      known = new Map(boards.map(({ board, port, version }) => [board, { port, version }]));
      const planned = arbiter.mayOrder ? await read("/api/tables").catch(() => null) : null;
      missing = (planned?.tables ?? []).filter(({ board }) => !board).map(({ table }) => table);
      if (ended) return;
      draw();
      const lines = await troubles();
      service.replaceChildren(...(lines.length ? lines.map((one) => h("p", { class: "c-look small", text: one })) : [h("p", { class: "good small", text: `✓ ${t("machineFine")}` })]));
    } catch (error) {
      if (!ended && !known.size) service.replaceChildren(failure(error));
    }
  }

  draw();
  load();
  const ticking = setInterval(() => {
    if (!document.hidden && !body.contains(document.activeElement)) draw();
  }, LOOK_MS);
  return {
    changed(board, event) {
      if (event && !["board", "link"].includes(event)) return;
      draw();
    },
    connected: draw,
    reset: load,
    end() {
      ended = true;
      clearInterval(ticking);
    },
  };
}
