// What an arbiter does about an alert, at boards that do what the test says: steps, rulings and taking them back.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { TOKEN, answeredBy, browse, inaccessible, pressSurely, settled, waitUntil, watch } from "./hall.mjs";

const WORK = process.env.WORK;
const SHOTS = process.env.JADOUBE_SCREENSHOTS ?? path.join(WORK, "screenshots");

/** Widths at which axe looks at the page: a phone's and a laptop's layout, which the other widths share. */

let hall;
let browser;
let board;

before(async () => {
  fs.mkdirSync(SHOTS, { recursive: true });
  board = await TableBoard.open("24001");
  hall = await watch({ directory: path.join(WORK, "ruling"), binary: process.env.JADOUBE, boards: [board] });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
  board?.close();
});

const until = waitUntil;

const full = () => hall.read(`/api/boards/${board.serial}`);

/** Waits for an open alert of the present game. */
const alertOf = (code) => until(code, async () => {
  const { alerts, game } = await full();
  return Object.values(alerts ?? {}).find((alert) => alert.code === code && alert.state === "open" && alert.game === game?.number);
});

const newGame = () => board.newGame();

/** Waits until the daemon has heard of all that was done at the board in its newest game, of which this is the last move. */
const played = (san) => until(san, async () => {
  const { game } = await full();
  return game?.result === null && game.moves.at(-1)?.san === san && game;
});

/** Begins a game in which White has played 1. e4 e5 2. Ke3, which no king can. */
async function illegalMove() {
  await newGame();
  await board.play("white", "e2", "e4");
  await board.play("black", "e7", "e5");
  await board.play("white", "e1", "e3");
  return alertOf("illegal-move");
}

const alertPage = async (alert, options = {}) => {
  const page = await browser.open(`${hall.url}/#/alert/${alert.id}`, { signedIn: true, ...options });
  await page.waitForSelector("#sentence");
  return page;
};

const states = (page) => page.$$eval("#steps [data-step]", (all) => all.map((one) => `${one.dataset.step} ${one.dataset.state}`));
const shows = (page, wanted) => page.waitForFunction((list) => [...document.querySelectorAll("#steps [data-step]")].map((one) => `${one.dataset.step} ${one.dataset.state}`).join() === list, wanted.join());

test("three steps tick themselves off, whatever order the arbiter does them in", async (context) => {
  const alert = await illegalMove();
  const page = await alertPage(alert, { width: 390, height: 844 });
  await shows(page, ["stop open", "position open", "times open"]);
  assert.deepEqual(await page.$$eval(".wrong li", (all) => all.map((one) => one.textContent)), ["e1: white king is missing", "e3: white king must go"]);
  assert.match(await page.textContent("[data-step=stop]"), /The time of Black runs\./);
  const set = alert.facts.set_clock;
  // The position first, with the king beside its square, while the clock runs on.
  await board.lift("e3");
  await board.put("d1", "K");
  await page.waitForFunction(() => /d1: white queen, not white king/.test(document.querySelector("#steps").textContent));
  await board.put("d1", "Q");
  await board.put("e1", "K");
  await shows(page, ["stop open", "position done", "times open"]);
  // The times of the wrong side, and only then the clock is stopped.
  await board.stopClock();
  await shows(page, ["stop done", "position done", "times open"]);
  await board.setClock({ white: set.black, black: set.white });
  await page.waitForFunction(() => /Not right yet: White, Black\./.test(document.querySelector("#steps").textContent));
  await board.setClock({ white: set.white });
  await page.waitForFunction(() => /Not right yet: Black\./.test(document.querySelector("#steps").textContent));
  // The steps are drawn anew at any moment: a handle to them may be gone before it is scrolled to.
  await page.evaluate(() => document.querySelector("#steps").scrollIntoView());
  await page.screenshot({ path: path.join(SHOTS, "steps-phone.png"), fullPage: true });
  await board.setClock({ black: set.black });
  await shows(page, ["stop done", "position done", "times done"]);
  assert.match(await page.textContent(".all-done"), /Start the clock of White\./);
  // A piece that is knocked over is wrong again.
  await board.lift("a2");
  await shows(page, ["stop done", "position open", "times done"]);
  await board.put("a2", "P");
  await shows(page, ["stop done", "position done", "times done"]);
  assert.deepEqual(await inaccessible(page), []);
  // Play goes on, and the steps stay done.
  await board.startClock("white");
  const { white } = (await full()).clock;
  await until("the clock runs", async () => (await full()).clock.white <= white - 2);
  await settled(page);
  assert.deepEqual(await states(page), ["stop done", "position done", "times done"]);
  context.diagnostic(`steps: ${(await states(page)).join(", ")}`);
  await page.context().close();
});

test("what the clock shows to have been given is what is confirmed, and nobody has to run any more", async () => {
  const alert = await illegalMove();
  const page = await alertPage(alert);
  await page.waitForSelector("#confirm:has-text('Confirm: Black +1:00')");
  assert.equal(await page.getAttribute(".alert-page", "data-s"), "act");
  await board.stopClock();
  await board.setClock({ black: board.clock.black + 58 });
  await page.waitForFunction(() => document.querySelector("#decision").textContent === "You gave Black 58 s: confirm?");
  await page.waitForSelector("#confirm:has-text('Confirm: Black +0:58')");
  await page.evaluate(() => { location.hash = "#/"; });
  // The clock shows it: it is to be confirmed, and not red any more.
  await page.waitForSelector('.rail .alert-line[data-s="look"]');
  assert.equal(await page.locator('.alert-line[data-s="act"]').count(), 0);
  assert.equal(await page.title(), "City Open – jadoube");
  await page.goBack();
  await page.waitForSelector("#confirm:has-text('Confirm: Black +0:58')");
  await page.click("#confirm");
  await page.waitForSelector(".ruling .outcome.done");
  const { order } = (await hall.read("/api/audit")).at(-1);
  assert.equal(order.seconds, 58, JSON.stringify(order));
  await page.context().close();
});

test("what it may have been instead is one press, and no probability is shown as a number", async () => {
  const { id } = await illegalMove();
  const story = "The king was adjusted.";
  const addsFacts = (page) => answeredBy(page, `**/api/boards/${board.serial}`, async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    Object.assign(json.alerts?.[id] ?? {}, { otherwise: story, p: 0.9371 });
    await route.fulfill({ json });
  });
  const page = await alertPage({ id }, { width: 390, height: 844, prepare: addsFacts });
  await page.waitForSelector(`#otherwise li:has-text("${story}")`);
  assert.doesNotMatch(await page.textContent("main"), /937|93[.,]7|94 ?%/);
  assert.deepEqual(await inaccessible(page), []);
  await page.click("#otherwise button");
  await until("the other story", async () => (await full()).alerts[id].state === "withdrawn");
  const { order } = (await hall.read("/api/audit")).at(-1);
  assert.deepEqual([order.order, order.alert, order.reason], ["story", id, story]);
  await page.waitForSelector("#otherwise", { state: "detached" });
  assert.match(await page.textContent("#state"), /^withdrawn$/);
  await page.context().close();
  assert.deepEqual(browser.faults, []);
});

test("the settings choose the clock whose keys are named", async () => {
  const page = await browser.open(`${hall.url}/#/settings`, { signedIn: true });
  await page.waitForSelector("#sign-in");
  await page.locator("label", { hasText: "Clock at the tables" }).locator("select").selectOption("2010");
  const { alerts } = await full();
  const alert = Object.values(alerts).find(({ code }) => code === "illegal-move");
  await board.stopClock();
  await board.lift("a2");
  await page.evaluate((id) => { location.hash = `#/alert/${id}`; }, alert.id);
  await page.waitForSelector("#sentence");
  assert.equal(JSON.parse(await page.evaluate(() => localStorage.getItem("settings"))).clock, "2010");
  await board.put("a2", "P");
  await page.context().close();
});

test("rulings, penalties, results and muting are taken back, and counts are right at once", async (context) => {
  const alert = await illegalMove();
  const page = await alertPage(alert);
  const done = async (button) => {
    const began = Date.now();
    await page.click(button);
    await page.waitForSelector(".ruling .outcome.done");
    return Date.now() - began;
  };
  const official = async () => (await full()).counts.white.official;
  const taken = {};
  taken.confirm = await done("#confirm");
  await page.waitForFunction(() => document.querySelector("#state").textContent === "confirmed");
  assert.equal(await official(), 1);
  await page.waitForSelector("#undo");
  taken.undo = await done("#undo");
  await page.waitForFunction(() => document.querySelector("#state").textContent === "open");
  assert.equal(await official(), 0);
  await page.waitForSelector("#dismiss");
  taken.dismiss = await done("#dismiss");
  await page.waitForSelector("#undo");
  await done("#undo");
  await page.waitForFunction(() => document.querySelector("#state").textContent === "open");
  context.diagnostic(`one tap each, ms: ${JSON.stringify(taken)}`);

  // A penalty counts at once, and not any more when it is taken back.
  const order = async (body) => {
    const answer = await hall.order(board.serial, body);
    assert.equal(answer.status, 200, await answer.text());
  };
  await order({ order: "penalty", side: "black", seconds: 60 });
  assert.equal((await full()).counts.black.official, 1);
  await order({ order: "undo", what: "penalty", side: "black" });
  assert.equal((await full()).counts.black.official, 0);

  // A result that is taken back lets the alert go on.
  await order({ order: "result", result: "0-1" });
  await page.waitForFunction(() => document.querySelector("#state").textContent === "game over");
  await order({ order: "undo", what: "result" });
  await page.waitForFunction(() => document.querySelector("#state").textContent === "open");
  assert.equal((await full()).game.result, null);
  await board.stopClock();
  await board.lift("e3");
  await board.put("e1", "K");
  await order({ order: "reinstate", ply: 2 });
  await board.startClock("white");
  await board.play("white", "g1", "f3");
  await played("Nf3");

  // Muting is bounded, shown, and ended.
  assert.equal((await hall.order(board.serial, { order: "mute", seconds: 7200 })).status, 409);
  await page.evaluate((serial) => { location.hash = `#/board/${serial}`; }, board.serial);
  await page.waitForSelector(".board-page");
  await order({ order: "mute", seconds: 1800 });
  await page.waitForSelector("#muted:not([hidden])");
  assert.match(await page.textContent("#muted"), /Muted until \d\d:\d\d:\d\d/);
  await page.evaluate(() => { location.hash = "#/"; });
  await page.waitForFunction(() => /Muted until/.test(document.querySelector(".card .status")?.textContent));
  await page.goBack();
  await page.waitForSelector("#unmute");
  await page.click("#unmute");
  await page.waitForSelector("#muted[hidden]", { state: "attached" });
  await page.context().close();
});

test("an old checkmate cannot decide the game that runs now", async () => {
  await newGame();
  for (const [side, from, to] of [["white", "f2", "f3"], ["black", "e7", "e5"], ["white", "g2", "g4"], ["black", "d8", "h4"]]) await board.play(side, from, to);
  const mate = await until("checkmate", async () => Object.values((await full()).alerts).find(({ code }) => code === "checkmate"));
  const page = await alertPage(mate);
  await newGame();
  await board.play("white", "e2", "e4");
  const now = await played("e4");
  assert.ok(now.number > mate.game);
  // The result is that of the game that it names.
  assert.equal((await hall.order(board.serial, { order: "result", result: "0-1", game: mate.game })).status, 200);
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#sentence, .empty"));
  assert.equal(await page.$("#declare"), null);
  assert.equal((await full()).game.result, null);
  await page.context().close();
});

test("ruling and report are one: what happened, evidence, ruling, by whom, when; also of a game that is over", async () => {
  const alert = await illegalMove();
  const page = await alertPage(alert);
  await page.click("#more-ruling > summary");
  await page.fill("#reason", "seen by two arbiters");
  await page.click("#confirm");
  await page.waitForSelector("#report");
  // The next game begins, and the board forgets the alert.
  await newGame();
  await board.play("white", "d2", "d4");
  assert.ok((await played("d4")).number > alert.game);
  await page.evaluate((id) => { location.hash = `#/alert/${id}`; }, alert.id);
  await page.evaluate((id) => { location.hash = `#/report/${id}`; }, alert.id);
  await page.waitForSelector(".report[data-ready]");
  const report = await page.textContent(".report");
  for (const wanted of ["Table 1: Illegal move – White", "White completed an illegal move: the king cannot go from e1 to e3", "7.5.1", "A. Arbiter: Illegal move, White: confirmed. 1:00 more for Black. Reason: seen by two arbiters.", "white king leaves e1", "Clocks at that moment"]) assert.ok(report.includes(wanted), `${wanted} is not in ${report}`);
  assert.match(report, /\d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d/);
  assert.doesNotMatch(report, /illegal-move|[ap]\.m\.|AM|PM/);
  assert.equal(await page.$$eval(".incident .diagram", (all) => all.length), 1);
  assert.deepEqual(await inaccessible(page), []);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.isVisible("#print"), false);
  await page.emulateMedia({ media: "screen" });
  // The whole round, as a page and as JSON.
  await page.evaluate(() => { location.hash = "#/report"; });
  await page.waitForFunction(() => document.querySelectorAll(".report[data-ready] .incident").length > 2);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-json")]);
  const saved = JSON.parse(fs.readFileSync(await file.path(), "utf8"));
  const incident = saved.incidents.find(({ id }) => id === alert.id);
  // A second game at a table is that of nobody's pairing.
  assert.deepEqual([saved.round, incident.state, incident.table, incident.rulings[0].arbiter], [1, "confirmed", 1, "A. Arbiter"]);
  await page.context().close();
  const german = await browser.open(`${hall.url}/#/report/${alert.id}`, { signedIn: true, language: "de" });
  await german.waitForSelector(".report[data-ready]");
  const said = await german.textContent(".report");
  for (const wanted of ["Tisch 1: Regelwidriger Zug – Weiß", "Regelwidriger Zug, Weiß: bestätigt. 1:00 mehr für Schwarz.", "weißer König verlässt e1", "Weiß hat einen regelwidrigen Zug"]) assert.ok(said.includes(wanted), `${wanted} is not in ${said}`);
  await german.context().close();
  // The log has the same words.
  const log = await browser.open(`${hall.url}/#/audit`, { signedIn: true });
  await log.waitForFunction(() => /Illegal move, White: confirmed\. 1:00 more for Black\./.test(document.querySelector(".audit")?.textContent));
  assert.doesNotMatch(await log.textContent(".audit"), /illegal-move|order|seconds \d/);
  await log.context().close();
});

test("any moment of any game is played, also of the games before", async (context) => {
  const { incidents } = await hall.read("/api/report?from=1970-01-01T00:00:00Z");
  const games = [...new Set(incidents.map(({ game }) => game))];
  assert.ok(games.length > 1, JSON.stringify(games));
  for (const incident of incidents) {
    const frames = await hall.read(`/api/boards/${board.serial}/frames?at=${incident.at}`);
    const alert = frames.flatMap(({ events }) => events).find(({ event, id }) => event === "alert" && id === incident.id);
    assert.ok(alert, `${incident.id} is not in ${frames.length} frames`);
  }
  context.diagnostic(`${incidents.length} incidents of ${games.length} games`);
});

test("the replay of an alert shows what its capture holds, frame by frame", async (context) => {
  const alert = await illegalMove();
  const page = await browser.open(`${hall.url}/#/help`, { signedIn: true });
  // Frames that the page has: the clock goes on, and later answers have more of them.
  const answer = page.waitForResponse(/\/frames\?alert=/);
  await page.evaluate((id) => { location.hash = `#/alert/${id}`; }, alert.id);
  const frames = await (await answer).json();
  await page.waitForSelector(".replay[data-frame]");
  await page.click("#replay-begin");
  // The capture, replayed by the command line: what every square shows after each instant.
  const slice = await fetch(`${hall.url}/api/boards/${board.serial}/capture?alert=${alert.id}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  const lines = execFileSync(process.env.JADOUBE, ["replay", "--control", "blitz", "--format", "jsonl", "-"], { input: await slice.text(), encoding: "utf8" });
  const squares = new Map();
  const at = new Map();
  for (const event of lines.trim().split("\n").map((line) => JSON.parse(line))) {
    if (event.event === "lift") squares.delete(event.square);
    else if (event.event === "place") squares.set(event.square, event.piece);
    else continue;
    at.set(event.t, [...squares].map(([square, piece]) => square + piece).sort().join(" "));
  }
  const placement = (pieces) => pieces.split("/").flatMap((row, index) => {
    let file = 0;
    return [...row].flatMap((one) => (/\d/.test(one) ? ((file += Number(one)), []) : [`${"abcdefgh"[file++]}${8 - index}${one}`]));
  }).sort().join(" ");
  let compared = 0;
  for (let index = Number(await page.getAttribute(".replay", "data-frame")); index < frames.length; index += 1) {
    const shown = await page.$eval(".replay", (replay) => ({ frame: Number(replay.dataset.frame), pieces: replay.dataset.pieces }));
    const expected = [...at].filter(([instant]) => instant <= frames[shown.frame].t + 1e-6).at(-1)[1];
    assert.equal(shown.frame, index);
    assert.equal(placement(shown.pieces), expected, `frame ${index} at ${frames[index].t}`);
    compared += 1;
    await page.click("#replay-forth");
  }
  assert.ok(compared > 5, String(compared));
  context.diagnostic(`${compared} frames compared with the capture`);
  await page.context().close();
});

test("on a desk of many halls, replay and evidence are at the desk of the hall, and tables at each hall's arbiters", async () => {
  const alert = await illegalMove();
  const believes = (facts) => (page) => answeredBy(page, `**/api/boards/${board.serial}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...facts } });
  });
  const page = await alertPage(alert, { prepare: believes({ hall: "hall-a", desk: "https://hall-a.example" }) });
  await page.waitForSelector("#replay .at-hall a");
  assert.equal(await page.getAttribute("#replay .at-hall a", "href"), `https://hall-a.example/#/alert/${alert.id}`);
  assert.equal(await page.locator("#evidence:visible").count(), 0);
  const has = (tables, table, of) => page.evaluate(async (asked) => (await import("/desk/attention.js")).isIn(...asked), [tables, table, of]);
  for (const [tables, table, of, expected] of [
    ["", 7, "hall-b", true], ["1-20,25", 25, "hall-b", true], ["1-20,25", 7, null, true], ["1-20,25", 21, null, false],
    ["99,hall-a:1-20,25,hall-b:*", 25, "hall-a", true], ["99,hall-a:1-20,25,hall-b:*", 26, "hall-a", false], ["99,hall-a:1-20,25,hall-b:*", null, "hall-b", true],
    ["99,hall-a:1-20,25,hall-b:*", 99, "hall-c", true], ["99,hall-a:1-20,25,hall-b:*", 7, "hall-c", false], ["hall-a:7", 7, undefined, false],
  ]) assert.equal(await has(tables, table, of), expected, `${tables} ${table} ${of}`);
  await page.context().close();
  const other = await alertPage(alert, { language: "de", prepare: believes({ hall: "hall-a" }) });
  await until("it says where the capture is", async () => (await other.textContent("#replay")).includes("Die Aufzeichnung liegt in hall-a"));
  await other.context().close();
});

test("taps and seconds from the hall to what was done", async (context) => {
  const measured = {};
  /** Counts taps from the hall on a phone until the daemon has carried an order out. */
  const count = async (name, taps, outcome = ".outcome.done") => {
    const page = await browser.open(hall.url, { width: 390, height: 844, signedIn: true });
    await page.waitForSelector(".card");
    const began = Date.now();
    for (const [index, tap] of taps.entries()) {
      const button = page.locator(tap).first();
      if (tap === taps[index - 1]) await pressSurely(button);
      else await button.click();
    }
    await page.waitForSelector(outcome);
    measured[name] = `${taps.length} taps, ${((Date.now() - began) / 1000).toFixed(1)} s`;
    await page.context().close();
  };
  await illegalMove();
  const alert = ".rail a.alert-line";
  await count("dismiss", [alert, "#dismiss"]);
  await newGame();
  const wrong = await illegalMove();
  await count("confirm", [alert, "#confirm"]);
  assert.equal((await full()).alerts[wrong.id].state, "confirmed");
  const undone = await browser.open(`${hall.url}/#/alert/${wrong.id}`, { width: 390, height: 844, signedIn: true });
  const began = Date.now();
  await undone.click("#undo");
  await undone.waitForSelector(".ruling .outcome.done");
  measured.undo = `1 tap from the page of the alert, ${((Date.now() - began) / 1000).toFixed(1)} s`;
  await undone.context().close();
  // A claim and a result stand on the page of the board; what is refused is shown as quickly as what is done.
  const outcome = ".outcome.done, .outcome.refused";
  await count("claim", [".card .number", "[data-order=orClaim]", "form.order[aria-label=Claim] button[type=submit]"], outcome);
  await newGame();
  await board.play("white", "e2", "e4");
  await played("e4");
  await count("result", [".card .number", '[data-result="1-0"]'], outcome);
  assert.equal((await full()).game.result, "1-0");
  context.diagnostic(Object.entries(measured).map(([name, value]) => `${name}: ${value}`).join("; "));
  assert.match(measured.confirm, /^2 taps/);
  assert.match(measured.dismiss, /^2 taps/);
});

test("alert and report at every width, light and dark, in both languages, and with text of 200 %", async (context) => {
  const alert = await illegalMove();
  await hall.order(board.serial, { order: "draw-offer", side: "white" });
  const pages = { alert: `#/alert/${alert.id}`, report: `#/report/${alert.id}`, round: "#/report", audit: "#/audit" };
  const faults = [];
  for (const [width, height] of [[390, 844], [820, 1180], [1440, 900], [1920, 1080]]) {
    for (const [dark, language, percent] of [[false, "en", 100], [true, "de", 100], [false, "de", 200]]) {
      const page = await browser.open(hall.url, { width, height, dark, language, signedIn: true });
      await page.waitForSelector(".card");
      for (const [name, hash] of Object.entries(pages)) {
        await page.evaluate((address) => { location.hash = address; }, hash);
        await page.waitForFunction((name) => (name === "alert" ? document.querySelector(".replay[data-frame]") : name === "audit" ? document.querySelector(".audit") : document.querySelector(".report[data-ready]")), name);
        await page.evaluate((size) => { document.documentElement.style.fontSize = `${size}%`; }, percent);
        await settled(page);
        const label = `${name}-${width}-${dark ? "dark" : "light"}-${language}-${percent}`;
        await page.screenshot({ path: path.join(SHOTS, `${label}.png`), fullPage: name !== "round" });
        const sticksOut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (sticksOut > 0) faults.push(`${label} sticks out by ${sticksOut} px`);
        faults.push(...(await inaccessible(page)).map((fault) => `${label}: ${fault}`));
      }
      await page.context().close();
    }
  }
  context.diagnostic(`screenshots in ${SHOTS}`);
  assert.deepEqual(faults, []);
});

test("no script failed and no policy was broken", () => {
  assert.deepEqual(browser.faults, []);
});
