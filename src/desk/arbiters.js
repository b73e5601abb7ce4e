// Signing in by a link, and the chief's page: who has a token, new ones with their QR codes, revoking.

import { arbiter, isOwnToken, read, send } from "./api.js";
import { h } from "./dom.js";
import { choice, failure, field } from "./parts.js";
import { reasonText } from "./refusals.js";
import { outcomeLine, sureButton } from "./orders.js";
import { t, timeText } from "./words.js";

const still = { changed() {}, reset() {}, end() {} };

/** Signs in with the token of a link, and calls `done`; the token leaves the address at once. */
export function joinView(main, { id: token, signedIn }) {
  history.replaceState(null, "", "/#/");
  main.replaceChildren(h("p", { class: "loading", text: t("joining") }));
  // The token of the daemon itself makes no session: it goes with every request from this tab.
  const joined = isOwnToken(token) ? arbiter.join(token) : Promise.resolve(arbiter.set({ token, name: arbiter.name, keep: false })).then(() => arbiter.ask());
  joined.then(() => {
    history.replaceState(null, "", localStorage.getItem("place") ?? "/#/");
    signedIn();
  }, (error) => {
    if (!isOwnToken(token)) arbiter.set({ token: "", name: arbiter.name, keep: false });
    main.replaceChildren(h("section", { class: "panel", id: "join-failed" }, h("h1", { text: t("joinFailed") }),
    h("p", { role: "alert", text: reasonText(error.message) }), h("p", { class: "hint" }, h("a", { href: "#/settings", text: t("joinAgain") }))));
  });
  return still;
}

/** The QR code and the link of a new token. */
function codePanel({ name, token, link, picture }) {
  if (!picture) return h("section", { class: "panel", id: "new-token" }, h("p", { text: t("arbiterToken", { name }) }), h("p", null, h("code", { text: token })));
  return h("section", { class: "panel", id: "new-token" }, h("p", { text: t("arbiterCode", { name }) }),
    h("img", { class: "code", src: `data:image/svg+xml,${encodeURIComponent(picture)}`, alt: t("arbiterPicture", { name }) }),
    h("p", null, h("a", { href: link, text: link })));
}

/** Who has a token; for the chief. */
export function arbitersView(main) {
  const holder = h("div", null, h("p", { class: "loading", text: t("loading") }));
  const code = h("div");
  const line = outcomeLine();
  const name = h("input", { type: "text", maxlength: 64, required: true, autocomplete: "off", id: "new-name" });
  const tables = h("input", { type: "text", pattern: "[0-9, \\-]*|[^:]+:.*", autocomplete: "off", id: "new-tables" });
  const roles = [["sector", t("roleSector")], ["tables", t("roleTables")], ["screen", t("roleScreen")], ["chief", t("roleChief")]];
  const role = choice(roles, "sector", { id: "new-role" });
  const form = h("form", { class: "panel" }, h("h2", { text: t("arbiterAdd") }),
    h("div", { class: "fields" }, field(t("arbiterName"), name), field(t("tables"), tables, t("arbiterTables")), field(t("arbiterRole"), role)),
    h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary", id: "new-arbiter", text: t("arbiterAdd") })), line);
  const act = async (work) => {
    line.className = "outcome";
    line.textContent = "";
    try {
      await work();
      await load();
    } catch (error) {
      line.classList.add("refused");
      line.textContent = t("orderRefused", { reason: reasonText(error.message) });
    }
  };
  form.onsubmit = (submit) => {
    submit.preventDefault();
    act(async () => {
      code.replaceChildren(codePanel(await send("POST", "/api/arbiters", { name: name.value, tables: tables.value, role: role.value })));
      form.reset();
    });
  };
  const tried = h("div", { id: "tried", role: "status" });
  const test = h("button", { type: "button", id: "test-notify", text: t("testNotify"), onclick: () => act(async () => {
    const ways = await send("POST", "/api/notify/test");
    tried.replaceChildren(...(ways.length ? ways : [{ way: t("noNotify") }]).map(({ way, error }) => h("p", { text: error ? `✗ ${way}: ${error}` : ways.length ? `✓ ${way}` : way })));
  }) });
  const row = (entry) => h("tr", { "data-arbiter": entry.name }, h("td", { text: entry.name }), h("td", { text: entry.tables || t("allTables") }),
    h("td", { text: roles.find(([key]) => key === entry.role)?.[1] ?? entry.role }), h("td", { text: String(entry.sessions) }),
    h("td", null, sureButton(t("arbiterRevoke"), () => act(() => send("DELETE", `/api/arbiters/${encodeURIComponent(entry.name)}`)))));
  let asked = 0;
  const load = async () => {
    // An older answer may come after a newer one.
    const mine = ++asked;
    try {
      const all = await read("/api/arbiters");
      if (mine !== asked) return;
      holder.replaceChildren(all.length === 0 ? h("p", { class: "empty", text: t("arbitersEmpty") })
        : h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("arbiters") }, h("table", { class: "audit" },
          h("thead", null, h("tr", null, ["arbiterName", "arbiterTables", "arbiterRole", "arbiterDevices", "arbiterRevoke"].map((key) => h("th", { scope: "col", text: t(key) })))),
          h("tbody", null, all.map(row)))));
    } catch (error) {
      holder.replaceChildren(failure(error));
    }
  };
  main.replaceChildren(h("h1", { text: t("arbiters") }), h("p", { class: "hint", text: t("arbitersText") }), code, holder, form,
    h("section", { class: "panel" }, h("h2", { text: t("notifications") }), h("p", { class: "hint", text: t("notifyText") }), h("div", { class: "buttons" }, test), tried));
  load();
  return still;
}

/** Says who has signed in on this device, for which tables, until when; null without an own token. */
export function sessionNote(signOut) {
  const { session } = arbiter;
  if (!session?.until) return null;
  return h("section", { class: "panel", id: "own-session" },
    h("p", { text: t("signedInUntil", { name: session.name, time: timeText(session.until) }) }),
    session.tables && h("p", { text: t("yourTables", { tables: session.tables }) }),
    session.role === "screen" && h("p", { class: "hint", text: t("screenOnly") }),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "sign-out", text: t("signOut"), onclick: signOut })));
}
