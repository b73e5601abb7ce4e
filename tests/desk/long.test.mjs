// A page of the hall that stays open while a large hall plays: neither its memory nor its document may grow, and what it hears stays short.
//
// LONG_MINUTES=120 LONG_SPEED=1 makes it the two hours of a round; ten minutes at three times the pace are what runs by day.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Hall, browse } from "./hall.mjs";

const BOARDS = Number(process.env.LONG_BOARDS ?? 60);
const MINUTES = Number(process.env.LONG_MINUTES ?? 10);
const SPEED = process.env.LONG_SPEED ?? "3";
const DIRECTORY = path.join(process.env.WORK, "long");

/** Looks a minute. */
const LOOKS = 4;

/** Pages that are opened now and then, as an arbiter does; what they leave behind would show. */
const VISITS = ["#/watch", "#/table/1", "#/round", "#/equipment", "#/"];

/** How much more of something there may be at the end than after the first third; the number of open alerts goes up and down. */
const MORE = 1.15;

/** Bytes a second that a page of 60 boards at live pace hears at most; each board says about one thing a second. */
const BYTES_S = 25_000;

let hall;
let browser;

before(async () => {
  fs.mkdirSync(DIRECTORY, { recursive: true });
  hall = await Hall.open({ directory: DIRECTORY, binary: process.env.JADOUBE, boards: BOARDS, incidents: ["all"], time: "3+2", extra: ["--speed", SPEED] });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
});

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

test(`${BOARDS} boards on one page for ${MINUTES} minutes`, { timeout: (MINUTES + 10) * 60_000 }, async (context) => {
  const page = await browser.open(hall.url, { width: 1440, height: 900, signedIn: true });
  // What `waitForSelector` returns would keep a page alive that has been left.
  const isShown = () => page.waitForFunction(() => document.querySelector(".card, .tile") !== null);
  await isShown();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await devtools.send("Network.enable");
  let bytes = 0;
  devtools.on("Network.dataReceived", ({ dataLength }) => { bytes += dataLength; });
  const looks = [];
  const began = performance.now();
  for (let number = 0; number < MINUTES * LOOKS; number += 1) {
    const from = performance.now();
    const before = bytes;
    // The hall is what stays open; every fourth look comes back to it from the other pages.
    if (number % LOOKS === LOOKS - 1) {
      for (const address of VISITS) {
        await page.evaluate((hash) => { location.hash = hash; }, address);
        await page.waitForTimeout(500);
      }
      await isShown();
    }
    await page.waitForTimeout(Math.max(0, 60_000 / LOOKS - (performance.now() - from)));
    const seconds = (performance.now() - from) / 1000;
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const value = (name) => metrics.find((one) => one.name === name).value;
    const visited = number % LOOKS === LOOKS - 1;
    looks.push({ heap: value("JSHeapUsedSize"), nodes: value("Nodes"), listeners: value("JSEventListeners"), busy: value("TaskDuration"), rate: visited ? null : (bytes - before) / seconds });
  }
  const third = Math.floor(looks.length / 3);
  const [first, last] = [looks.slice(third, 2 * third), looks.slice(2 * third)];
  const told = [];
  for (const name of ["heap", "nodes", "listeners"]) {
    const [early, late] = [first, last].map((part) => middle(part.map((look) => look[name])));
    told.push(`${name} ${early} → ${late}`);
    assert.ok(late <= early * MORE, `${name} has grown from ${early} to ${late}: ${looks.map((look) => look[name]).join(" ")}`);
  }
  const rate = middle(looks.map((look) => look.rate).filter((one) => one !== null));
  const busy = (looks.at(-1).busy - looks[0].busy) / ((performance.now() - began) / 1000);
  context.diagnostic(`${told.join(", ")}; ${Math.round(rate)} bytes a second at ${SPEED} times the pace, ${(100 * busy).toFixed(0)} % of a core`);
  assert.ok(rate <= BYTES_S * Number(SPEED), `${rate} bytes a second`);
  assert.deepEqual(browser.faults, []);
});
