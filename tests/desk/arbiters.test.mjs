// Arbiters with own tokens and tables: a phone signs in by a link and is out once it is revoked; each rings for its own tables,
// and all see who goes where.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import https from "node:https";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { TOKEN, browse, illegalMove, inaccessible, joinLink, pressSurely, pushed, waitUntil, watch } from "./hall.mjs";

let boards;
let hall;
let browser;

before(async () => {
  // With a delay, everybody has to sign in, also on this machine.
  boards = await Promise.all(["24101", "24102", "24103"].map((serial) => TableBoard.open(serial)));
  hall = await watch({ directory: path.join(process.env.WORK, "arbiters"), binary: process.env.JADOUBE, boards, config: `url = "http://hall.test"\nescalate_s = 3\n[pgn]\ndir = "${process.env.WORK}/arbiters/pgn"\ndelay_s = 60\n` });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
  for (const board of boards ?? []) board.close();
});

/** Makes a token; returns its link, at the address of the test. */
async function makeToken(chief, name, tables) {
  const link = await joinLink(chief, name, tables);
  assert.ok(link.startsWith("http://hall.test/#/join/"), link);
  return link.replace("http://hall.test", hall.url);
}

test("a phone signs in by the code that the chief's page shows, orders with its name, and is out once it is revoked", async () => {
  const chief = await browser.open(`${hall.url}/#/settings`, { signedIn: true });
  await chief.click("#to-arbiters a");
  const link = await makeToken(chief, "Ada", "1-2");
  await chief.click("#test-notify");
  await chief.waitForFunction(() => /None is configured/.test(document.getElementById("tried").textContent));
  assert.deepEqual(await inaccessible(chief), []);

  const phone = await browser.open(link, { width: 390, height: 780 });
  await phone.waitForSelector(".card");
  assert.equal(new URL(phone.url()).hash, "#/", "the token has left the address");
  const kept = await phone.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie }));
  assert.ok(!kept.includes(link.split("/").at(-1)), "and is kept nowhere");
  await phone.goto(`${hall.url}/#/settings`);
  await phone.waitForSelector("#own-session");
  assert.match(await phone.textContent("#own-session"), /Ada.*1-2/s);

  const status = await phone.evaluate((serial) => fetch(`/api/boards/${serial}/orders`, { method: "POST", headers: { "X-Arbiter": "Eve" }, body: '{"order":"mute","seconds":1}' }).then((answer) => answer.status), hall.serials[0]);
  assert.equal(status, 200);
  const audit = await hall.read("/api/audit");
  assert.equal(audit.at(-1).arbiter, "Ada");

  // The second press is the one that counts.
  const revoke = chief.locator('tr[data-arbiter="Ada"] button');
  await revoke.click();
  await pressSurely(revoke);
  await chief.waitForSelector('tr[data-arbiter="Ada"]', { state: "detached" });
  await phone.waitForSelector("#sign-in");
  await phone.goto(link);
  await phone.waitForSelector("#join-failed");
  await phone.context().close();
  await chief.context().close();
  assert.deepEqual(browser.faults, []);
});

/** Signs a new arbiter in, at a phone. */
async function phoneOf(chief, name, tables, role) {
  await chief.selectOption("#new-role", role);
  const page = await browser.open(await makeToken(chief, name, tables), { width: 390, height: 780 });
  await page.waitForSelector(".rail-list");
  return page;
}

const tables = (page) => page.$$eval("#tables .number", (all) => all.map((one) => one.textContent).join());

test("each rings for its own tables, and all see who goes; the chief hears of what nobody goes to", async (context) => {
  const desk = await browser.open(`${hall.url}/#/arbiters`, { signedIn: true });
  await desk.waitForSelector("#new-name");
  const bob = await phoneOf(desk, "Bob", "1-2", "sector");
  const cy = await phoneOf(desk, "Cy", "2-3", "sector");
  const laptop = await phoneOf(desk, "Dora", "3", "chief");
  assert.deepEqual([await tables(bob), await tables(cy), await tables(laptop)], ["1,2", "2,3", "3"]);
  await cy.click("#mine");
  await cy.waitForFunction(() => document.querySelectorAll("#tables .number").length === 3);

  // Bob wants alerts to be spoken, and a screen that stays on.
  await bob.evaluate(() => {
    globalThis.spoken = [];
    speechSynthesis.speak = (words) => globalThis.spoken.push(words.text);
    location.hash = "#/settings";
  });
  await bob.check("#set-speech");
  await bob.check("#set-awake");
  await bob.waitForSelector("html[data-awake]");
  await illegalMove(boards[0]);
  // Nobody goes to table 1, and so it rings at the chief's, too, who looks after table 3.
  await laptop.waitForFunction(() => /Table 1/.test(document.getElementById("urgent").textContent) && /Table 1/.test(document.getElementById("alarm").textContent));
  await bob.click("#alarm .newest");
  await bob.waitForSelector("#go");
  assert.match(await bob.textContent("#urgent"), /Table 1/);
  assert.deepEqual(await bob.evaluate(() => globalThis.spoken), ["Alerts are spoken.", "Table 1, Illegal move"]);
  assert.equal(await cy.textContent("#urgent"), "", "another's table does not ring");
  await cy.waitForSelector(".rail-list .alert-line");
  const shown = cy.waitForFunction(() => /On the way: Bob/.test(document.querySelector(".rail-list").textContent) && performance.timeOrigin + performance.now());
  const pressed = await bob.evaluate(() => {
    document.getElementById("go").click();
    return performance.timeOrigin + performance.now();
  });
  const after = (await (await shown).jsonValue()) - pressed;
  context.diagnostic(`seen on the other phone after ${after.toFixed(0)} ms`);
  await bob.waitForFunction(() => /Seen by Bob/.test(document.getElementById("seen-by").textContent));

  await bob.goto(`${hall.url}/#/settings`);
  await bob.selectOption("#hand-over-to", "Cy");
  await bob.click("#hand-over button[type=submit]");
  await cy.click("#mine");
  await cy.waitForFunction(() => [...document.querySelectorAll("#tables .number")].map((one) => one.textContent).join() === "1,2,3");
  assert.deepEqual(await inaccessible(bob), []);
  const manifest = await (await fetch(`${hall.url}/desk/manifest.webmanifest`)).json();
  for (const { src, type } of manifest.icons) assert.equal((await fetch(hall.url + src)).headers.get("content-type"), type);
  for (const page of [bob, cy, laptop, desk]) await page.context().close();
  assert.deepEqual(browser.faults, []);
});

test("a walk with the phone finds which board is which table", async () => {
  await boards[0].stopClock();
  const phone = await browser.open(`${hall.url}/#/round`, { width: 390, height: 844, signedIn: true });
  await phone.click("#to-tables a");
  const asked = (table) => phone.waitForSelector(`#walk-asked[data-table="${table}"]`);
  const said = (pattern) => phone.waitForFunction((source) => new RegExp(source).test(document.getElementById("walk-said").textContent), pattern.source);
  /** Lifts a king and puts it back. */
  const king = async (board, square, piece) => {
    await board.lift(square);
    await board.put(square, piece);
  };
  await phone.click("#walk-begin");
  await asked(1);
  await king(boards[2], "e1", "K");
  await asked(2);
  await said(/^Table 1 is board 24103/);
  await king(boards[2], "e8", "k");
  await said(/^Board 24103 is table 1\.$/);
  await phone.click("#walk-skip");
  await asked(3);
  await phone.click("#walk-back");
  await asked(2);
  // White's king has gone there in the test before.
  await king(boards[0], "e3", "K");
  await asked(3);
  await king(boards[2], "e1", "K");
  await said(/already; go back/);
  await phone.waitForSelector('[data-problem="left-over"]');
  assert.deepEqual(await inaccessible(phone), []);
  // A page that is loaded anew goes on where it was, and the king of a game in play means nothing.
  await phone.reload();
  await asked(3);
  await boards[1].startClock("white");
  await king(boards[1], "e1", "K");
  await said(/is in play/);
  await boards[1].stopClock();
  await king(boards[1], "e1", "K");
  await asked(4);
  await phone.waitForSelector("#table-problems .done");
  const file = fs.readFileSync(path.join(process.env.WORK, "arbiters/state/tables.toml"), "utf8");
  assert.deepEqual(file.match(/\d{5}/g), ["24103", "24101", "24102"]);
  await phone.click("#walk-end");
  await said(/^3 tables/);
  await phone.context().close();
  const desk = await browser.open(`${hall.url}/#/tables`, { signedIn: true, dark: true, language: "de" });
  await desk.waitForSelector('#table-boards tr[data-table="3"]');
  assert.match(await desk.textContent("#table-problems"), /Jeder Tisch hat ein Brett/);
  assert.deepEqual(await inaccessible(desk), []);
  await desk.click("#to-labels");
  await desk.waitForSelector('.table-label[data-table="3"] img');
  assert.deepEqual(await inaccessible(desk), []);
  await desk.context().close();
  assert.deepEqual(browser.faults, []);
});

test("the broadcast of a table, or of all, is held and resumed", async () => {
  const page = await browser.open(`${hall.url}/#/equipment`, { signedIn: true });
  await page.click("#to-broadcast");
  const row = page.locator('tr[data-table="2"]');
  await row.locator("button").click();
  await page.waitForSelector('tr[data-table="2"][data-s="look"]');
  assert.equal(await page.locator('tr[data-s="look"]').count(), 1);
  const { games, outputs } = await hall.read("/api/broadcast");
  assert.deepEqual(games.map(({ table, held }) => [table, held]), [[1, false], [2, true], [3, false]]);
  assert.deepEqual(outputs.map(({ name }) => name), ["pgn"]);
  assert.deepEqual(await inaccessible(page), []);
  // Viewers see at once what was held: it is asked for twice.
  await pressSurely(row.locator("button"));
  await page.waitForSelector('tr[data-table="2"]:not([data-s])');
  await page.click("#hold-all");
  await page.waitForFunction(() => document.querySelectorAll('tr[data-table][data-s="look"]').length === 3);
  await page.click("#hold-all");
  await page.waitForFunction(() => document.querySelectorAll("tr[data-table]:not([data-s])").length === 3);
  await page.goto(`${hall.url}/#/audit`);
  await page.waitForFunction(() => /Broadcast resumed: all/.test(document.querySelector(".audit")?.textContent));
  await page.context().close();
  assert.deepEqual(browser.faults, []);
});

test("from the queue one goes, or does not after all; who is held up leaves it to others", async () => {
  const desk = await browser.open(`${hall.url}/#/arbiters`, { signedIn: true });
  await desk.waitForSelector("#new-name");
  const gil = await phoneOf(desk, "Gil", "2", "sector");
  const hal = await phoneOf(desk, "Hal", "3", "tables");
  const wall = await phoneOf(desk, "Wall", "", "screen");
  await hal.click("#mine");
  await desk.goto(`${hall.url}/#/`);
  const tableTwo = async () => (await hall.read("/api/hall")).boards.find(({ table }) => table === 2);
  const { serial } = await tableTwo();
  const board = boards.find((one) => one.serial === serial);
  await illegalMove(board);
  const urgent = (state) => `.rail-list a[href*="${serial}"][data-s="act"]${state}`;
  const [going, nobody] = [urgent("[data-calm]"), urgent(":not([data-calm])")];
  await desk.waitForSelector(`${nobody} + .acts .primary`);
  await gil.waitForSelector(`${nobody} + .acts`);
  assert.deepEqual(await inaccessible(desk), []);
  // Who may not rule there is asked nothing.
  for (const page of [hal, wall]) {
    await page.waitForSelector(nobody);
    assert.equal(await page.locator(".acts").count(), 0);
  }
  await gil.click(`${nobody} + .acts button`);
  for (const page of [desk, hal, wall]) await page.waitForSelector(`${going} .going:has-text("On the way: Gil, ")`);
  await desk.waitForSelector(`.card[data-s="act"][data-calm] [href$="${serial}"]`);
  assert.equal(await desk.locator(`${going} + .acts`).count(), 0, "it is somebody's");
  assert.deepEqual(await inaccessible(gil), []);
  await gil.click(`${going} + .acts button`);
  await desk.waitForSelector(`${nobody} + .acts`);
  await gil.click(`${nobody} + .acts button`);
  await gil.click("#toast-undo");
  await desk.waitForSelector(`${nobody} + .acts`);
  await desk.keyboard.press("g");
  await gil.waitForSelector(`${going} .going:has-text("On the way: A. Arbiter, ")`);
  // Three minutes later nothing has been decided, and the opponent's time runs.
  await gil.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 200_000;
    document.getElementById("urgent").textContent = "";
  });
  await gil.waitForSelector(`${nobody} .going:has-text("No decision yet: A. Arbiter, 3 min")`);
  await gil.waitForFunction(() => /Table 2/.test(document.getElementById("urgent").textContent) && /^\(\d\)/.test(document.title));
  // Whoever has stopped the clock is there.
  await board.stopClock();
  await gil.waitForSelector(going);
  const { id } = (await tableTwo()).alerts.find(({ state }) => state === "open");
  assert.equal((await hall.order(serial, { order: "dismiss", alert: id })).status, 200);
  for (const page of [desk, gil, hal, wall]) await page.waitForSelector(urgent(""), { state: "detached" });
  await desk.waitForSelector(`.decided a[href$="${id}"]:has-text("A. Arbiter · dismissed")`);
  for (const page of [desk, gil, hal, wall]) await page.context().close();
  assert.deepEqual(browser.faults, []);
});

test("a push message is shown while no page is looked at, and leads to its alert", async () => {
  const desk = await browser.open(`${hall.url}/#/arbiters`, { signedIn: true });
  await desk.waitForSelector("#new-name");
  const phone = await browser.open(await makeToken(desk, "Eve", "3"), { width: 390, height: 844, language: "de" });
  await phone.waitForSelector(".rail-list");
  await phone.context().grantPermissions(["notifications"], { origin: hall.url });
  await phone.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await phone.goto(`${hall.url}/#/settings`);
  await phone.waitForSelector("#push");
  assert.deepEqual(await inaccessible(phone), []);
  const data = JSON.stringify({ title: "Tisch 3", text: "Ein regelwidriger Zug.", alert: "24103-1-1", urgent: true });
  assert.deepEqual(await pushed(phone.context(), phone, hall.url, data), { title: "Tisch 3", body: "Ein regelwidriger Zug.", alert: "24103-1-1" });
  const [worker] = phone.context().serviceWorkers();
  await worker.evaluate(async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new globalThis.NotificationEvent("notificationclick", { notification }));
  });
  await phone.waitForFunction(() => location.hash === "#/alert/24103-1-1");
  await phone.context().close();
  await desk.context().close();
  assert.deepEqual(browser.faults, []);
});

/** Runs a program; returns whether it ended well. */
const ran = (program, ...words) => spawnSync(program, words, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;

const canTrust = spawnSync("certutil", ["--help"], { stdio: "ignore" }).error === undefined;

test("a browser that trusts the local authority meets no warning, and may do all that https is for", { skip: !canTrust && "needs libnss3-tools" }, async (context) => {
  const directory = path.join(process.env.WORK, "secure");
  const board = await TableBoard.open("24201");
  context.after(() => board.close());
  const secure = await watch({ directory, binary: process.env.JADOUBE, boards: [board] });
  context.after(() => secure.close());
  const home = path.join(directory, "home");
  const database = path.join(home, ".pki/nssdb");
  const tls = path.join(directory, "tls");
  fs.mkdirSync(database, { recursive: true });
  assert.ok(ran(process.env.JADOUBE, "certificate", "--config", secure.config, "--dir", tls));
  assert.ok(ran("certutil", "-d", `sql:${database}`, "-N", "--empty-password"));
  assert.ok(ran("certutil", "-d", `sql:${database}`, "-A", "-t", "C,,", "-n", "jadoube", "-i", `${tls}/authority.pem`));
  fs.writeFileSync(secure.config, secure.text("en").replace("[http]", `[http]\ncertificate = "${tls}/desk.pem"\nkey = "${tls}/desk.key"`));
  secure.daemon.kill("SIGHUP");
  const url = `https://localhost:${secure.port}`;
  const ca = fs.readFileSync(`${tls}/authority.pem`);
  await waitUntil("https", () => new Promise((done) => {
    https.get(url, { ca, agent: false }, (answer) => done(answer.resume().statusCode === 200)).on("error", () => done(false));
  }));

  const stranger = await browser.open("about:blank");
  await assert.rejects(stranger.goto(url), /ERR_CERT_AUTHORITY_INVALID/);
  await stranger.context().close();
  const trusting = await browse({ home });
  context.after(() => trusting.close());
  const phone = await trusting.open(`${url}/#/`, { signedIn: true, width: 390, height: 844 });
  await phone.waitForSelector(".card");
  const token = await phone.evaluate(async (secret) => {
    const answer = await fetch("/api/arbiters", { method: "POST", headers: { Authorization: `Bearer ${secret}` }, body: JSON.stringify({ name: "Ida", tables: "1" }) });
    sessionStorage.removeItem("token");
    return (await answer.json()).token;
  }, TOKEN);
  await phone.context().close();
  const own = await trusting.open(`${url}/#/join/${token}`, { width: 390, height: 844 });
  await own.waitForSelector(".card");
  assert.deepEqual((await own.context().cookies()).map((cookie) => [cookie.secure, cookie.httpOnly]), [[true, true]]);
  const able = await own.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    const lock = await navigator.wakeLock.request("screen");
    return { isSecureContext, scope: new URL(worker.scope).pathname, awake: !lock.released, push: "pushManager" in worker };
  });
  assert.deepEqual(able, { isSecureContext: true, scope: "/", awake: true, push: true });
  assert.deepEqual(trusting.faults, []);
});
