// The pages of the hall and of a board: what an arbiter enters often, and how tables are shown on every screen.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { browse, inaccessible, watch } from "./hall.mjs";

const WORK = process.env.WORK;
const SHOTS = process.env.JADOUBE_SCREENSHOTS ?? path.join(WORK, "screenshots");
const PATIENCE = 60_000;

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

/** Waits for something that the interface tells. */
async function until(what, look) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${PATIENCE / 1000} s`);
}

const full = () => hall.read(`/api/boards/${board.serial}`);

/** Sets up a game in which White has to move. */
async function newGame() {
  await board.stopClock();
  await board.setUp();
  await board.setClock({ white: 300, black: 300, lever: "white" });
  await board.startClock("white");
}

const entered = async () => (await hall.read("/api/audit")).filter((entry) => entry.board === board.serial).map(({ order }) => order);

test("claim, draw offer and penalty are on top, with the side and the name of who is to move", async () => {
  await newGame();
  await board.play("white", "e2", "e4");
  const [white, black] = await until("both names", async () => {
    const { white, black, game } = await full();
    return game?.moves?.length === 1 && [white, black];
  });
  const page = await browser.open(`${hall.url}/#/table/1`, { width: 390, height: 844, signedIn: true });
  const names = { orClaim: black, orDrawOffer: black, orPenalty: white };
  for (const [name, player] of Object.entries(names)) {
    await page.waitForFunction(([one, wanted]) => document.querySelector(`[data-order=${one}] small`)?.textContent === wanted, [name, player], { timeout: PATIENCE });
    const box = await page.locator(`[data-order=${name}]`).boundingBox();
    assert.ok(box.height >= 48 && box.y + box.height < 844, `${name}: ${JSON.stringify(box)}`);
  }
  for (const [name, side] of [["orClaim", "black"], ["orDrawOffer", "black"], ["orPenalty", "white"]]) {
    await page.click(`[data-order=${name}]`);
    assert.equal(await page.inputValue("#often-form select >> nth=0"), side, name);
  }
  // Whoever has moved is not to move any more: the next form begins with the other side, the open one keeps its own.
  await board.play("black", "e7", "e5");
  await page.waitForFunction((wanted) => document.querySelector("[data-order=orClaim] small").textContent === wanted, white, { timeout: PATIENCE });
  assert.equal(await page.inputValue("#often-form select >> nth=0"), "white");
  await page.click("[data-order=orDrawOffer]");
  await page.click("#often-form [type=submit]");
  await page.waitForSelector("#often-form .outcome.done", { timeout: PATIENCE });
  assert.deepEqual((await entered()).at(-1), { order: "draw-offer", side: "white", game: (await full()).game.number });
  assert.deepEqual(await inaccessible(page), []);
  await page.context().close();
});

test("a result names the winner and is pressed twice; a new game closes the form of the old one", async () => {
  await newGame();
  await board.play("white", "d2", "d4");
  const page = await browser.open(`${hall.url}/#/table/1`, { width: 390, height: 844, signedIn: true });
  await page.click("[data-order=orResult]");
  const { black } = await until("the game", async () => {
    const now = await full();
    return now.game?.moves?.length === 1 && now;
  });
  const button = page.locator("#often-form button", { hasText: black });
  await button.click();
  assert.equal((await full()).game.result, null);
  await button.click();
  await until("the result", async () => (await full()).game.result === "0-1");
  await newGame();
  await board.play("white", "c2", "c4");
  await page.waitForSelector("#often-form", { state: "hidden", timeout: PATIENCE });
  await page.context().close();
});

test("no script failed and no policy was broken", () => {
  assert.deepEqual(browser.faults, []);
});
