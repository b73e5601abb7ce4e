// The smaller pages: settings and signing in, who entered what, help.

import { arbiter, isOwnToken, read } from "./api.js";
import { sessionNote } from "./arbiters.js";
import { handOverForm } from "./attention.js";
import { h, setText } from "./dom.js";
import { choice, failure, field, tableName } from "./parts.js";
import { orderWords } from "./order-words.js";
import { pushForm } from "./push.js";
import { reasonText } from "./refusals.js";
import { LANGUAGES, codeName, helpPath, t, timeText } from "./words.js";

const still = { changed() {}, reset() {}, end() {} };

/** The form that signs in with a token, and how it says what became of it. `proceed` is called once the daemon has accepted it. */
function signInForm({ settings, apply, signedIn: proceed = () => {}, chief = () => {}, closed = false }) {
  const name = h("input", { type: "text", value: arbiter.name, autocomplete: "name", id: "arbiter" });
  const token = h("input", { type: "password", value: arbiter.token, autocomplete: "current-password", id: "token" });
  const keep = h("input", { type: "checkbox", checked: Boolean(localStorage.getItem("token")), id: "keep" });
  const line = h("p", { class: "outcome", role: "status", id: "session" });
  const offer = h("div", { id: "offer", hidden: true });
  /** Offers signals to who has signed in and was not asked on this device. */
  const offerSignals = () => {
    const choose = (on) => {
      apply({ sound: on, vibration: on, asked: true });
      for (const one of ["sound", "vibration"]) {
        const box = document.getElementById(`set-${one}`);
        if (box) box.checked = on;
      }
      offer.hidden = true;
    };
    offer.hidden = false;
    offer.replaceChildren(h("p", { text: t("offerSignals") }), h("div", { class: "buttons" },
      h("button", { type: "button", class: "primary", id: "signals-on", text: t("signalsOn"), onclick: () => choose(true) }),
      h("button", { type: "button", text: t("signalsOff"), onclick: () => choose(false) })));
  };
  const session = async () => {
    line.className = "outcome";
    try {
      const { arbiter: accepted, signed_in: signedIn, name: known } = await arbiter.ask();
      if (accepted === false || signedIn === false) throw Object.assign(new Error(t("wrongToken")), { status: 401 });
      line.classList.add("done");
      chief(arbiter.isChief);
      if (!settings.asked && !settings.sound) offerSignals();
      proceed();
      return setText(line, arbiter.name || known ? t("signedInAs", { name: arbiter.name || known }) : t("signedIn"));
    } catch (error) {
      if (!arbiter.token) return setText(line, closed ? "" : t("notSignedIn"));
      line.classList.add("refused");
      return setText(line, [401, 403].includes(error.status) ? t("wrongToken") : t("failed", { reason: reasonText(error.message) }));
    }
  };
  const signOut = () => {
    token.value = "";
    arbiter.set({ token: "", name: name.value, keep: false });
    session();
  };
  const form = h("form", { class: "panel" }, h("h2", { text: t("signIn") }), h("p", { class: "hint", text: t("signInHow") }),
    h("div", { class: "fields" }, field(t("yourName"), name), field(t("token"), token)), h("label", { class: "inline" }, keep, h("span", { text: t("keepToken") })),
    h("div", { class: "buttons" }, h("button", { type: "submit", class: arbiter.token ? null : "primary", id: "sign-in", text: t("signInShort") }),
      arbiter.token && h("button", { type: "button", text: t("signOut"), onclick: signOut })), line, offer);
  form.onsubmit = (submit) => {
    submit.preventDefault();
    const own = token.value.trim();
    if (isOwnToken(own)) {
      location.hash = `#/join/${own}`;
      return;
    }
    arbiter.set({ token: own, name: name.value.trim(), keep: keep.checked });
    session();
  };
  return { form, session };
}

/** Signing in, where nothing is shown without it. */
export function signInView(main, context) {
  const { form, session } = signInForm({ ...context, closed: true });
  // The bar leads nowhere before that.
  document.body.dataset.page = "sign-in";
  main.replaceChildren(h("div", { class: "sign-in" }, h("h1", { text: context.hall.event.name || "jadoube" }), form));
  session();
  return still;
}

/** Settings of this device, and the arbiter's token. */
export function settingsView(main, { hall, settings, apply, signedIn = () => {} }) {
  const change = (name, control) => {
    control.onchange = () => apply({ [name]: control.type === "checkbox" ? control.checked : control.value });
    return control;
  };
  const check = (name) => change(name, h("input", { type: "checkbox", checked: settings[name], id: `set-${name}` }));
  const sound = check("sound");
  const vibration = check("vibration");
  const toArbiters = h("p", { id: "to-arbiters", class: "buttons", hidden: !arbiter.isChief }, h("a", { class: "button", href: "#/arbiters", text: t("arbiters") }), h("a", { class: "button", href: "#/tables", text: t("whichTable") }));
  const { form, session } = signInForm({ settings, apply, signedIn, chief: (is) => { toArbiters.hidden = !is; } });
  const soon = check("soon");
  const speech = check("speech");
  const awake = check("awake");
  awake.disabled = !navigator.wakeLock;
  const own = sessionNote(async () => {
    await arbiter.leave().catch(() => null);
    location.reload();
  });
  main.replaceChildren(...[h("h1", { text: t("settings") }), own ?? form, own && handOverForm(hall),
    toArbiters,
    h("section", { class: "panel" },
      h("h2", { text: t("thisDevice") }),
      h("div", { class: "fields" }, field(t("sight"), change("sight", choice([["usual", t("sightUsual")], ["safe", t("sightSafe")]], settings.sight))), field(t("theme"), change("theme", choice([["auto", t("themeAuto")], ["light", t("light")], ["dark", t("dark")]], settings.theme))),
      field(t("language"), change("language", choice([["auto", t("languageAuto")], ...LANGUAGES], settings.language))),
      field(t("size"), change("size", choice([["compact", t("sizeCompact")], ["normal", t("sizeNormal")], ["wall", t("sizeWall")]], settings.size))),
      field(t("clockModel"), change("clock", choice([["3000", "DGT 3000"], ["2010", "DGT 2010"], ["xl", "DGT XL"]], settings.clock)))),
      h("div", { class: "checks" }, h("label", { class: "inline" }, sound, h("span", { text: t("sound") })),
        h("label", { class: "inline" }, vibration, h("span", { text: t("vibration") })),
        h("label", { class: "inline" }, soon, h("span", { text: t("signalSoon") })),
        h("label", { class: "inline" }, speech, h("span", { text: t("speech") })),
        h("label", { class: "inline" }, awake, h("span", { text: t("awake") })))),
    own && pushForm(settings),
    !isSecureContext && h("p", { class: "hint", id: "clear-text", text: t("clearText") }),
    h("p", { class: "hint", text: t("shortcuts") })].filter(Boolean));
  session();
  return still;
}

/** What was entered; a ruling leads to its report. */
function orderCell(entry) {
  const { alert } = entry.order ?? {};
  return alert ? h("a", { href: `#/report/${encodeURIComponent(alert)}`, text: orderWords(entry) }) : orderWords(entry);
}

/** Who entered what, and when. */
export function auditView(main, { hall }) {
  const holder = h("div", null, h("p", { class: "loading", text: t("loading") }));
  main.replaceChildren(h("h1", { text: t("audit") }), h("p", { class: "hint", text: t("auditText") }), h("p", null, h("a", { class: "button", href: "#/report", text: t("report") })), holder);
  const load = async () => {
    try {
      const answer = await read("/api/audit");
      const entries = (Array.isArray(answer) ? answer : answer.entries ?? answer.audit ?? []).toSorted((a, b) => String(b.at).localeCompare(String(a.at)));
      if (!entries.length) return holder.replaceChildren(h("p", { class: "empty", text: t("auditEmpty") }));
      const row = (entry) => {
        const board = hall.find(entry.board);
        const refused = entry.refused ?? entry.error ?? (entry.outcome && entry.outcome !== "done" && entry.outcome !== "ok" ? entry.outcome : null);
        return h("tr", null, h("td", { text: timeText(entry.at) }), h("td", { text: entry.arbiter ?? entry.name ?? "–" }),
          h("td", { text: board ? tableName(board) : entry.board ?? "" }), h("td", null, orderCell(entry)),
          h("td", { text: refused ? `✗ ${t("refused")}: ${reasonText(refused)}` : `✓ ${t("accepted")}` }));
      };
      return holder.replaceChildren(h("div", { class: "panel flush scroll", tabindex: 0, role: "region", "aria-label": t("audit") }, h("table", { class: "data audit" },
        h("thead", null, h("tr", null, ["when", "who", "where", "what", "outcome"].map((name) => h("th", { scope: "col", text: t(name) })))),
        h("tbody", null, entries.map(row)))));
    } catch (error) {
      return holder.replaceChildren(error.status === 401 ? h("p", null, h("a", { href: "#/settings", text: t("signIn") })) : failure(error));
    }
  };
  load();
  const timer = setInterval(load, 5000);
  return { ...still, reset: load, end: () => clearInterval(timer) };
}

/** Turns the little Markdown that our own page uses into elements: headings, lists, tables, images, links, emphasis. */
function markdown(text) {
  const inline = (line) => line.split(/(!?\[[^\]]*\]\([^)]*\)|\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
    const link = /^(!?)\[([^\]]*)\]\(([^)]*)\)$/.exec(part);
    if (link?.[1]) return h("img", { alt: link[2], src: `/desk/screenshots/${link[3].split("/").at(-1)}`, loading: "lazy" });
    if (link) return h("a", { href: link[3].endsWith(".md") ? "#/help" : link[3], text: link[2] });
    if (part.startsWith("**")) return h("strong", { text: part.slice(2, -2) });
    if (/^\*.+\*$/.test(part)) return h("em", { text: part.slice(1, -1) });
    return part.startsWith("`") ? h("code", { text: part.slice(1, -1) }) : part;
  });
  const cells = (line, tag) => h("tr", null, line.split("|").slice(1, -1).map((cell) => h(tag, null, inline(cell.trim()))));
  return text.replace(/<!--.*?-->/s, "").trim().split(/\n\s*\n/).map((block) => {
    const lines = block.trim().split("\n");
    const heading = /^(#+) (.*)$/.exec(lines[0]);
    if (heading) return h(`h${heading[1].length}`, null, inline(heading[2]));
    if (lines[0].startsWith("|")) return h("table", null, h("thead", null, cells(lines[0], "th")), h("tbody", null, lines.slice(2).map((line) => cells(line, "td"))));
    const bullets = /^(\*|-|\d+\.) /;
    if (!bullets.test(lines[0])) return h("p", null, inline(lines.join(" ")));
    const items = [];
    for (const line of lines) {
      if (bullets.test(line)) items.push(line.replace(bullets, ""));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    return h(/^\d/.test(lines[0]) ? "ol" : "ul", null, items.map((item) => h("li", null, inline(item))));
  });
}

/** The arbiters' page. */
export function helpView(main) {
  main.replaceChildren(h("p", { class: "loading", text: t("loading") }));
  fetch(helpPath()).then((answer) => answer.text()).then(
    (text) => main.replaceChildren(h("article", { class: "prose" }, markdown(text), h("p", { class: "hint", text: t("shortcuts") }))),
    (error) => main.replaceChildren(failure(error)));
  return still;
}

/** What an urgent alert says to those who cannot look, and its label. */
export const announcement = (board, alert) => t("newAlert", { table: tableName(board), label: codeName(alert.code) });
