// What the queue, the cards and the pages of alerts ask of an arbiter, and what they leave alone.

import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { PATIENCE, answeredBy, browse, illegalMove, inaccessible, waitUntil, watch } from "./hall.mjs";

let hall;
let browser;
let board;

before(async () => {
  board = await TableBoard.open("24601");
  hall = await watch({ directory: path.join(process.env.WORK, "queue"), binary: process.env.JADOUBE, boards: [board] });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
  board?.close();
});

const alerts = async () => (await hall.read("/api/hall")).boards[0].alerts;

/** Waits for an open alert of a code. */
const raised = (code) => waitUntil(code, async () => (await alerts()).find((alert) => alert.code === code && alert.state === "open"));

/** White's illegal move, and Black's reply with which it stands. */
async function letStand() {
  await illegalMove(board);
  await raised("illegal-move");
  await board.play("black", "a7", "a6");
  return raised("claim-window-closed");
}

const NOTICE = '.rail .alert-line:has-text("The irregularity stands")';

/** Lets the page have the hall with something changed in it. */
const changedHall = (change) => (page) => answeredBy(page, "**/api/hall", async (route) => {
  const json = await (await route.fetch()).json();
  change(json);
  await route.fulfill({ json });
});

test("a notice leaves the queue with one touch", { timeout: PATIENCE }, async () => {
  const { id } = await letStand();
  const page = await browser.open(hall.url, { width: 390, height: 844, signedIn: true });
  await page.click(NOTICE);
  await page.waitForSelector(".ruling-bar #acknowledge.primary");
  // Nothing can be done any more: neither is it confirmed, nor does anybody go.
  assert.equal(await page.locator("#confirm, #go, #declare").count(), 0);
  assert.equal(await page.locator(".see .mark").count(), 0, "the reply is no difference");
  assert.match(await page.textContent(".see .differ"), /^White to move/);
  assert.doesNotMatch(await page.textContent("main"), /adjust the times/);
  assert.deepEqual(await inaccessible(page), []);
  await page.click("#acknowledge");
  await waitUntil("seen", async () => (await alerts()).find((alert) => alert.id === id).state === "acknowledged");
  await page.evaluate(() => { location.hash = "#/"; });
  await page.waitForSelector(".card .last");
  await page.waitForSelector(NOTICE, { state: "detached" });
  assert.equal(await page.locator(".card[data-s]").count(), 0);
  await page.context().close();
});

test("a notice leaves the queue after a minute", { timeout: PATIENCE }, async () => {
  await letStand();
  const old = (seconds) => changedHall(({ boards }) => {
    for (const alert of boards[0].alerts) alert.at = new Date(Date.now() - 1000 * seconds).toISOString();
  });
  const page = await browser.open(hall.url, { signedIn: true, prepare: old(30) });
  await page.waitForSelector(NOTICE);
  await page.waitForSelector('.card[data-s="info"]');
  await page.waitForSelector(NOTICE, { state: "detached" });
  await page.waitForSelector(".card:not([data-s])");
  await page.context().close();
});

test("the number of tables is red only where one has to go", { timeout: PATIENCE }, async () => {
  await illegalMove(board);
  await raised("illegal-move");
  for (const [severity, tone] of [["act", "act"], ["look", "look"], ["equipment", "eq"]]) {
    const page = await browser.open(hall.url, { signedIn: true, prepare: changedHall(({ boards }) => {
      for (const alert of boards[0].alerts) Object.assign(alert, { severity, progress: null });
    }) });
    await page.waitForSelector(`#needs .c-${tone}[data-icon="${tone}"]`);
    assert.match(await page.textContent("#needs"), /1 need me/);
    await page.context().close();
  }
});

test("what may be claimed is not offered as a result", { timeout: PATIENCE }, async () => {
  await board.newGame();
  for (let times = 0; times < 2; times += 1) {
    for (const [side, from, to] of [["white", "g1", "f3"], ["black", "g8", "f6"], ["white", "f3", "g1"], ["black", "f6", "g8"]]) await board.play(side, from, to);
  }
  const { id } = await raised("threefold-claimable");
  const page = await browser.open(`${hall.url}/#/alert/${id}`, { signedIn: true });
  await page.waitForSelector(".ruling-bar #acknowledge.primary");
  assert.equal(await page.locator("#declare, #confirm").count(), 0);
  assert.equal(await page.textContent("#decision"), "");
  assert.match(await page.textContent(".see .differ"), /^White to move/);
  await page.context().close();
});

test("a piece that is being moved is not marked", { timeout: PATIENCE }, async () => {
  await board.newGame();
  await board.play("white", "e2", "e4");
  const page = await browser.open(`${hall.url}/#/table/1`, { signedIn: true });
  await page.waitForSelector(".live .diagram");
  await board.lift("d7");
  await page.waitForFunction(() => /black pawn d7/.test(document.querySelector(".air").textContent));
  await page.waitForSelector(".live .ghost");
  assert.equal(await page.locator(".live .mark").count(), 0);
  // A piece that stands where none belongs is.
  await board.put("a5", "p");
  await board.put("d7", "p");
  await page.waitForSelector(".live .mark");
  await board.lift("a5");
  await page.context().close();
});

test("a group of orders with nothing in it is not there", { timeout: PATIENCE }, async () => {
  await board.newGame();
  await board.play("white", "e2", "e4");
  const page = await browser.open(`${hall.url}/#/table/1`, { signedIn: true });
  const group = page.locator('[data-task="taskClaims"]');
  await group.waitFor();
  await page.waitForSelector("#draws");
  await page.click('[data-result="1-0"]');
  await group.waitFor({ state: "hidden" });
  assert.match(await page.textContent(".result"), /^1–0 /);
  assert.equal(await page.locator("#draws").count(), 0, "nobody claims any more");
  await page.waitForSelector(".live rect.last");
  await board.stopClock();
  await board.lift("e4");
  await page.waitForSelector(".live rect.last", { state: "detached" });
  await board.put("e4", "P");
  await page.context().close();
});

test("what was opened of the set-up stays open", { timeout: PATIENCE }, async () => {
  await board.stopClock();
  await board.setUp();
  const page = await browser.open(`${hall.url}/#/round`, { signedIn: true });
  await page.click("#round-lines > summary");
  await board.lift("b1");
  await page.waitForSelector('#round-lines tr:has-text("b1")');
  assert.equal(await page.locator("#round-lines[open]").count(), 1);
  await board.put("b1", "N");
  await page.context().close();
});

test("a game that is played lets the set-up alone", { timeout: PATIENCE }, async () => {
  await board.newGame();
  await board.play("white", "e2", "e4");
  await board.play("black", "e7", "e5");
  const asked = [];
  const page = await browser.open(`${hall.url}/#/round`, { signedIn: true });
  await page.waitForSelector("#round .round-tile");
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await board.play("white", "g1", "f3");
  await page.waitForTimeout(2000);
  assert.ok(asked.filter((name) => name === "/api/round").length <= 1, asked.join(" "));
  await page.context().close();
});

test("pairings that count are listed", { timeout: PATIENCE }, async () => {
  const page = await browser.open(`${hall.url}/#/round`, { signedIn: true });
  await page.click('[data-stage="Pairings"]');
  await page.setInputFiles("#pairings-file", { name: "r7.csv", mimeType: "text/csv", buffer: Buffer.from('round,table,white,black\n7,1,"Vogt, Lena","Brandt, Paul"\n') });
  await page.click("#use-pairings");
  await page.waitForSelector('#pairings tr:has-text("Vogt, Lena"):has-text("Brandt, Paul")');
  assert.deepEqual(await inaccessible(page), []);
  await page.context().close();
});

test("who signs in is led nowhere else", { timeout: PATIENCE }, async () => {
  const page = await browser.open(hall.url, { width: 390, height: 844, prepare: (fresh) => answeredBy(fresh, "**/api/**", (route) => route.fulfill({ status: 401, json: { error: "no token" } })) });
  await page.waitForSelector(".sign-in #sign-in");
  assert.equal(await page.locator(".nav:visible, #to-settings:visible").count(), 0);
  assert.equal((await page.textContent("#session")).trim(), "", "nothing can be looked at");
  assert.deepEqual(await inaccessible(page), []);
  await page.context().close();
});

test("no script failed and no policy was broken", () => {
  assert.deepEqual(browser.faults, []);
});
