// The frame of the desk: settings, the way from page to page, the connection, and what is told aloud.

import { Alarm } from "./alarm.js";
import { urgencyOf } from "./alerts.js";
import { arbiter, follow, health } from "./api.js";
import { alertView } from "./alert-view.js";
import { arbitersView, joinView } from "./arbiters.js";
import { Attention } from "./attention.js";
import { boardView } from "./board-view.js";
import { pieceShapes } from "./board-svg.js";
import { h, setAttribute, setText } from "./dom.js";
import { Hall } from "./hall.js";
import { hallView } from "./hall-view.js";
import { failure } from "./parts.js";
import { announcement, auditView, helpView, settingsView } from "./pages.js";
import { reportView } from "./report-view.js";
import { roundView } from "./round-view.js";
import { sheetView } from "./sheet-view.js";
import { Signals } from "./signals.js";
import { labelsView, tablesView } from "./tables-view.js";
import { speak, t } from "./words.js";

const DEFAULTS = { theme: "auto", language: "auto", size: "normal", sound: false, vibration: false, soon: false, speech: false, awake: false, clock: "3000" };

/** Milliseconds before the hall is read again after it could not be. */
const RETRY_MS = 1000;

/** Milliseconds between two looks at how the service itself is. */
const HEALTH_MS = 15_000;

/** Milliseconds between two looks at the bar of urgent alerts. */
const ALARM_MS = 1000;

const main = document.getElementById("main");
const bar = document.getElementById("bar");
const offline = document.getElementById("offline");
const service = document.getElementById("service");

const stored = (name, fallback) => {
  try {
    return { ...fallback, ...JSON.parse(localStorage.getItem(name) ?? "{}") };
  } catch {
    return { ...fallback };
  }
};
const settings = stored("settings", DEFAULTS);
const options = stored("view", { sort: "table" });
const remember = () => localStorage.setItem("view", JSON.stringify(options));

const hall = new Hall();
const signals = new Signals(settings);
const alarm = new Alarm(document.getElementById("alarm"), hall);
let view = null;
let loaded = false;
/** Whether the daemon has refused to be read without the right token. */
let signingIn = false;
let connected = true;
/** Where the hall was scrolled to when it was left. */
let place = 0;

function applySettings(changes = {}) {
  Object.assign(settings, changes);
  localStorage.setItem("settings", JSON.stringify(settings));
  const root = document.documentElement;
  setAttribute(root, "data-theme", settings.theme === "auto" ? null : settings.theme);
  setAttribute(root, "data-size", settings.size);
  speak(settings.language === "auto" ? arbiter.session?.language ?? hall.event.language ?? navigator.language.slice(0, 2) : settings.language);
  signals.preview(changes);
  drawBar();
  if (changes.language) route();
}

function drawBar() {
  const link = (href, label) => h("a", { href, text: label, "aria-current": (location.hash || "#/") === href ? "page" : null });
  const { event } = hall;
  const regime = event.rules && [t(event.control), event.control === "standard" ? null : t(event.supervised ? "supervised" : "unsupervised"), event.time_control, t("lawsOf", { year: event.rules })].filter(Boolean).join(" · ");
  document.querySelector(".skip").textContent = t("skip");
  showAlarm();
  bar.replaceChildren(
    h("div", { class: "title" }, h("a", { class: "home", href: "#/" }, h("strong", { text: event.name || "jadoube" })), h("small", { text: regime || "" })),
    h("nav", { "aria-label": "jadoube" }, link("#/", t("hall")), link("#/audit", t("audit")), link("#/help", t("help")), link("#/settings", t(arbiter.mayOrder || arbiter.session ? "settings" : "signInShort"))),
    h("span", { class: "private", text: t("arbitersOnly") }),
    h("span", { id: "connection", class: connected ? "up" : "down", text: connected ? `● ${t("online")}` : `✗ ${t("notConnected")}` }));
}

/** Splits the address into the page and what it is about. */
const address = () => (location.hash || "#/").slice(1).split("/").slice(1).map(decodeURIComponent);

/** Shows the newest urgent alert in the bar, and the number of them in the title. */
function showAlarm() {
  const [page, name] = address();
  alarm.update(page === "alert" ? name : null, hall.event.name ? `${hall.event.name} – jadoube` : "jadoube");
}

/** Says whether the daemon can be heard. */
function connection(up) {
  if (up === connected) return;
  connected = up;
  offline.hidden = up;
  setText(offline, up ? "" : `⚠ ${t("offline")}`);
  setAttribute(document.documentElement, "data-offline", up ? null : "");
  if (up) setText(document.getElementById("news"), t("onlineAgain"));
  drawBar();
}

/** One thing that is wrong with the service: what it means here, and the reason as the service gives it, for technicians. */
function serviceLine(line) {
  const [, part, reason] = /^([\w.-]+): (.*)$/.exec(line) ?? [];
  const meaning = t(`part_${part}`);
  if (meaning === `part_${part}`) return h("p", { text: `⚠ ${t("serviceTrouble")} ${line}` });
  return h("p", null, `⚠ ${t("serviceTrouble")} ${meaning}. `, h("small", { lang: "en", text: reason }));
}

/** Shows what of the service is wrong, or does less than it should. */
async function lookAtService() {
  if (document.hidden || !connected) return;
  const text = await health();
  const lines = text.split("\n").filter((line) => line && line !== "ok").map((line) => line.replace(/^degraded: /, ""));
  service.hidden = lines.length === 0;
  const shown = JSON.stringify([lines, t("serviceTrouble")]);
  if (service.dataset.shown === shown) return;
  service.dataset.shown = shown;
  service.replaceChildren(...lines.map(serviceLine));
}

/** Tells of a new alert: to screen readers, and by sound or vibration for those who want it. */
function announce(board, alert) {
  const urgent = urgencyOf(alert) === 2 && hall.concerns(board, alert);
  setText(document.getElementById(urgent ? "urgent" : "news"), announcement(board, alert));
  if (hall.concerns(board, alert)) signals.alert(board, alert, urgencyOf(alert));
}

/** The only board there is, where the address asks for it: at home, one is all. */
let lone = null;
const isLive = () => address()[0] === "live";
const loneBoard = () => (isLive() && hall.boards.size === 1 ? [...hall.boards.keys()][0] : null);

/** Shows the page that the address names. */
function route() {
  view?.end();
  lone = loneBoard();
  const [page = "", wanted = ""] = lone ? ["board", lone] : isLive() ? [] : address();
  const name = ["board", "table", "sheet"].includes(page) ? hall.find(wanted)?.board ?? wanted : wanted;
  const context = { hall, options, remember, settings, apply: applySettings, signedIn, name, id: name };
  const views = { "": hallView, board: boardView, table: boardView, alert: alertView, sheet: sheetView, arbiters: arbitersView, audit: auditView, join: joinView, report: reportView, round: roundView, settings: settingsView, help: helpView, labels: labelsView, tables: tablesView };
  setAttribute(document.body, "data-page", page || "hall");
  view = (views[page] ?? hallView)(main, context);
  drawBar();
}

/** Goes on where the desk had to ask for the token. */
function signedIn() {
  if (signingIn || !loaded) loadHall();
  else if (document.body.dataset.page === "join") route();
  else drawBar();
}

/** What proxies answer when the daemon does not. */
const AWAY = new Set([502, 503, 504]);

/** Says that the daemon does not answer, on a page that has nothing to show yet. */
function showOutage() {
  if (main.querySelector("#outage")) return;
  main.replaceChildren(h("section", { class: "panel", id: "outage" },
    h("h1", { text: t("outage") }), h("p", { text: t("outageText") }), h("p", { class: "hint", text: t("outageWhy") })));
}

/** Keeps the pages on this device where the browser allows it, so that they open without the daemon. */
function keepPages() {
  navigator.serviceWorker?.register("/desk/sw.js", { scope: "/" }).catch(() => {});
  // A notification was pressed while the page is open.
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (data?.open) location.hash = data.open;
  });
}

/** Reads the hall; tries until it is there. */
async function loadHall() {
  let fresh;
  try {
    fresh = await hall.load();
  } catch (error) {
    // Reading needs the token here: the page to sign in is shown until it is right.
    if ([401, 403, 429].includes(error.status)) {
      hall.boards.clear();
      signingIn = true;
      if (!main.querySelector("#sign-in")) settingsView(main, { hall, settings, apply: applySettings, signedIn });
      return;
    }
    // A proxy before the daemon says so when it is away.
    if (!loaded && error.status && !AWAY.has(error.status)) main.replaceChildren(failure(error));
    else if (!loaded) showOutage();
    connection(false);
    setTimeout(loadHall, RETRY_MS);
    return;
  }
  connection(true);
  // On the machine of the daemon, everybody may look.
  await arbiter.ask().catch(() => null);
  applySettings();
  if (!loaded) {
    loaded = true;
    signingIn = false;
    route();
    performance.mark("hall-shown");
    keepPages();
    signals.keepAwake();
    lookAtService();
    setInterval(lookAtService, HEALTH_MS);
    setInterval(escalate, ALARM_MS);
    follow({ after: () => hall.seq, board: take, attention: listen, reset: reload, connected: connection });
  } else if (signingIn) {
    signingIn = false;
    route();
  } else {
    if (loneBoard() === lone) view?.reset();
    else route();
    for (const { board, alert } of fresh) announce(board, alert);
  }
}

let reloading = 0;

/** Reads everything anew, once for many reasons. */
function reload() {
  reloading ||= setTimeout(() => {
    reloading = 0;
    loadHall();
  }, 100);
}

/** Takes in what arbiters tell each other. */
function listen(told) {
  hall.attention = new Attention(told);
  showAlarm();
  view?.attention?.();
}

/** Alerts of others' tables that have rung here, because nobody goes there. */
const escalated = new Set();

/** Rings at the chief's for what nobody goes to. */
function escalate() {
  for (const { board, alert } of hall.open()) {
    if (hall.isMine(board) || escalated.has(alert.id) || !hall.concerns(board, alert)) continue;
    escalated.add(alert.id);
    announce(board, alert);
    view?.attention?.();
  }
  showAlarm();
}

/** Takes in what has changed of a board. */
function take(patch) {
  const taken = hall.apply(patch);
  if (!taken) {
    reload();
    return;
  }
  const { board, fresh } = taken;
  for (const alert of fresh) announce(board, alert);
  if (patch.alerts || patch.gone || patch.whole) showAlarm();
  view?.changed(board, patch.event);
}

addEventListener("hashchange", () => {
  // Where a phone goes on after it had to sign in again.
  if (address()[0] !== "join") localStorage.setItem("place", `/${location.hash}`);
  route();
  main.focus({ preventScroll: true });
  scrollTo(0, document.body.dataset.page === "hall" ? place : 0);
});

addEventListener("scroll", () => {
  if (document.body.dataset.page === "hall") place = scrollY;
}, { passive: true });

addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.metaKey || press.altKey || press.target.closest?.("input, select, textarea")) {
    if (press.key === "Escape") press.target.blur?.();
    return;
  }
  const worst = hall.open()[0];
  if (view?.key?.(press.key)) press.preventDefault();
  else if (press.key === "h") location.hash = "#/";
  else if (press.key === "a" && worst) location.hash = `#/alert/${encodeURIComponent(worst.alert.id)}`;
  else if (press.key === "Escape") history.back();
});

document.body.append(pieceShapes());
applySettings();
main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
if (address()[0] === "join") route();
else loadHall();
