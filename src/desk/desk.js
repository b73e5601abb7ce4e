// The frame of the desk: settings, the way from page to page, the connection, and what is spoken.

import { Alarm } from "./alarm.js";
import { urgencyOf } from "./alerts.js";
import { arbiter, follow, troubles } from "./api.js";
import { alertView } from "./alert-view.js";
import { arbitersView, joinView } from "./arbiters.js";
import { Attention } from "./attention.js";
import { boardView } from "./board-view.js";
import { pieceShapes } from "./board-svg.js";
import { h, setAttribute, setText } from "./dom.js";
import { Hall } from "./hall.js";
import { hallView } from "./hall-view.js";
import { icon, iconShapes } from "./icons.js";
import { moreView } from "./more-view.js";
import { ageText, failure } from "./parts.js";
import { announcement, auditView, helpView, settingsView, signInView } from "./pages.js";
import { followRoom } from "./room.js";
import { reportView } from "./report-view.js";
import { roundView } from "./round-view.js";
import { sheetView } from "./sheet-view.js";
import { Signals } from "./signals.js";
import { labelsView, tablesView } from "./tables-view.js";
import { broadcastView } from "./broadcast-view.js";
import { equipmentView } from "./equipment-view.js";
import { tightTables, watchView } from "./watch-view.js";
import { speak, t, timeText, wordFiles } from "./words.js";

const DEFAULTS = { theme: "auto", sight: "usual", language: "auto", size: "normal", sound: false, vibration: false, soon: false, speech: false, awake: false, clock: "3000" };

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
const options = stored("view", {});
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

/** Speaks the language of this device, of whoever has signed in, or of the event; returns whether its words are there. */
function speakOwn() {
  return speak(settings.language === "auto" ? arbiter.session?.language ?? hall.event.language ?? localStorage.getItem("language") ?? navigator.language.slice(0, 2) : settings.language);
}

/** Draws the page anew with the settings; returns whether the words for it are there. */
async function applySettings(changes = {}) {
  Object.assign(settings, changes);
  localStorage.setItem("settings", JSON.stringify(settings));
  const root = document.documentElement;
  setAttribute(root, "data-theme", settings.theme === "auto" ? null : settings.theme);
  setAttribute(root, "data-sight", settings.sight === "safe" ? "safe" : null);
  setAttribute(root, "data-size", settings.size);
  const speaks = await speakOwn();
  if (!speaks) return false;
  signals.preview(changes);
  drawBar();
  if (changes.language) route();
  return true;
}

/** The pages that the bar leads to: address, sign, name, and its short form for phones. */
const PAGES = [["#/", "hall", "hall"], ["#/watch", "low", "navWatch", "navWatchShort"], ["#/round", "round", "navRound"], ["#/equipment", "eq", "navEquipment"]];

/** The pages that belong to one of the bar. */
const WITHIN = { board: "#/", table: "#/", alert: "#/", tables: "#/equipment", labels: "#/equipment", broadcast: "#/equipment", arbiters: "#/settings" };

/** The letters of whoever has signed in. */
const initials = (name) => name.split(/[\s,]+/).map((part) => part[0] ?? "").join("").slice(0, 2).toUpperCase() || "?";

function drawBar() {
  const [page] = address();
  const here = WITHIN[page] ?? (page ? `#/${page}` : "#/");
  const current = (href) => (here === href ? "page" : null);
  const link = ([href, sign, name, short]) => h("a", { href, "aria-current": current(href) }, icon(sign), h("span", { class: short ? "desk-only" : null, text: t(name) }), short && h("span", { class: "phone-only", text: t(short) }),
    href === "#/watch" && h("span", { class: "n", id: "tight", hidden: true }));
  const side = (href, name) => h("a", { href, class: "desk-only", "aria-current": current(href), text: t(name) });
  const { event } = hall;
  const regime = event.rules && [t(event.control), event.control === "standard" ? null : t(event.supervised ? "supervised" : "unsupervised"), event.time_control, t("lawsOf", { year: event.rules })].filter(Boolean).join(" · ");
  document.querySelector(".skip").textContent = t("skip");
  const name = arbiter.session?.name || arbiter.name;
  const signedUp = arbiter.mayOrder || arbiter.session;
  bar.replaceChildren(
    h("div", { class: "title" }, h("a", { class: "home", href: "#/" }, h("strong", { text: event.name || "jadoube" })), h("small", { text: regime || "" })),
    h("nav", { class: "nav", "aria-label": t("pages") }, PAGES.map(link), side("#/audit", "audit"), side("#/help", "help"),
      h("a", { href: "#/more", class: "phone-only", "aria-current": current("#/more") }, icon("more"), h("span", { text: t("navMore") }))),
    h("div", { class: "end" }, h("span", { id: "connection", class: connected ? "up" : "down", text: t(connected ? "online" : "notConnected") }), h("time", { id: "now", class: "desk-only" }),
      h("a", { class: signedUp ? "who" : "button primary", id: "to-settings", href: "#/settings", title: signedUp ? t("whoIs", { name: name || t("theChief") }) : null, "aria-label": signedUp ? t("settings") : null, text: signedUp ? initials(name || "") : t("signInShort") })));
  showAlarm();
}

/** Splits the address into the page and what it is about. */
const address = () => (location.hash || "#/").slice(1).split("/").slice(1).map(decodeURIComponent);

/** Shows the newest urgent alert in the bar, and the number of them in the title. */
function showAlarm() {
  const [page, name] = address();
  const isPresent = ({ board, alert }) => (page === "alert" ? alert.id === name : ["board", "table"].includes(page) && hall.find(name) === board);
  alarm.update(isPresent, hall.event.name ? `${hall.event.name} – jadoube` : "jadoube");
  const tight = document.getElementById("tight");
  if (!tight) return;
  const number = loaded ? tightTables(hall).length : 0;
  tight.hidden = number === 0;
  setText(tight, String(number));
  setText(document.getElementById("now"), loaded ? timeText(hall.now() - hall.ahead).slice(0, 5) : "");
  if (offline.lastChild) setText(offline.lastChild, ` ${ageText((Date.now() - hall.lostAt) / 1000)}`);
}

/** Says whether the daemon can be heard. */
function connection(up) {
  if (up === connected) return;
  connected = up;
  hall.lostAt = up ? null : Date.now();
  offline.hidden = up;
  offline.replaceChildren(...(up ? [] : [h("span", { text: `⚠ ${t("offline")}` }), h("span", { class: "age", "aria-hidden": "true" })]));
  setAttribute(document.documentElement, "data-offline", up ? null : "");
  if (up) setText(document.getElementById("news"), t("onlineAgain"));
  view?.connected?.();
  drawBar();
}

/** One thing that is wrong with the service: what it means here, and the reason as the service gives it, for technicians. */
function serviceLine(line) {
  const [, part, reason] = /^([\w.-]+): (.*)$/.exec(line) ?? [];
  const key = `part_${part.replace(".", "-")}`;
  const meaning = t(key);
  if (meaning === key) return h("p", { text: `⚠ ${t("serviceTrouble")} ${line}` });
  return h("p", null, `⚠ ${t("serviceTrouble")} ${meaning}. `, h("small", { lang: "en", text: reason }));
}

/** Shows what of the service is wrong, or does less than it should. */
async function lookAtService() {
  if (document.hidden || !connected) return;
  const lines = await troubles();
  service.hidden = lines.length === 0;
  const shown = JSON.stringify([lines, t("serviceTrouble")]);
  if (service.dataset.shown === shown) return;
  service.dataset.shown = shown;
  service.replaceChildren(...lines.map(serviceLine));
}

/** Announces a new alert: to screen readers, and by sound or vibration for those who want it. */
function announce(board, alert) {
  const urgent = urgencyOf(alert) === 2 && hall.concerns(board, alert);
  setText(document.getElementById(urgent ? "urgent" : "news"), announcement(board, alert));
  if (hall.concerns(board, alert)) signals.alert(board, alert, urgencyOf(alert));
}

/** The only board there is, where the address asks for it: at home, one is all. */
let lone = null;
const isLive = () => address()[0] === "live";
const loneBoard = () => (isLive() && hall.boards.size === 1 ? [...hall.boards.keys()][0] : null);

/** A page that is read once it is asked for. */
const later = (load, name) => (place, context) => {
  load().then((page) => page[name](place, context), (error) => place.replaceChildren(failure(error)));
  return { changed() {}, reset() {}, end() {} };
};

/** Shows the page that the address names. */
function route() {
  view?.end();
  lone = loneBoard();
  const [page = "", wanted = ""] = lone ? ["board", lone] : isLive() ? [] : address();
  const name = ["board", "table", "sheet"].includes(page) ? hall.find(wanted)?.board ?? wanted : wanted;
  const context = { hall, options, remember, settings, apply: applySettings, signedIn, name, id: name };
  const views = { "": hallView, board: boardView, table: boardView, alert: alertView, sheet: sheetView, arbiters: arbitersView, audit: auditView, join: joinView, report: reportView, round: roundView, watch: watchView, equipment: equipmentView, broadcast: broadcastView, components: later(() => import("./components-view.js"), "componentsView"), more: moreView, settings: settingsView, help: helpView, labels: labelsView, tables: tablesView };
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
  // The first time, the words were read before anything was kept.
  globalThis.caches?.open("desk").then((kept) => kept.addAll(wordFiles())).catch(() => {});
  // A notification was pressed while the page is open.
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (data?.open) location.hash = data.open;
  });
}

/** Reads the hall; tries until it is there. */
async function loadHall() {
  // On the machine of the daemon, everybody may look. Who has signed in is asked at the same time.
  const asked = arbiter.ask().catch(() => null);
  let fresh;
  try {
    fresh = await hall.load();
  } catch (error) {
    if (!(await speakOwn())) {
      setTimeout(loadHall, RETRY_MS);
      return;
    }
    // Reading needs the token here: the page to sign in is shown until it is right.
    if ([401, 403, 429].includes(error.status)) {
      hall.boards.clear();
      signingIn = true;
      if (!main.querySelector("#sign-in")) signInView(main, { hall, settings, apply: applySettings, signedIn });
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
  await asked;
  if (!(await applySettings())) {
    setTimeout(loadHall, RETRY_MS);
    return;
  }
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

/** Shows the first page; on the first visit the hall says in which language. */
async function begin() {
  if (address()[0] === "join") {
    while (!(await applySettings())) await new Promise((go) => setTimeout(go, RETRY_MS));
    route();
    return;
  }
  loadHall();
  // The words are read at the same time, where it is known which.
  if (settings.language === "auto" && !localStorage.getItem("language")) return;
  if ((await applySettings()) && !main.hasChildNodes()) main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
}

let reloading = 0;

/** Reads everything anew, once for many reasons. */
function reload() {
  reloading ||= setTimeout(() => {
    reloading = 0;
    loadHall();
  }, 100);
}

/** Handles what arbiters let each other know. */
function listen(state) {
  hall.attention = new Attention(state);
  showAlarm();
  view?.attention?.();
}

/** What has rung here once more: alerts of others' tables to which nobody goes, and those to which somebody went and did not come. */
const escalated = new Set();

/** Rings at the chief's for what nobody goes to, and again where whoever set out has been held up. */
function escalate() {
  for (const { board, alert } of hall.open()) {
    const last = hall.needsArbiter(board, alert) ? hall.attention.going(alert.id).at(-1)?.at : null;
    const key = `${alert.id} ${last ?? ""}`;
    if ((hall.isMine(board) && !last) || escalated.has(key) || !hall.concerns(board, alert)) continue;
    escalated.add(key);
    announce(board, alert);
    view?.attention?.();
  }
  showAlarm();
}

/** Handles what has changed of a board. */
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

document.body.append(pieceShapes(), iconShapes());
followRoom();
begin();
