// The incident report: what happened, the evidence, the ruling, by whom and when. One incident, or those of a round; to
// be printed and signed.

import { read } from "./api.js";
import { diagram } from "./board-svg.js";
import { clockText, h } from "./dom.js";
import { sentence } from "./evidence.js";
import { orderWords } from "./order-words.js";
import { confidenceName, facts, failure, stateName } from "./parts.js";
import { reasonText } from "./refusals.js";
import { codeName, dayText, eventLanguage, sideName, spoken, t, timeText } from "./words.js";

/** Seconds of events before an incident that are shown, and the most lines of them. */
const BEFORE_S = 15;
const AFTER_S = 2;
const MOST_EVENTS = 14;

const SHOWN = new Set(["lift", "place", "press", "move"]);

const place = (incident) => (incident.table ? t("table", { number: incident.table }) : t("board", { serial: incident.board }));

/** Says the incident in the language of the page: the log is in that of the event. */
async function happened(hall, incident) {
  const own = incident.parts?.happened ?? incident.text;
  if (spoken() === eventLanguage(hall)) return own;
  const wish = `alert=${encodeURIComponent(incident.id)}&at=${encodeURIComponent(incident.at)}&language=${spoken()}`;
  try {
    const { parts, text } = await read(`/api/boards/${encodeURIComponent(incident.board)}/text?${wish}`);
    return parts?.happened || text;
  } catch {
    return own;
  }
}

/** Reads what board and clock reported before an incident. */
async function strip(incident) {
  const which = `alert=${encodeURIComponent(incident.id)}&at=${encodeURIComponent(incident.at)}&language=${spoken()}`;
  const events = await read(`/api/boards/${encodeURIComponent(incident.board)}/events?${which}`);
  const moment = incident.facts?.pressed_at ?? events.find(({ event, id }) => event === "alert" && id === incident.id)?.t;
  if (moment === undefined) return [];
  return events.filter(({ event, t: at }) => SHOWN.has(event) && at >= moment - BEFORE_S && at <= moment + AFTER_S).slice(-MOST_EVENTS)
    .map((event) => [event.t - moment, sentence(event)]);
}

function strips(lines) {
  if (!lines.length) return h("p", { class: "hint", text: t("noEvents") });
  return h("table", { class: "strip" }, h("tbody", null, lines.map(([at, text]) => h("tr", null,
    h("td", { class: "number", text: `${at < 0 ? "−" : "+"}${Math.abs(at).toFixed(1)} s` }), h("td", { text })))));
}

/** Lists the rulings; an incident without one says what became of it. */
function ruled(incident) {
  if (!incident.rulings.length) return h("p", { text: t("repNoRuling", { state: stateName(incident.state), time: timeText(incident.changed) }) });
  return h("ul", { class: "rulings" }, incident.rulings.map((entry) => h("li", null,
    h("strong", { text: `${timeText(entry.at)} ${entry.arbiter ?? t("repUnnamed")}: ` }), orderWords(entry))));
}

const signature = (label) => h("div", { class: "signature" }, h("span", { class: "rule" }), h("span", { text: label }));

/** One incident: a section of the report. */
function section(hall, incident, number, queue) {
  const text = h("p", { class: "happened", text: incident.parts?.happened ?? incident.text });
  const events = h("div", { class: "strip-holder" }, h("p", { class: "hint", text: t("loading") }));
  queue.push(async () => {
    text.textContent = await happened(hall, incident);
    try {
      events.replaceChildren(strips(await strip(incident)));
    } catch (error) {
      events.replaceChildren(h("p", { class: "hint", text: t("replayMissing", { reason: reasonText(error.message) }) }));
    }
  });
  const { clock, reinstate, set_clock: set } = incident.facts ?? {};
  const times = (both) => `${t("white")} ${clockText(both.white)}, ${t("black")} ${clockText(both.black)}`;
  const player = incident[incident.side] ? ` (${incident[incident.side]})` : "";
  const side = incident.side && incident.side !== "both" ? ` – ${sideName(incident.side)}${player}` : "";
  return h("section", { class: "incident", "data-incident": incident.id },
    h("h2", { text: `${number}. ${place(incident)}: ${codeName(incident.code)}${side}` }),
    h("div", { class: "incident-grid" },
      h("div", null,
        facts([
          [t("when"), dayText(incident.at)],
          [t("white"), incident.white], [t("black"), incident.black],
          [t("repMove"), incident.ply ? `${Math.ceil(incident.ply / 2)}${incident.ply % 2 ? "." : "…"}` : null],
          [t("repArticles"), [incident.article, incident.authority].filter(Boolean).join(", ")],
          [t("confidence"), confidenceName(incident.confidence)],
          [t("repClock"), clock ? times(clock) : null],
          [t("repSet"), set && incident.proposal?.add_s ? times(set) : null],
        ]),
        h("h3", { text: t("repHappened") }), text,
        // What follows from a claim that was wrong is no ruling of the arbiter, and is done all the same.
        incident.facts?.claim && incident.parts?.do && h("p", { text: incident.parts.do }),
        h("h3", { text: t("actions") }), ruled(incident)),
      h("div", null,
        reinstate && h("figure", null, diagram(reinstate, { label: t("repBefore") }), h("figcaption", { text: t("repBefore") })),
        h("h3", { text: t("repEvents") }), events)));
}

/** All incidents, one a line. */
function overview(incidents) {
  const heads = ["when", "eqTable", "what", "who", "actions"];
  const row = (incident, index) => h("tr", null, h("td", { text: `${index + 1}. ${timeText(incident.at)}` }), h("td", { text: incident.table ? String(incident.table) : incident.board }), h("td", { text: codeName(incident.code) }),
    h("td", { text: incident.side && incident.side !== "both" ? incident[incident.side] || sideName(incident.side) : "" }), h("td", { text: incident.rulings.length ? incident.rulings.map((entry) => orderWords(entry)).join(" ") : stateName(incident.state) }));
  return h("table", { class: "incidents" }, h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col", text: t(name) })))), h("tbody", null, incidents.map(row)));
}

/** Shows the report of a round, or of the incident with this id. */
export function reportView(main, { hall, id }) {
  main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
  let ended = false;
  const load = async () => {
    try {
      const report = await read("/api/report");
      const { incidents, entries, event, round, from, to } = id ? await one(report, id) : report;
      if (ended) return;
      const queue = [];
      const name = [event, round && t("repRound", { round })].filter(Boolean).join(" · ");
      const save = () => {
        const link = h("a", { href: URL.createObjectURL(new Blob([JSON.stringify({ event, round, from, to, incidents, entries }, null, 2)], { type: "application/json" })), download: "incidents.json" });
        link.click();
        URL.revokeObjectURL(link.href);
      };
      main.replaceChildren(h("article", { class: "sheet report" },
        h("p", { class: "no-print buttons" }, id && h("a", { class: "button", href: "#/report", text: t("repAll") }),
          h("button", { type: "button", class: "primary", id: "print", text: t("printNow"), onclick: () => print() }),
          h("button", { type: "button", id: "save-json", text: t("repJson"), onclick: save })),
        h("h1", { text: t(id ? "repOne" : "repTitle") }),
        h("p", { class: "sheet-event", text: `${name} · ${dayText(from)} – ${dayText(to)}` }),
        !id && incidents.length > 1 && overview(incidents),
        incidents.length ? incidents.map((incident, index) => section(hall, incident, index + 1, queue)) : h("p", { class: "empty", text: t("repNone") }),
        !id && entries.length > 0 && h("section", { class: "entries" }, h("h2", { text: t("repEntries") }),
          h("ul", { class: "rulings" }, entries.map((entry) => h("li", null, h("strong", { text: `${timeText(entry.at)} ${entry.table ? t("table", { number: entry.table }) : entry.board} ${entry.arbiter ?? ""}: ` }), orderWords(entry))))),
        h("div", { class: "signatures" }, signature(t("repArbiter")), id ? signature(t("white")) : signature(t("repChief")), id && signature(t("black")), signature(t("sheetDate")))));
      // One after the other: each replays a capture.
      for (const work of queue) {
        if (ended) return;
        await work();
      }
      main.querySelector(".report")?.setAttribute("data-ready", "");
    } catch (error) {
      if (!ended) main.replaceChildren(error.status === 401 ? h("p", null, h("a", { href: "#/settings", text: t("signIn") })) : failure(error));
    }
  };
  load();
  return { changed() {}, reset: load, end() { ended = true; } };
}

/** Returns the report with nothing but one incident, which may be of an earlier round. */
async function one(report, id) {
  let found = report.incidents.filter((incident) => incident.id === id);
  if (!found.length) {
    const all = await read("/api/report?from=1970-01-01T00:00:00Z");
    found = all.incidents.filter((incident) => incident.id === id);
  }
  const [first] = found;
  return { ...report, incidents: found, entries: [], from: first?.at ?? report.from, to: first?.changed ?? report.to };
}
