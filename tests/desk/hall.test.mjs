// The pages of the hall and of a board: what an arbiter enters often, and how tables are shown on every screen.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { answeredBy, browse, inaccessible, settled, waitUntil, watch } from "./hall.mjs";

const WORK = process.env.WORK;
const SHOTS = process.env.JADOUBE_SCREENSHOTS ?? path.join(WORK, "screenshots");

/** Widths at which axe looks at the page: a phone's and a laptop's layout, which the other widths share. */

let hall;
let browser;
let board;

before(async () => {
  fs.mkdirSync(SHOTS, { recursive: true });
  board = await TableBoard.open("24002");
  hall = await watch({ directory: path.join(WORK, "pages"), binary: process.env.JADOUBE, boards: [board] });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
  board?.close();
});

const until = waitUntil;

const full = () => hall.read(`/api/boards/${board.serial}`);

const newGame = () => board.newGame();

const entered = async () => (await hall.read("/api/audit")).filter((entry) => entry.board === board.serial).map(({ order }) => order);

test("claim, draw offer and penalty name who is to move, and begin with that side", async () => {
  await newGame();
  await board.play("white", "e2", "e4");
  const [white, black] = await until("both names", async () => {
    const { white, black, game } = await full();
    return game?.moves?.length === 1 && [white, black];
  });
  const page = await browser.open(`${hall.url}/#/table/1`, { width: 390, height: 844, signedIn: true });
  const names = { orClaim: black, orDrawOffer: black, orPenalty: white };
  for (const [name, player] of Object.entries(names)) {
    await page.waitForFunction(([one, wanted]) => document.querySelector(`[data-order=${one}] small`)?.textContent === wanted, [name, player]);
  }
  for (const [name, side] of [["orClaim", "black"], ["orDrawOffer", "black"], ["orPenalty", "white"]]) {
    await page.click(`[data-order=${name}]`);
    assert.equal(await page.inputValue("#order-form select >> nth=0"), side, name);
  }
  // Whoever has moved is not to move any more: the next form begins with the other side, the open one keeps its own.
  await board.play("black", "e7", "e5");
  await page.waitForFunction((wanted) => document.querySelector("[data-order=orClaim] small").textContent === wanted, white);
  assert.equal(await page.inputValue("#order-form select >> nth=0"), "white");
  await page.click("[data-order=orDrawOffer]");
  await page.click("#order-form [type=submit]");
  await page.waitForSelector("#order-form .outcome.done");
  assert.deepEqual((await entered()).at(-1), { order: "draw-offer", side: "white", game: (await full()).game.number });
  assert.deepEqual(await inaccessible(page), []);
  await page.context().close();
});

test("a result is one press and can be undone; a new game closes the form of the old one", async () => {
  await newGame();
  await board.play("white", "d2", "d4");
  const { black } = await until("the game", async () => {
    const now = await full();
    return now.game?.moves?.length === 1 && now;
  });
  const page = await browser.open(`${hall.url}/#/table/1`, { width: 390, height: 844, signedIn: true });
  const won = page.locator('[data-result="0-1"]');
  assert.equal(await won.getAttribute("aria-label"), `0–1 ${black}`);
  await won.click();
  await until("the result", async () => (await full()).game.result === "0-1");
  await page.waitForSelector('[data-result="0-1"][aria-pressed=true]');
  await page.click("#toast-undo");
  await until("no result", async () => (await full()).game.result === null);
  await won.click();
  await until("the result again", async () => (await full()).game.result === "0-1");
  // It is taken back at the same place as well, when the ten seconds are over.
  await page.click("#undo-last");
  await until("no result again", async () => (await full()).game.result === null);
  await page.click("[data-order=orIncident]");
  await hall.order(board.serial, { order: "result", result: "0-1" });
  await newGame();
  await board.play("white", "c2", "c4");
  await page.waitForSelector("#order-form", { state: "hidden" });
  await page.context().close();
});

test("a wrong claim is answered in words, with what the opponent gets, and is no success", async () => {
  await newGame();
  await board.play("white", "e2", "e4");
  await until("the move", async () => (await full()).game?.moves?.length === 1);
  const page = await browser.open(`${hall.url}/#/table/1`, { signedIn: true });
  await page.click("[data-order=orClaim]");
  await page.click("#order-form [type=submit]");
  await page.waitForSelector("#order-form .outcome a");
  const outcome = await page.textContent("#order-form .outcome");
  const claim = Object.values((await full()).alerts).find(({ facts }) => facts?.claim === "incorrect");
  assert.equal(outcome, `${claim.parts.happened} ${claim.parts.do}`);
  assert.match(outcome, /minute.* White/);
  assert.equal(await page.locator("#order-form .outcome.done").count(), 0);
  // It stands on top of the page until the next move, and in the report.
  assert.equal(await page.textContent(".banner.claim b"), claim.parts.happened);
  assert.deepEqual(await inaccessible(page), []);
  await board.play("black", "e7", "e5");
  await page.waitForSelector(".banner.claim", { state: "detached" });
  await page.evaluate(() => { location.hash = "#/report"; });
  await page.waitForSelector(".report[data-ready]");
  assert.ok((await page.textContent(".report")).includes(claim.parts.do), claim.parts.do);
  await page.context().close();
});

test("clocks stand still while the daemon cannot be heard, and a filter does not outlive its page", async () => {
  await newGame();
  await board.play("white", "e2", "e4");
  await until("the clock runs", async () => (await full()).clock.running === "black");
  const page = await browser.open(hall.url, { signedIn: true });
  await page.waitForSelector(".card .player[data-turn]");
  await page.fill("#search", "nobody");
  await page.waitForSelector(".empty:not([hidden])");
  await page.reload();
  await page.waitForSelector(".card");
  assert.equal(await page.inputValue("#search"), "");
  await hall.stop();
  try {
    await page.waitForSelector("#offline:not([hidden])");
    await page.waitForSelector(".card .player[data-stale]");
    const shown = () => page.$$eval(".card .clock", (all) => all.map((one) => one.textContent));
    const first = await shown();
    await page.waitForTimeout(2500);
    assert.deepEqual(await shown(), first);
  } finally {
    await hall.start();
  }
  await page.waitForSelector(".card .player:not([data-stale])");
  await page.context().close();
});

test("the list of moves opens at its end, shows the last one, and corrects a move in place", async () => {
  await newGame();
  const shuffle = [["white", "g1", "f3"], ["black", "g8", "f6"], ["white", "f3", "g1"], ["black", "f6", "g8"]];
  for (const [side, from, to] of [...shuffle, ...shuffle.slice(0, 2)]) await board.play(side, from, to);
  await until("the moves", async () => (await full()).game?.moves?.length === 6);
  const page = await browser.open(`${hall.url}/#/table/1`, { width: 390, height: 500, signedIn: true });
  await page.waitForSelector(".moves [data-last]");
  const place = await page.$eval(".moves-holder", (one) => one.scrollHeight - one.clientHeight - one.scrollTop);
  assert.ok(place < 2, `${place} px from the end`);
  assert.equal(await page.textContent(".moves [data-last] .san"), "Nf6");
  assert.equal(await page.locator(".diagram .last").count(), 2);
  await page.click(".moves .ply >> nth=0");
  assert.equal(await page.inputValue(".moves .edit input"), "Nf3");
  assert.deepEqual(await inaccessible(page), []);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".moves .edit", { state: "detached" });
  await page.context().close();
});

test("an arbiter watches a game short of time, and others see who, until it ends", async () => {
  await newGame();
  await board.play("white", "e2", "e4");
  const open = (signedIn) => browser.open(`${hall.url}/#/watch`, { width: 390, height: 844, signedIn });
  const [own, other] = [await open(true), await open(false)];
  await board.setClock({ white: 59, black: 59, lever: "black" });
  await own.click(".lane .watch");
  await own.waitForSelector(".lane .watch[aria-pressed=true]");
  await other.waitForFunction(() => document.querySelector(".lane .watch")?.textContent === "A. Arbiter watches" && document.querySelector(".lane .watch").disabled);
  assert.deepEqual(await inaccessible(own), []);
  await hall.order(board.serial, { order: "result", result: "1-0" });
  await own.waitForSelector(".lane", { state: "detached" });
  assert.equal((await hall.read("/api/attention")).watching[board.serial].by.length, 1);
  await newGame();
  await board.setClock({ white: 50, black: 45, lever: "white" });
  await board.play("white", "e2", "e4");
  await own.waitForSelector(".lane .watch[aria-pressed=false]");
  for (const page of [own, other]) await page.context().close();
});

/** Answers for a daemon with a round of two tables, the second without a board; `posted` gets what the page sends. */
const round = (posted) => async (page) => {
  const players = { white: { name: "Vogt, Lena" }, black: { name: "Brandt, Paul" } };
  const open = { result: null, by: null, state: "missing", at: null, checked: false };
  const began = "2026-11-30T10:00:00Z";
  const games = [{ table: 1, serial: board.serial, ...players, ...open, game: { board: board.serial, number: 1, began, present: true, plies: 31 } }, { table: 2, serial: null, ...players, ...open, game: null }];
  const summary = { round: 4, state: "playing", current: true, tables: 2, playing: 1, results: 0, waiting: 0, missing: [1, 2], unconfirmed: [], unpaired: 0 };
  await answeredBy(page, "**/api/rounds", (route) => route.fulfill({ json: [summary] }));
  await answeredBy(page, "**/api/rounds/4", (route) => route.fulfill({ json: { ...summary, games, unpaired_games: [] } }));
  await answeredBy(page, "**/api/rounds/4/results", (route) => {
    const { table, result, checked } = route.request().postDataJSON();
    posted.push([table, result ?? checked]);
    const known = result === "*" ? null : result;
    Object.assign(games[table - 1], checked === undefined ? { result: known, state: known ? "entered" : "missing" } : { checked });
    return route.fulfill({ json: { done: true, table } });
  });
  await answeredBy(page, "**/api/pairings?*", (route) => {
    posted.push([route.request().url().includes("preview=true") ? "look" : "use", route.request().postData()]);
    return route.fulfill({ json: { round: 5, tables: 1, without_board: [2], not_in: [], changed: [], running: 1, games: [{ table: 1, white: "Vogt, Lena", black: "Brandt, Paul", board: true }] } });
  });
};

test("results are one press each, with an undo, and pairings are looked at before they count", async () => {
  const posted = [];
  const page = await browser.open(`${hall.url}/#/round`, { signedIn: true, prepare: round(posted) });
  await page.waitForSelector('[data-stage="Playing"][aria-pressed="true"]');
  await page.click('[data-stage="Results"]');
  await page.click('[data-table="2"] button:has-text("½–½")');
  await page.waitForSelector('#results [data-table="2"] button[aria-pressed="true"]:has-text("½–½")');
  await page.click("#toast-undo");
  await page.waitForSelector('#results [data-table="2"] button[aria-pressed="true"]', { state: "detached" });
  await page.click('#results [data-table="2"] button:has-text("…")');
  await page.selectOption('#results [data-table="2"] select', "+/-");
  await page.click('#results [data-table="2"] button:has-text("Slip is in")');
  await page.waitForSelector('#results [data-table="2"] .good');
  assert.deepEqual(posted, [[2, "1/2-1/2"], [2, "*"], [2, "+/-"], [2, true]]);
  assert.deepEqual(await inaccessible(page), []);
  assert.ok((await sideways(page)) <= 0);
  await page.screenshot({ path: path.join(SHOTS, "results.png") });
  await page.click('[data-stage="Pairings"]');
  await page.setInputFiles("#pairings-file", { name: "r5.trf", mimeType: "text/plain", buffer: Buffer.from("012 City Open") });
  await page.click("#use-pairings");
  await page.waitForFunction(() => /^The pairings of round 5 count/.test(document.querySelector("#main .outcome.done")?.textContent));
  assert.deepEqual(posted.slice(4), [["look", "012 City Open"], ["use", "012 City Open"]]);
  assert.deepEqual(await inaccessible(page), []);
  await page.context().close();
});

/** Lets a page believe that the hall has this many tables; table 5 is the real board. */
const manyTables = (tables) => (page) => answeredBy(page, "**/api/hall", async (route) => {
  const answer = await route.fetch();
  const found = await answer.json();
  const [real] = found.boards;
  const alert = (serial, code, severity) => ({ id: `${serial}-1-1`, event: "alert", code, severity, state: "open", waits: true, confidence: "certain", side: "white", at: found.at, t: 1, ply: 1, game: 1, text: code });
  const boards = Array.from({ length: tables }, (_, index) => {
    const serial = index === 0 ? real.board : String(31000 + index);
    const alerts = index % 10 === 1 ? [alert(serial, "illegal-move", "act")] : index % 10 === 2 ? [alert(serial, "clock-stopped", "equipment")] : [];
    const result = index % 10 === 3 ? { result: "1-0", by: "arbiter" } : {};
    return { ...real, board: serial, serial, table: index + 1, up: index % 10 !== 4, alerts, game: real.game && { ...real.game, ...result } };
  });
  await route.fulfill({ json: { ...found, boards } });
});

const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("on a phone alerts come first, then a floor of tiles; nothing scrolls inside the page, and Back keeps the place", async () => {
  await newGame();
  const page = await browser.open(hall.url, { width: 390, height: 844, signedIn: true, prepare: manyTables(150) });
  await page.waitForSelector(".tile");
  assert.equal(await page.locator(".tile").count(), 150);
  await page.waitForSelector(".rail .alert-line");
  // Measured at one moment: what is drawn anew in between has no place.
  const [alerts, tiles] = await page.evaluate(() => [".rail .alert-line", ".tile"].map((name) => document.querySelector(name).getBoundingClientRect().toJSON()));
  assert.ok(alerts.y < tiles.y && tiles.y < 844, `${alerts.y} ${tiles.y}`);
  const inner = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)).map((one) => one.className));
  assert.deepEqual(inner, []);
  // A state has a sign of its own, not only a colour.
  const signs = await page.$$eval(".tile", (all) => Object.fromEntries(all.map((one) => [one.dataset.state, one.querySelector(".tile-sign").dataset.sign])));
  assert.ok(Object.keys(signs).length >= 4, JSON.stringify(signs));
  assert.equal(new Set(Object.values(signs)).size, Object.keys(signs).length, JSON.stringify(signs));
  // All alerts are there on demand.
  await page.click(".more-alerts");
  assert.equal(await page.locator(".rail .alert-line").count(), 30);
  await page.click(".more-alerts");
  assert.ok((await page.locator(".rail .alert-line").count()) < 10);
  // A touch opens the table.
  const box = await page.evaluate(() => document.querySelector(".tile").getBoundingClientRect().toJSON());
  assert.ok(box.width >= 40 && box.height >= 44, JSON.stringify(box));
  await page.evaluate(() => scrollTo(0, 400));
  const before = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(scrollY)))));
  assert.ok(before > 200, String(before));
  await page.evaluate(() => document.querySelectorAll(".tile a")[0].click());
  await page.waitForSelector(".board-page");
  await page.goBack();
  await page.waitForSelector(".tile");
  await page.waitForFunction((place) => Math.abs(scrollY - place) < 60, before);
  assert.deepEqual(await inaccessible(page), []);
  await page.context().close();
});

test("a wall shows 60 tables with clocks and 300 as tiles on one screen, large", async (context) => {
  // With names below, numbers are a little smaller than without.
  for (const [tables, number, clock] of [[60, 44, 27], [300, 24, 0]]) {
    for (const dark of [false, true]) {
      const page = await browser.open(hall.url, { width: 1920, height: 1080, dark, size: "wall", language: dark ? "de" : "en", prepare: manyTables(tables) });
      await page.waitForSelector(".on-wall .tile");
      await page.waitForFunction((count) => document.querySelectorAll(".tile").length === count, tables);
      const outside = () => page.$$eval(".tile", (all) => all.filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
      }).length);
      await until("all tiles on the screen", async () => (await outside()) === 0);
      const size = (name) => page.$eval(name, (one) => parseFloat(getComputedStyle(one).fontSize));
      assert.ok((await size(".tile-number")) >= number, `${tables} tables: ${await size(".tile-number")} px`);
      if (clock) assert.ok((await size(".tile-clock")) >= clock, `${tables} tables: clocks of ${await size(".tile-clock")} px`);
      context.diagnostic(`${tables} tables: numbers of ${(await size(".tile-number")).toFixed(0)} px`);
      assert.deepEqual(await inaccessible(page), []);
      await page.screenshot({ path: path.join(SHOTS, `wall-${tables}-${dark ? "dark" : "light"}.png`) });
      await page.context().close();
    }
  }
});

test("24 tables are on one screen of a laptop, 60 on full HD, and a phone's first screen has alerts and a table", async () => {
  for (const [tables, width, height] of [[24, 1440, 900], [60, 1920, 1080], [24, 390, 844]]) {
    const page = await browser.open(hall.url, { width, height, signedIn: true, prepare: manyTables(tables) });
    await page.waitForFunction((count) => document.querySelectorAll(".card").length === count, tables);
    await page.waitForSelector(".rail .alert-line");
    await settled(page);
    // The bar of a phone covers the foot of its screen.
    const seen = await page.$$eval(".card", (all) => {
      const bar = document.querySelector(".nav").getBoundingClientRect();
      const foot = bar.top > 100 ? bar.top : innerHeight;
      return all.filter((one) => one.getBoundingClientRect().bottom <= foot).length;
    });
    assert.ok(seen >= (width < 500 ? 1 : tables), `${seen} of ${tables} tables at ${width} × ${height}`);
    if (width > 500) {
      await page.click("#as-boards");
      await page.waitForFunction((count) => document.querySelectorAll(".card .mini svg").length === count, tables);
      await page.click("#as-tiles");
      await page.waitForFunction((count) => document.querySelectorAll(".tile").length === count, tables);
    }
    await page.context().close();
  }
});

test("300 tables are shown, and every size of text and screen holds the pages", async (context) => {
  const page = await browser.open(hall.url, { width: 1440, height: 900, signedIn: true, prepare: manyTables(300) });
  await page.waitForSelector(".tile");
  const shown = await page.evaluate(() => performance.getEntriesByName("hall-shown")[0].startTime);
  context.diagnostic(`first view of 300 tables after ${shown.toFixed(0)} ms`);
  await page.context().close();
  const faults = [];
  const looks = [["hall", "#/", ".tile, .card"], ["board", "#/table/1", ".board-page"], ["sheet", "#/sheet/1", ".sheet"], ["settings", "#/settings", "#sign-in"], ["help", "#/help", ".prose h2"], ["round", "#/round", ".round-floor"], ["arbiters", "#/arbiters", "#new-name"], ["watch", "#/watch", ".page-head"], ["equipment", "#/equipment", ".equipment tr"], ["components", "#/components", ".comps"]];
  // Pages that are laid out by the same blocks are looked at in fewer widths.
  const few = new Set(["watch", "equipment", "components"]);
  for (const [width, height] of [[320, 700], [390, 844], [820, 1180], [1440, 900], [1920, 1080]]) {
    for (const [dark, language, percent] of [[false, "en", 100], [true, "de", 100], [false, "de", 200]]) {
      const look = await browser.open(hall.url, { width, height, dark, language, signedIn: true, prepare: manyTables(60) });
      await look.waitForSelector(".tile, .card");
      await look.evaluate((size) => { document.documentElement.style.fontSize = `${size}%`; }, percent);
      for (const [name, hash, sign] of looks) {
        if (few.has(name) && width !== 320 && width !== 1440) continue;
        await look.evaluate((address) => { location.hash = address; }, hash);
        await look.waitForSelector(sign);
        await settled(look);
        const label = `${name}-${width}-${dark ? "dark" : "light"}-${language}-${percent}`;
        await look.screenshot({ path: path.join(SHOTS, `${label}.png`) });
        const sticksOut = await sideways(look);
        if (sticksOut > 0) faults.push(`${label} sticks out by ${sticksOut} px`);
        faults.push(...(await inaccessible(look)).map((fault) => `${label}: ${fault}`));
      }
      await look.context().close();
    }
  }
  assert.deepEqual(faults, []);
});

test("before the round, each table says what is to be done there until it is ready", async () => {
  await newGame();
  await board.stopClock();
  await board.setClock({ white: 300, black: 300, lever: "white" });
  for (const [language, width, words] of [
    ["en", 390, { ready: /^All 1 tables are ready$/, open: /^0 of 1 tables/, rook: "a1: white rook is missing.", time: /^The clock shows 4:59 and 5:00, .* begins with 5:00: set it\.$/ }],
    ["de", 1280, { ready: /^Alle 1 Tische sind bereit$/, open: /^0 von 1 Tischen/, rook: "a1: weißer Turm fehlt.", time: /^Die Uhr zeigt 4:59 und 5:00, .* beginnt mit 5:00: stellen\.$/ }],
  ]) {
    const page = await browser.open(hall.url, { width, height: 844, language, signedIn: true });
    await page.click('a[href="#/round"]');
    const count = (wanted) => page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector(".round-count")?.textContent), [wanted.source]);
    const wordsOf = async (name) => {
      await page.waitForSelector(`[data-finding=${name}]`);
      return page.textContent(`[data-finding=${name}]`);
    };
    await count(words.ready);
    assert.deepEqual(await inaccessible(page), []);
    await board.lift("a1");
    assert.equal(await wordsOf("pieces"), words.rook);
    await count(words.open);
    assert.deepEqual(await inaccessible(page), []);
    assert.ok((await sideways(page)) <= 0);
    await page.screenshot({ path: path.join(SHOTS, `round-${width}-${language}.png`) });
    await board.put("a1", "R");
    await board.setClock({ white: 299, black: 300, lever: "white" });
    assert.match(await wordsOf("clock-times"), words.time);
    await board.setClock({ white: 300, black: 300, lever: "white" });
    await count(words.ready);
    await page.context().close();
  }
});

test("help and settings are in the language of the page, without markup", async () => {
  for (const [language, english] of [["en", /The hall/], ["de", /Der Saal/], ["fr", /La salle/], ["es", /La sala/], ["it", /La sala/]]) {
    const page = await browser.open(`${hall.url}/#/help`, { language, signedIn: true });
    await page.waitForSelector(".prose h2");
    const text = await page.evaluate(() => document.querySelector(".prose").innerText);
    assert.match(text, english);
    assert.equal(await page.locator(".prose table tbody tr").count(), 6);
    assert.ok(await page.$$eval(".prose img", (all) => Promise.all(all.map((one) => { one.loading = "eager"; return one.decode(); })).then(() => true)));
    assert.deepEqual(text.match(/\*\S.*|`.*|\]\(.*|^#+ .*|\|---.*/gm), null);
    assert.deepEqual(await inaccessible(page), []);
    if (language === "de") {
      await answeredBy(page, "**/healthz", (route) => route.fulfill({ body: "round 3: playing, 24 tables: 24 playing, 0 waiting, 0 with a result\ncaptures: cannot write x: full\ndegraded: mqtt: mqtt://b: refused\nnew: is unknown\n" }));
      await page.reload();
      await page.waitForFunction(() => document.getElementById("service").childElementCount === 3);
      const lines = await page.$$eval("#service p", (all) => all.map((one) => one.textContent));
      assert.match(lines[0], /^⚠ Der Dienst: was Bretter melden, lässt sich nicht .* cannot write x: full$/);
      assert.match(lines[1], /der Broker ist nicht zu erreichen/);
      assert.match(lines[2], /new: is unknown/);
      assert.deepEqual(await inaccessible(page), []);
      await page.evaluate(() => { location.hash = "#/settings"; });
      await page.waitForSelector("#sign-in");
      assert.deepEqual((await page.evaluate(() => document.querySelector("main").innerText)).match(/\b(the|with|sign in|board)\b/gi), null);
    }
    await page.context().close();
  }
});

/** What the settings say in a language. */
const SPOKEN = { fr: /Cet appareil/, es: /Este dispositivo/, it: /Questo dispositivo/ };

test("every language fits a phone and a laptop", async () => {
  for (const [language, word] of Object.entries(SPOKEN)) {
    for (const width of [390, 1440]) {
      const asked = [];
      const page = await browser.open(`${hall.url}/#/settings`, { language, width, height: 900, signedIn: true, prepare: (fresh) => fresh.on("request", (request) => asked.push(request.url())) });
      await page.waitForSelector("#sign-in, .fields select");
      assert.match(await page.evaluate(() => document.querySelector("main").innerText), word);
      assert.equal(await page.getAttribute("html", "lang"), language);
      for (const place of ["settings", "", "watch", "round", "equipment", "broadcast", "table/1", "audit"]) {
        await page.evaluate((name) => { location.hash = `#/${name}`; }, place);
        await page.waitForFunction((name) => document.body.dataset.page === (name.split("/")[0] || "hall"), place);
        await page.waitForTimeout(100);
        assert.ok((await sideways(page)) <= 0, `${place} in ${language} at ${width}`);
        await page.screenshot({ path: path.join(SHOTS, `${language}-${width}-${place.replace("/", "-") || "hall"}.png`) });
      }
      const words = new Set(asked.map((url) => new URL(url).pathname).filter((name) => name.startsWith("/desk/words/")));
      assert.ok([...words].every((name) => new RegExp(`${language}\\.(json|md)$`).test(name)), [...words].join(" "));
      await page.context().close();
    }
  }
});

test("what the daemon refuses is said in the language of the page", async () => {
  await newGame();
  await board.play("white", "e2", "e4");
  await until("the move", async () => (await full()).game?.moves?.length === 1);
  const page = await browser.open(`${hall.url}/#/table/1`, { language: "de", signedIn: true });
  await page.click("[data-order=orClaim]");
  await page.selectOption("#order-form select >> nth=0", "white");
  await page.click("#order-form [type=submit]");
  await page.waitForSelector("#order-form .outcome.refused");
  assert.equal(await page.textContent("#order-form .outcome"), "Abgelehnt: Weiß ist nicht am Zug");
  await page.evaluate(() => { location.hash = "#/audit"; });
  await page.waitForSelector(".audit tbody tr");
  assert.match(await page.textContent(".audit tbody tr >> nth=0"), /abgelehnt: Weiß ist nicht am Zug/);
  await page.context().close();
});

test("a page that is opened while the daemon is down says so in our words, and goes on by itself", async () => {
  const page = await browser.open(hall.url, { language: "de" });
  await page.waitForSelector(".card");
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active.state));
  await hall.stop();
  let down = true;
  try {
    for (const address of ["/", "/table/1"]) {
      const fresh = await page.context().newPage();
      await fresh.goto(`${hall.url}${address}`);
      await fresh.waitForSelector("#outage");
      assert.equal(await fresh.textContent("#outage h1"), "Der Dienst antwortet nicht");
      assert.match(fresh.url(), address === "/" ? /\/$/ : /#\/board\/1$/);
      assert.deepEqual(await inaccessible(fresh), []);
      await fresh.screenshot({ path: path.join(SHOTS, "outage.png") });
      await fresh.close();
    }
    const fresh = await page.context().newPage();
    await fresh.goto(`${hall.url}/table/1`);
    await fresh.waitForSelector("#outage");
    await hall.start();
    down = false;
    await fresh.waitForSelector(".board-page");
    await fresh.evaluate(() => { location.hash = "#/"; });
    await fresh.waitForSelector(".card");
  } finally {
    if (down) await hall.start();
  }
  await page.context().close();
});

test("no script failed and no policy was broken", () => {
  assert.deepEqual(browser.faults, []);
});
