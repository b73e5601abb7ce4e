// The desk from end to end: people break rules at emulated boards, and an arbiter rules on it in a browser.
//
// Emulated people play on after some seconds. Where an arbiter acts on an alert, it stays open: it is that of a second hall, at whose only
// board the test plays.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { Hall, PATIENCE, TOKEN, answeredBy, browse, illegalMove, inaccessible, pressSurely, settled, waitUntil, watch } from "./hall.mjs";

const WORK = process.env.WORK;
const SHOTS = process.env.JADOUBE_SCREENSHOTS ?? path.join(WORK, "screenshots");
const BOARDS = 16;

let hall;
let board;
let quiet;
let browser;

before(async () => {
  fs.mkdirSync(SHOTS, { recursive: true });
  hall = await Hall.open({ directory: path.join(WORK, "hall"), binary: process.env.JADOUBE, boards: BOARDS, incidents: ["king-left-in-check", "illegal-move", "press-without-move", "pawn-left"], time: "3+2" });
  board = await TableBoard.open("24701");
  quiet = await watch({ directory: path.join(WORK, "quiet"), binary: process.env.JADOUBE, boards: [board] });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await quiet?.close();
  await hall?.close();
  board?.close();
});

/** Waits for an open alert at an emulated board, which may end before a page shows it. */
function anyAlert(codes = ["illegal-move", "press-without-move", "promotion-not-replaced"]) {
  return waitUntil(`an alert ${codes}`, async () => {
    const { boards } = await hall.read("/api/hall");
    const all = boards.flatMap((board) => board.alerts.map((alert) => ({ board, alert })));
    return all.find(({ alert }) => codes.includes(alert.code) && alert.state === "open");
  });
}

const full = () => quiet.read(`/api/boards/${board.serial}`);

/** The alert of an illegal move in a new game at our own board: it is open until the test plays on. */
async function openAlert() {
  await illegalMove(board);
  return waitUntil("an illegal move", async () => {
    const { alerts, game } = await full();
    return Object.values(alerts ?? {}).find((alert) => alert.code === "illegal-move" && alert.state === "open" && alert.game === game?.number);
  });
}

/** The page of our own board: in the middle of a game that goes on for as long as the test does. */
async function boardPage() {
  await board.newGame();
  await board.play("white", "e2", "e4");
  await board.play("black", "e7", "e5");
  await waitUntil("the moves", async () => {
    const { game } = await full();
    return !game?.result && game?.moves?.length === 2;
  });
  return browser.open(`${quiet.url}/#/board/${board.serial}`, { signedIn: true });
}

const alertPage = (alert, options) => browser.open(`${quiet.url}/#/alert/${alert.id}`, options);

test("every table is on the page, with running clocks", async () => {
  const page = await browser.open(hall.url);
  await page.waitForFunction((boards) => document.querySelectorAll(".card").length === boards && document.querySelectorAll(".player[data-turn]").length > 5, BOARDS);
  const clocks = () => page.$$eval(".card .clock", (all) => all.map((one) => one.textContent).join());
  const first = await clocks();
  await page.waitForFunction((before) => [...document.querySelectorAll(".card .clock")].map((one) => one.textContent).join() !== before, first);
  await page.context().close();
});

test("an illegal move appears on the page by itself", async (context) => {
  const page = await browser.open(hall.url);
  await page.waitForSelector(".card");
  await page.evaluate(() => {
    globalThis.seen = {};
    const note = () => {
      for (const link of document.querySelectorAll(".rail a")) {
        const id = decodeURIComponent(link.hash.split("/").at(-1));
        globalThis.seen[id] ??= Date.now();
      }
    };
    new MutationObserver(note).observe(document.querySelector(".rail"), { childList: true, subtree: true });
  });
  const codes = ["illegal-move", "press-without-move", "promotion-not-replaced"];
  let found = null;
  for (const end = Date.now() + PATIENCE; !found && Date.now() < end; await page.waitForTimeout(200)) {
    const seen = await page.evaluate(() => globalThis.seen);
    const boards = await hall.read("/api/boards");
    const alerts = boards.flatMap((board) => Object.values(board.alerts));
    const alert = alerts.find((one) => seen[one.id] && codes.includes(one.code) && one.facts.pressed_at);
    // The alert knows both its instants on the board's timeline and the one of the day.
    if (alert) found = (seen[alert.id] - Date.parse(alert.at)) / 1000 + alert.t - alert.facts.pressed_at;
  }
  assert.ok(found, "no illegal move was shown");
  context.diagnostic(`shown ${found.toFixed(2)} s after the press`);
  await page.context().close();
});

test("without the token nothing changes", async () => {
  const alert = await openAlert();
  const page = await alertPage(alert);
  await page.click("#confirm");
  await page.waitForSelector(".ruling .outcome.refused");
  assert.match(await page.textContent(".ruling .outcome"), /token/);
  await page.context().close();
  const wrong = await alertPage(alert);
  await wrong.evaluate(() => sessionStorage.setItem("token", "guessed"));
  await wrong.click("#confirm");
  await wrong.waitForSelector(".ruling .outcome.refused");
  assert.equal((await full()).alerts[alert.id].state, "open");
  await wrong.context().close();
});

test("where games are delayed, the desk asks for the token before it shows anything", async () => {
  const directory = path.join(process.env.WORK, "delayed");
  const delayed = await Hall.open({ directory, binary: process.env.JADOUBE, boards: 1, config: `[pgn]\ndir = "${directory}/pgn"\ndelay_s = 3600\n` });
  try {
    const page = await browser.open(delayed.url);
    await page.waitForSelector("#sign-in");
    assert.doesNotMatch(await page.textContent("body"), new RegExp(delayed.serials[0]));
    await page.fill("#token", "guessed");
    await page.click("#sign-in");
    await page.waitForSelector("#session.refused");
    await page.fill("#token", TOKEN);
    await page.click("#sign-in");
    await page.waitForFunction(() => !document.querySelector("#sign-in") && document.querySelector("main a[href^='#/board/']"));
    // Moves come by the stream, which needs the token as well.
    const plies = () => page.textContent("main");
    const first = await plies();
    await page.waitForFunction((before) => document.querySelector("main").textContent !== before, first);
    await page.context().close();
  } finally {
    await delayed.close();
  }
});

test("confirmed with the token, the count changes", async () => {
  const alert = await openAlert();
  const page = await alertPage(alert, { signedIn: true });
  const before = (await full()).counts[alert.side].official;
  await page.click("#confirm");
  await page.waitForSelector(".ruling .outcome.done");
  await page.waitForFunction(() => document.querySelector("#state").textContent === "confirmed");
  const count = (await full()).counts[alert.side];
  assert.equal(count.official, before + 1);
  await page.waitForFunction((number) => document.querySelector("#counts").textContent.includes(`${number} official`), before + 1);
  await page.context().close();
  const audit = await browser.open(`${quiet.url}/#/audit`, { signedIn: true });
  await audit.waitForFunction((id) => /: confirmed\./.test(document.querySelector(`.audit a[href$="${id}"]`)?.textContent), alert.id);
  assert.match(await audit.textContent(".audit"), /A\. Arbiter/);
  await audit.context().close();
});

test("the newest urgent alert is on every page, and their number in the title", async () => {
  const page = await browser.open(`${hall.url}/#/help`, { width: 390, height: 844 });
  await page.waitForSelector("#alarm .newest");
  // An alert may end in between, and the next one come.
  const becomes = (pattern, text) => page.waitForFunction(([source, read]) => new RegExp(source).test(read === "title" ? document.title : document.querySelector(read)?.textContent), [pattern.source, text]);
  await becomes(/Table \d+.+\d+ (s|min)$/, "#alarm .newest");
  await becomes(/^\(\d+\) City Open – jadoube$/, "title");
  for (const name of ["#/settings", "#/audit", "#/round"]) {
    await page.evaluate((hash) => { location.hash = hash; }, name);
    await page.waitForSelector("#alarm .newest");
  }
  // The bar links to the alert; the page of that alert does not show the bar.
  await page.click("#alarm .newest");
  await page.waitForSelector("#sentence");
  const shown = await page.evaluate(() => decodeURIComponent(location.hash.split("/").at(-1)));
  const bar = await page.evaluate(() => decodeURIComponent(document.querySelector("#alarm .newest")?.hash.split("/").at(-1) ?? ""));
  assert.notEqual(bar, shown);
  await page.context().close();
});

test("a link with the daemon's token signs in, and leaves the address", async () => {
  const page = await browser.open(`${quiet.url}/#/join/${TOKEN}`);
  await page.waitForSelector(".card");
  assert.equal(new URL(page.url()).hash, "#/");
  assert.equal(await page.evaluate(() => sessionStorage.getItem("token")), TOKEN);
  await page.evaluate(() => { location.hash = "#/join/guessed"; });
  await page.waitForSelector("#join-failed");
  assert.equal(await page.evaluate(() => sessionStorage.getItem("token")), null);
  await page.context().close();
});

test("signing in offers sound and vibration, once", async () => {
  const page = await browser.open(`${hall.url}/#/settings`);
  await page.fill("#arbiter", "A. Arbiter");
  await page.fill("#token", TOKEN);
  await page.click("#sign-in");
  await page.click("#signals-on");
  const settings = await page.evaluate(() => JSON.parse(localStorage.getItem("settings")));
  assert.ok(settings.sound && settings.vibration, JSON.stringify(settings));
  await page.click("#sign-in");
  await page.waitForSelector("#session.done");
  assert.equal(await page.isVisible("#offer"), false);
  await page.context().close();
});

test("a table is found by its number, and the hall where it was left", async () => {
  const heading = async (page) => page.textContent("main h1");
  for (const address of ["#/table/5", "#/board/5", "table/5", "board/5"]) {
    const page = await browser.open(`${hall.url}/${address}`);
    await page.waitForSelector(".board-page");
    assert.match(await heading(page), /^Table 5 /, address);
    await page.context().close();
  }
  const page = await browser.open(hall.url, { width: 390, height: 844 });
  await page.waitForSelector(".card");
  await page.evaluate(() => document.querySelectorAll(".card")[9].scrollIntoView());
  await page.waitForFunction(() => scrollY > 500);
  await settled(page);
  const before = await page.evaluate(() => scrollY);
  await page.evaluate(() => document.querySelectorAll(".card .number")[9].click());
  await page.waitForSelector(".board-page");
  await page.goBack();
  await page.waitForSelector(".card");
  await page.waitForFunction((place) => Math.abs(scrollY - place) < 150, before);
  await page.context().close();
});

test("on a phone an alert is one sentence, and the ruling is under the thumb: two taps from the hall", async (context) => {
  const { id, parts } = await openAlert();
  const page = await browser.open(quiet.url, { width: 390, height: 844, signedIn: true });
  // The list of alerts is in view, and shows it; the bar does not show it twice.
  await page.waitForSelector(".rail .alert-line");
  assert.equal(await page.isVisible("#alarm"), false);
  const began = Date.now();
  await page.click(".rail .alert-line");
  await page.waitForSelector("#confirm");
  const seconds = (Date.now() - began) / 1000;
  assert.equal(await page.evaluate(() => decodeURIComponent(location.hash.split("/").at(-1))), id);
  assert.equal(await page.textContent("#sentence"), parts.happened);
  assert.equal(await page.textContent("#do"), parts.do);
  for (const scrolled of [0, 600, 100_000]) {
    await page.evaluate((y) => scrollTo(0, y), scrolled);
    const box = await page.locator("#confirm").boundingBox();
    assert.ok(box.y > 600 && box.y + box.height <= 844 && box.height >= 44, JSON.stringify(box));
  }
  // Nothing at the end of the page is under the buttons.
  const [end, bar] = await page.evaluate(() => [document.querySelector("main").lastElementChild, document.querySelector(".ruling-bar")].map((one) => one.getBoundingClientRect()));
  assert.ok(end.bottom <= bar.top, `${end.bottom} ${bar.top}`);
  await page.evaluate(() => scrollTo(0, 0));
  await page.click("#confirm");
  await page.waitForSelector(".ruling .outcome.done");
  context.diagnostic(`${seconds.toFixed(2)} s from the first tap to the button of the second`);
  await page.context().close();
});

test("the window closes when the opponent moves, and then the alert commands nothing", async () => {
  const { id } = await openAlert();
  const page = await alertPage({ id }, { signedIn: true });
  await page.waitForSelector("#confirm");
  assert.doesNotMatch(await page.textContent("#window"), /Over since/);
  await board.play("black", "b8", "c6");
  await page.waitForFunction(() => /Over since/.test(document.querySelector("#window").textContent));
  assert.match(await page.textContent("#state"), /time to act over/);
  await page.waitForSelector("#confirm", { state: "detached" });
  const alert = (await full()).alerts[id];
  assert.equal(alert.state, "expired");
  assert.equal(await page.textContent("#sentence"), alert.parts.happened);
  assert.match(await page.textContent("#window"), /Too late: do not intervene/);
  assert.equal(await page.$$eval(".urgency-2.alert-page, .alert-head .badge.urgency-2, #confirm, .row-set", (all) => all.length), 0);
  await page.context().close();
});

test("an order that makes no sense is refused with its reason", async () => {
  const page = await boardPage();
  await page.click("[data-order=orSetPosition]");
  const form = page.locator("form.order");
  await form.locator("summary").click();
  await form.locator("input").fill("no position");
  const enter = form.locator(".enter");
  await enter.click();
  await pressSurely(enter);
  await form.locator(".outcome.refused").waitFor();
  assert.match(await form.locator(".outcome").textContent(), /Refused: ./);
  await page.context().close();
});

test("a page in German says it in German, whatever the language of the event", async () => {
  const page = await alertPage(await openAlert(), { language: "de" });
  await page.waitForSelector("#sentence");
  assert.match(await page.textContent("#sentence"), /Weiß|Schwarz/);
  assert.doesNotMatch(await page.textContent("#sentence"), /White|Black/);
  assert.doesNotMatch(await page.textContent("#window"), /white|black|until/i);
  await page.context().close();
});

test("an alert says what to set the clock to, once, and its count of moves", async () => {
  const alert = await openAlert();
  const { facts } = alert;
  const page = await alertPage(alert);
  const shown = await page.textContent("#set-times");
  const face = (seconds) => `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  for (const side of ["white", "black"]) assert.ok(shown.includes(face(facts.set_clock[side])), `${shown} has not ${JSON.stringify(facts.set_clock)}`);
  assert.match(await page.textContent("#clock-keys"), /^DGT 3000: /);
  const steps = await page.textContent("#steps");
  assert.ok(steps.includes(`White ${facts.move_counter.white}, Black ${facts.move_counter.black}`), steps);
  await page.context().close();
});

test("what no sensor sees can be entered, and stands in the audit list; nothing is offered that cannot be done", async () => {
  const page = await boardPage();
  // The event has no increment, and the game has begun.
  assert.equal(await page.isVisible("[data-order=orArrived]"), false);
  // The resignation comes last: it ends the game.
  for (const [name, isSure, fill] of [
    ["orDrawOffer", false],
    ["orIncident", false, (form) => form.locator("input").first().fill("a telephone rang")],
    ["orColours", true],
    ["orQuickplay", true],
    ["orResign", true],
  ]) {
    await page.click(`[data-order=${name}]`);
    const form = page.locator("form.order");
    await fill?.(form);
    const enter = form.locator(".enter");
    if (isSure) await pressSurely(enter);
    else await enter.click();
    const outcome = form.locator(".outcome.done, .outcome.refused");
    await outcome.waitFor();
    // Whether a ruling fits depends on the event; what is refused says why.
    assert.match(await outcome.textContent(), name === "orQuickplay" ? /^(Done|Refused): ./ : /^Done: ./, name);
  }
  const entered = (await quiet.read("/api/audit")).map((entry) => entry.order.order);
  for (const order of ["draw-offer", "incident", "colours-reversed", "quickplay", "resign"]) assert.ok(entered.includes(order), `${order} is not in ${entered}`);
  assert.notEqual((await full()).game.result, null);
  await page.waitForSelector("[data-order=orClaim]", { state: "hidden" });
  await page.context().close();
});

test("the evidence lists what was reported, and the capture replays it", async () => {
  const page = await alertPage(await openAlert(), { signedIn: true });
  await page.click("#evidence > summary");
  await page.waitForSelector(".events .ev-press");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#capture")]);
  assert.match(fs.readFileSync(await file.path(), "utf8"), /^# dgt-capture 1\n/);
  await page.context().close();
});

test("the last seconds are played as the board sensed them, frame by frame", async (context) => {
  const alert = await openAlert();
  const moment = alert.facts.pressed_at;
  const query = `alert=${encodeURIComponent(alert.id)}&at=${encodeURIComponent(alert.at)}`;
  // The page reads them at once, and if there are none, again at the next change of the board: the next test.
  await waitUntil("the frames", async () => (await quiet.read(`/api/boards/${board.serial}/frames?${query}&language=en`)).length);
  const page = await browser.open(`${quiet.url}/#/help`, { width: 390, height: 844, signedIn: true });
  const answer = page.waitForResponse(/\/frames\?alert=/);
  // It starts by itself, two seconds before the press, and may have ended before a slow test looks.
  await page.evaluate(() => {
    const look = () => { globalThis.hasPlayed ||= document.querySelector("#replay-play")?.getAttribute("aria-label") === "Pause"; };
    new MutationObserver(look).observe(document.body, { attributeFilter: ["aria-label"], childList: true, subtree: true });
  });
  await page.evaluate((id) => { location.hash = `#/alert/${id}`; }, alert.id);
  const frames = await (await answer).json();
  await page.waitForSelector(".replay[data-frame]");
  await page.waitForFunction(() => globalThis.hasPlayed);
  await page.click("#replay-begin");
  assert.match(await page.textContent(".replay-time"), /^−2\.00 s/);
  const shown = async () => page.$eval(".replay", (replay) => ({ index: Number(replay.dataset.frame), pieces: replay.dataset.pieces, clocks: [...replay.querySelectorAll(".clock")].map((one) => one.textContent) }));
  const face = (seconds) => `${Math.floor(Math.ceil(seconds) / 60)}:${String(Math.ceil(seconds) % 60).padStart(2, "0")}`;
  const first = (await shown()).index;
  assert.ok(frames[first].t <= moment - 2 && frames[first + 1].t > moment - 2);
  let index = first;
  for (; index + 1 < frames.length; index += 1) await page.click("#replay-forth");
  for (; index > first; index -= 1) {
    const now = await shown();
    assert.equal(now.index, index);
    assert.equal(now.pieces, frames[index].pieces);
    if (frames[index].clock) assert.deepEqual(now.clocks, [face(frames[index].clock.black), face(frames[index].clock.white)]);
    await page.click("#replay-back");
  }
  assert.ok(frames.some(({ t, events }) => Math.abs(t - moment) < 0.001 && events.some(({ event }) => event === "press")));
  context.diagnostic(`${frames.length - first} frames compared`);
  await page.selectOption("#replay-speed", "4");
  await page.click("#replay-play");
  await page.waitForFunction((from) => Number(document.querySelector(".replay").dataset.frame) > from, first);
  assert.deepEqual(await inaccessible(page), []);
  await page.locator("#replay").scrollIntoViewIfNeeded();
  await page.screenshot({ path: path.join(SHOTS, "replay-phone.png") });
  await page.context().close();
});

test("a replay that is not there yet is read again at the next change of the board, and when somebody asks for it", async () => {
  const alert = await openAlert();
  let answers = [];
  let asked = 0;
  const prepare = (page) => answeredBy(page, /\/frames\?alert=/, (route) => {
    asked += 1;
    const answer = answers.shift();
    return answer ? route.fulfill(answer) : route.continue();
  });
  const shown = async (missing, act) => {
    answers = [missing];
    asked = 0;
    const page = await alertPage(alert, { signedIn: true, prepare });
    await act?.(page);
    await page.waitForSelector(".replay[data-frame]");
    assert.ok(asked >= 2);
    await page.context().close();
  };
  const none = { json: [] };
  // The clock runs, and every report of it is a change.
  await shown(none);
  await shown({ status: 503, json: { error: "others look at captures; try again in a moment" } });
  // Nothing changes any more.
  await board.stopClock();
  await shown(none, (page) => page.click("#replay-again"));
});

test("any moment of the game is played from the page of the board", async () => {
  const page = await boardPage();
  await page.click(".moves .ply");
  await page.click("#evidence > summary");
  await page.waitForSelector("#replay .replay[data-frame]");
  const before = await page.getAttribute(".replay", "data-frame");
  await page.click("#replay-forth");
  assert.equal(Number(await page.getAttribute(".replay", "data-frame")), Number(before) + 1);
  await page.context().close();
});

test("a restart of the daemon is shown, and the page recovers by itself", async () => {
  const page = await browser.open(hall.url);
  await page.waitForSelector(".card");
  await hall.stop("SIGKILL");
  await page.waitForSelector("#offline:not([hidden])");
  await hall.start();
  await page.waitForSelector("#offline", { state: "hidden" });
  await page.waitForFunction((boards) => document.querySelectorAll(".card:not([data-down])").length === boards, BOARDS);
  const moves = () => page.$$eval(".card .last", (all) => all.map((one) => one.textContent).join());
  const first = await moves();
  await page.waitForFunction((before) => [...document.querySelectorAll(".card .last")].map((one) => one.textContent).join() !== before, first);
  await page.context().close();
});

test("keys lead through the hall", async () => {
  const page = await browser.open(hall.url);
  await page.waitForSelector(".card");
  await page.keyboard.press("/");
  await page.keyboard.type("Sommer");
  await page.waitForFunction(() => document.querySelectorAll(".card").length < 10 && document.querySelector(".card .name"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  assert.equal(await page.getAttribute("#trouble", "aria-pressed"), "true");
  await page.goto(`${hall.url}/#/table/2`);
  for (const [key, table] of [["ArrowRight", 3], ["ArrowLeft", 2], ["ArrowLeft", 1]]) {
    await page.waitForSelector("#next");
    await page.keyboard.press(key);
    await page.waitForFunction((number) => document.querySelector("main h1")?.textContent.startsWith(`Table ${number} `), table);
  }
  await page.context().close();
});

test("German and English, at every width, light and dark: complete, accessible, nothing sticks out", async (context) => {
  const sizes = [["desktop", 1280, 800], ["phone", 360, 740]];
  const [serial] = hall.serials;
  const pages = { hall: "", alert: null, watch: "#/watch", equipment: "#/equipment", more: "#/more", board: `#/board/${serial}`, sheet: `#/sheet/${serial}`, settings: "#/settings", audit: "#/audit", help: "#/help" };
  for (const dark of [false, true]) {
    const language = dark ? "de" : "en";
    await hall.stop();
    hall.speak(language);
    await hall.start();
    for (const [size, width, height] of sizes) {
      const page = await browser.open(hall.url, { width, height, dark, signedIn: true, language });
      await page.waitForSelector(".card");
      for (const [name, hash] of Object.entries(pages)) {
        // A picture of an alert shows one that can still be acted on.
        const target = hash ?? `#/alert/${(await anyAlert(process.env.UPDATE ? ["illegal-move"] : undefined)).alert.id}`;
        await page.evaluate((address) => { location.hash = address; }, target || "#/");
        await page.waitForFunction(() => !document.querySelector(".loading"));
        await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
        // Pictures of the arbiters' page show no path of whoever has made them.
        await page.evaluate((directory) => {
          for (const cell of document.querySelectorAll("dd")) cell.textContent = cell.textContent.replace(`${directory}/boards/board-`, "/dev/ttyACM");
        }, hall.directory);
        if (["hall", "alert", "board"].includes(name)) await page.screenshot({ path: path.join(SHOTS, `${name}-${size}-${dark ? "dark" : "light"}.png`) });
        const sticksOut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(sticksOut <= 0, `${name} at ${width} px sticks out by ${sticksOut} px`);
        const bad = await inaccessible(page);
        assert.deepEqual(bad, [], `${name} at ${width} px, ${dark ? "dark" : "light"}`);
      }
      await page.context().close();
    }
  }
  context.diagnostic(`screenshots in ${SHOTS}`);
});

test("no script failed and no policy was broken", () => {
  assert.deepEqual(browser.faults, []);
});
