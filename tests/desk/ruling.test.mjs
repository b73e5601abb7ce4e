// What an arbiter does about an alert, at boards that do what the test says: steps, rulings and taking them back.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { browse, inaccessible, watch } from "./hall.mjs";

const WORK = process.env.WORK;
const SHOTS = process.env.JADOUBE_SCREENSHOTS ?? path.join(WORK, "screenshots");
const PATIENCE = 20_000;

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

/** Waits for something that the interface tells. */
async function until(what, look) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${PATIENCE / 1000} s`);
}

const full = () => hall.read(`/api/boards/${board.serial}`);

/** Waits for an open alert of the present game. */
const alertOf = (code) => until(code, async () => {
  const { alerts, game } = await full();
  return Object.values(alerts ?? {}).find((alert) => alert.code === code && alert.state === "open" && alert.game === game?.number);
});

/** Begins a game in which White has played 1. e4 e5 2. Ke3, which no king can. */
async function illegalMove() {
  await board.stopClock();
  await board.setUp();
  await board.setClock({ white: 300, black: 300, lever: "white" });
  await board.startClock("white");
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
const shows = (page, wanted) => page.waitForFunction((list) => [...document.querySelectorAll("#steps [data-step]")].map((one) => `${one.dataset.step} ${one.dataset.state}`).join() === list, wanted.join(), { timeout: PATIENCE });

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
  await page.waitForFunction(() => /d1: white queen, not white king/.test(document.querySelector("#steps").textContent), null, { timeout: PATIENCE });
  await board.put("d1", "Q");
  await board.put("e1", "K");
  await shows(page, ["stop open", "position done", "times open"]);
  // The times of the wrong side, and only then the clock is stopped.
  await board.stopClock();
  await shows(page, ["stop done", "position done", "times open"]);
  await board.setClock({ white: set.black, black: set.white });
  await page.waitForFunction(() => /Not right yet: White, Black\./.test(document.querySelector("#steps").textContent), null, { timeout: PATIENCE });
  await board.setClock({ white: set.white });
  await page.waitForFunction(() => /Not right yet: Black\./.test(document.querySelector("#steps").textContent), null, { timeout: PATIENCE });
  await page.locator("#steps").scrollIntoViewIfNeeded();
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
  await page.waitForTimeout(2500);
  assert.deepEqual(await states(page), ["stop done", "position done", "times done"]);
  context.diagnostic(`steps: ${(await states(page)).join(", ")}`);
  await page.context().close();
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

test("no script failed and no policy was broken", () => {
  assert.deepEqual(browser.faults, []);
});
