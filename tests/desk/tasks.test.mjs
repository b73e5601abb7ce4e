// What an arbiter does most, on a phone from the hall on: how many touches and seconds each task takes until the daemon has it. The
// table of src/desk/README.md has them; with TASKS_FILE it is written there.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { browse, illegalMove, waitUntil, watch } from "./hall.mjs";
import { Phone } from "./phone.mjs";

const WORK = process.env.WORK;

let hall;
let browser;
let board;
let phone;

before(async () => {
  board = await TableBoard.open("24301");
  hall = await watch({ directory: path.join(WORK, "tasks"), binary: process.env.JADOUBE, boards: [board], control: "standard", time: "40/5400:900" });
  browser = await browse();
  phone = new Phone(browser, hall);
});

after(async () => {
  await browser?.close();
  await hall?.close();
  board?.close();
});

const full = () => hall.read(`/api/boards/${board.serial}`);
const round = async (number = 1) => (await hall.read(`/api/rounds/${number}`)).games[0];
const moves = async () => (await full()).game?.moves?.length ?? 0;
const shown = (page, selector) => page.waitForSelector(selector);

const ROUND = 'a[href="#/round"]';
const CARD = ".card .number";
const RESULT = '#results [data-table="1"]';

const until = (what, look) => () => waitUntil(what, look);

test("tasks of an arbiter in touches and seconds", { timeout: 600_000 }, async (context) => {
  await illegalMove(board);
  await waitUntil("the alert", async () => (await hall.read("/api/hall")).boards[0].alerts.some(({ code }) => code === "illegal-move"));
  const alert = ".rail a.alert-line";
  const state = (wanted) => until(wanted, async () => Object.values((await full()).alerts).some((one) => one.code === "illegal-move" && one.state === wanted));
  await phone.task("say that one goes", "2", [".rail .acts button"], (page) => shown(page, ".rail .alert-line[data-calm]"));
  await phone.task("confirm an illegal move", "2", [alert, "#confirm"], state("confirmed"));

  await board.newGame();
  await board.setClock({ white: 200, black: 190, lever: "white" });
  await board.play("white", "e2", "e4");
  await waitUntil("the move", async () => (await moves()) === 1);
  await phone.task("boards below five minutes, who has to write (8.4)", "sorting only", ['a[href="#/watch"]'], (page) => page.waitForFunction(() => /Neither has to write/.test(document.querySelector(".lane .note")?.textContent)));
  await phone.task("moves to the control", "not shown", ['a[href="#/watch"]'], (page) => page.waitForFunction(() => /40 to go/.test(document.querySelector(".lane .chip")?.textContent)));
  await phone.task("watch a game, so that others know", "not there", ['a[href="#/watch"]', ".lane .watch"], (page) => shown(page, ".lane .watch[aria-pressed=true]"));
  await phone.task("claim of a repetition", "3, answer looks wrong", [CARD, "[data-order=orClaim]", "#order-form [type=submit]"], (page) => shown(page, "#order-form .outcome a"));
  // A move that nobody saw: a piece stands elsewhere.
  await board.lift("d8");
  await board.put("f6", "q");
  await phone.task("position after time trouble", "a FEN field", [CARD, "[data-order=orSetPosition]", ".editor .plain", "form.order .enter", "form.order .enter"],
    until("the position", async () => (await hall.read("/api/audit")).some(({ order, refused }) => order.fen?.startsWith("rnb1kbnr/pppppppp/5q2/") && !refused)));

  await phone.task("enter a result", "4", [ROUND, `${RESULT} button:text-is("1–0")`], until("the result", async () => (await round()).result === "1-0"));
  await board.stopClock();
  await board.setUp();
  await phone.task("correct a result after the reset", "impossible", [ROUND, '[data-stage="Results"]', `${RESULT} button:text-is("0–1")`], until("the other result", async () => (await round()).result === "0-1"));
  await phone.task("no-show, 0-0, forfeit", "impossible", [ROUND, '[data-stage="Results"]', `${RESULT} button >> nth=3`, (page) => page.selectOption(`${RESULT} select`, "-/-")], until("the forfeit", async () => (await round()).result === "-/-"));
  await phone.task("results into the pairing program", "none", [ROUND, async (page) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click('button:has-text("TRF")')]);
    assert.match(fs.readFileSync(await file.path(), "utf8"), /Vogt/);
  }], () => {});
  const pairings = { name: "r2.csv", mimeType: "text/csv", buffer: Buffer.from('round,table,white,black\n2,1,"Vogt, Lena","Brandt, Paul"\n') };
  await phone.task("load a round", "a shell", [ROUND, '[data-stage="Pairings"]', (page) => page.setInputFiles("#pairings-file", pairings), "#use-pairings"], until("round 2", async () => (await hall.read("/api/rounds")).some(({ round: number }) => number === 2)));
  await phone.task("batteries, links, firmware of all boards", "one at a time", ['a[href="#/equipment"]'], (page) => shown(page, ".equipment tbody tr"));
  await phone.task("what is broadcast, with which delay", "not shown", ['a[href="#/more"]', 'a[href="#/broadcast"]'], (page) => shown(page, ".broadcast tbody tr"));

  context.diagnostic(`\n${phone.table()}`);
  assert.deepEqual(browser.faults, []);
});
