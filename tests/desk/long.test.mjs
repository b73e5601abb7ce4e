// Pages of the hall and of a table that stay open while a large hall plays: neither their memory nor their document may grow, and what
// they hear stays short.
//
// LONG_MINUTES=120 LONG_SPEED=1 tests/run desk makes it the two hours of a round; ten minutes at three times the pace is what it is without.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Hall, browse } from "./hall.mjs";

const BOARDS = Number(process.env.LONG_BOARDS ?? 60);
const MINUTES = Number(process.env.LONG_MINUTES ?? 10);
const SPEED = process.env.LONG_SPEED ?? "3";
const TIME = process.env.LONG_TIME ?? "3+2";
const DIRECTORY = path.join(process.env.WORK, "long");

/** Seconds from one look to the next. */
const EVERY = Number(process.env.LONG_EVERY ?? 15);

/** Where every look is written down as it is taken, a line of JSON each. */
const LOG = process.env.LONG_LOG ?? path.join(DIRECTORY, "looks.jsonl");

/** Every so many looks the page of the hall is left and come back to, as an arbiter does; what that leaves behind would show. */
const VISIT = 4;
const VISITS = ["#/watch", "#/table/1", "#/round", "#/equipment", "#/"];

/** How much more of something there may be at the end than after the first third; the number of open alerts goes up and down. */
const MORE = 1.15;

/** Bytes a second that a page of 60 boards at live pace hears at most; each board says about one thing a second. */
const BYTES_S = 25_000;

let hall;
let browser;

before(async () => {
  fs.mkdirSync(DIRECTORY, { recursive: true });
  hall = await Hall.open({ directory: DIRECTORY, binary: process.env.JADOUBE, boards: BOARDS, incidents: ["all"], time: TIME, extra: ["--speed", SPEED] });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
});

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** A page that stays open, and what it has heard. */
async function stay(address, shows) {
  const page = await browser.open(`${hall.url}/${address}`, { width: 1440, height: 900, signedIn: true });
  // What `waitForSelector` returns would keep a page alive that has been left.
  const isShown = () => page.waitForFunction((selector) => document.querySelector(selector) !== null, shows);
  await isShown();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await devtools.send("Network.enable");
  const one = { page, isShown, bytes: 0, looks: [] };
  devtools.on("Network.dataReceived", ({ dataLength }) => { one.bytes += dataLength; });
  one.look = async (seconds, visited) => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const value = (name) => metrics.find((metric) => metric.name === name).value;
    const rate = visited ? null : Math.round(one.bytes / seconds);
    one.bytes = 0;
    const look = { heap: value("JSHeapUsedSize"), nodes: value("Nodes"), listeners: value("JSEventListeners"), busy: value("TaskDuration"), rate };
    one.looks.push(look);
    return look;
  };
  return one;
}

/** Bytes of its own that the daemon holds. */
const held = () => 1024 * Number(/^RssAnon:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${hall.daemon.pid}/status`, "utf8"))[1]);

test(`${BOARDS} boards, a page of the hall and one of a table for ${MINUTES} minutes`, { timeout: (MINUTES + 10) * 60_000 }, async (context) => {
  const pages = { hall: await stay("", ".card, .tile"), table: await stay("#/table/2", ".board, svg") };
  const daemon = [];
  const began = performance.now();
  const number = Math.floor((MINUTES * 60) / EVERY);
  for (let count = 1; count <= number; count += 1) {
    const from = performance.now();
    const visited = count % VISIT === 0;
    if (visited) {
      for (const address of VISITS) {
        await pages.hall.page.evaluate((hash) => { location.hash = hash; }, address);
        await pages.hall.page.waitForTimeout(500);
      }
      await pages.hall.isShown();
    }
    await pages.hall.page.waitForTimeout(Math.max(0, began + 1000 * EVERY * count - performance.now()));
    const seconds = (performance.now() - from) / 1000;
    daemon.push(held());
    const look = { minute: Number(((performance.now() - began) / 60_000).toFixed(2)), daemon: daemon.at(-1) };
    for (const [name, page] of Object.entries(pages)) look[name] = await page.look(seconds, visited && name === "hall");
    fs.appendFileSync(LOG, `${JSON.stringify(look)}\n`);
  }
  // The second third and the last: the first has a page that is still being made. The least of each: what a game makes, more with every
  // move, goes with the game, and what is left behind stays.
  const third = Math.floor(number / 3);
  const ends = (values) => [values.slice(third, 2 * third), values.slice(2 * third)].map((part) => Math.min(...part));
  context.diagnostic(`the daemon holds ${ends(daemon).join(" → ")} bytes`);
  for (const [name, { looks }] of Object.entries(pages)) {
    for (const figure of ["heap", "nodes", "listeners"]) {
      const values = looks.map((look) => look[figure]);
      const [early, late] = ends(values);
      context.diagnostic(`${name}: ${figure} ${early} → ${late}`);
      assert.ok(late <= early * MORE, `${name}: ${figure} has grown from ${early} to ${late}: ${values.join(" ")}`);
    }
    const rate = middle(looks.map((look) => look.rate).filter((one) => one !== null));
    const busy = (looks.at(-1).busy - looks[0].busy) / ((performance.now() - began) / 1000);
    context.diagnostic(`${name}: ${rate} bytes a second at ${SPEED} times the pace, ${(100 * busy).toFixed(0)} % of a core`);
    assert.ok(rate <= BYTES_S * Number(SPEED), `${name}: ${rate} bytes a second`);
  }
  assert.deepEqual(browser.faults, []);
});
