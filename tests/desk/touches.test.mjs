// A day of four rounds from the chief's phone: pairings replaced while games run, a game of nobody's round, a board that dies, a player who
// does not come, results and moves put right, orders taken back. The touches of each task are counted, and what leaves the program
// afterwards is what was played.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { browse, pressSurely, waitUntil, watch } from "./hall.mjs";
import { Phone } from "./phone.mjs";

const { WORK, JADOUBE_SCREENSHOTS: SHOTS } = process.env;

const SECONDS = 900;
const PLAYERS = ["Ahrens, Jule", "Bakker, Piet", "Conti, Lia", "Dumont, Luc", "Ekman, Siv", "Fuchs, Max", "Gruber, Anna", "Hanák, Jan"];

/** Who plays whom in a round, by table; the last table has no board. */
const paired = (round) => [0, 1, 2, 3].map((table) => [PLAYERS[table], PLAYERS[4 + ((table + round) % 4)]]);

const MOVES = [["e2", "e4"], ["e7", "e5"], ["g1", "f3"], ["b8", "c6"]];
const SAN = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"];

const ROUND = 'a[href="#/round"]';
const card = (table) => `.card .number:text-is("${table}")`;
const result = (table) => `#results [data-table="${table}"]`;
const press = (table, text) => `${result(table)} button:text-is("${text}")`;
const other = (table) => `${result(table)} button >> nth=3`;
const choose = (table, score) => (page) => page.selectOption(`${result(table)} select`, score);

let hall;
let browser;
let phone;
let boards;
let spare;

before(async () => {
  if (SHOTS) fs.mkdirSync(SHOTS, { recursive: true });
  boards = await Promise.all(["24401", "24402", "24403"].map((serial) => TableBoard.open(serial, { seconds: SECONDS })));
  spare = await TableBoard.open("24409", { seconds: SECONDS });
  hall = await watch({ directory: path.join(WORK, "touches"), binary: process.env.JADOUBE, boards: [...boards, spare], spare: 1, control: "rapid", time: "15+0", config: `[pgn]\ndir = "${WORK}/touches/pgn"\n` });
  browser = await browse();
  phone = new Phone(browser, hall, SHOTS);
});

after(async () => {
  await browser?.close();
  await hall?.close();
  for (const board of boards ?? []) board.close();
  spare?.close();
});

const full = ({ serial }) => hall.read(`/api/boards/${serial}`);
const games = async (round) => (await hall.read(`/api/rounds/${round}`)).games;
const until = (what, look) => () => waitUntil(what, look);
const resultIs = (round, table, score) => until(`${score} at table ${table}`, async () => (await games(round)).find((game) => game.table === table)?.result === score);
const noResult = (round, table) => until(`no result at table ${table}`, async () => !(await games(round)).find((game) => game.table === table)?.result);
const pliesAre = (board, number) => waitUntil(`${number} plies at board ${board.serial}`, async () => {
  const { game } = await full(board);
  return game && !game.result && game.moves.length === number && game.moves.every(({ completed }) => completed);
});

/** Sets a board up for a new game and starts White's clock. */
async function begin(board) {
  await board.stopClock();
  await board.setUp();
  await board.setClock({ white: SECONDS, black: SECONDS, lever: "white" });
  await board.startClock("white");
}

/** Plays moves of the line, from a ply on to another. */
async function play(board, from, to) {
  for (let ply = from; ply < to; ply += 1) await board.play(ply % 2 ? "black" : "white", ...MOVES[ply]);
  await pliesAre(board, to);
}

const csv = (round, pairs) => ({ name: `r${round}.csv`, mimeType: "text/csv", buffer: Buffer.from(`round,table,white,black\n${pairs.map(([white, black], index) => `${round},${index + 1},"${white}","${black}"\n`).join("")}`) });
const load = (file) => [ROUND, '[data-stage="Pairings"]', (page) => page.setInputFiles("#pairings-file", file), "#use-pairings"];
const loaded = (round, table, [white, black]) => until(`the pairings of round ${round}`, async () => {
  const game = (await games(round))?.find((one) => one.table === table);
  return game?.white?.name === white && game.black.name === black;
});

/** What can be compared of a board: its game, how it lies, and what is on record. */
async function record(board) {
  const { game, rotated, white_clock, muted_until } = await full(board);
  const { start, result: score, moves } = game ?? {};
  return JSON.stringify([game?.number, start, score, moves?.map(({ san, legal, completed, entered, clock }) => [san, legal, completed, entered, clock]), rotated, white_clock, Date.parse(muted_until ?? 0) > Date.now()]);
}

/** Reads a file of games. */
function readPgn(text) {
  return text.split(/\n(?=\[Event )/).filter((game) => game.trim()).map((game) => {
    const tag = Object.fromEntries([...game.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map(([, name, value]) => [name, value]));
    const moves = game.replace(/^\[.*\]$/gm, "").replace(/\{[^}]*\}/g, " ").split(/\s+/).filter((word) => word && !/^(\d+\.+|\*|1-0|0-1|1\/2-1\/2)$/.test(word));
    return { round: tag.Round, white: tag.White, black: tag.Black, result: tag.Result, moves };
  });
}

const POINTS = { "+/-": "1-0", "-/+": "0-1", "-/-": "0-0" };

/** What has to have left the program of a round. */
async function check(round, pairs, plies, scores) {
  const expected = pairs.map(([white, black], index) => ({ round: `${round}.${index + 1}`, white, black, result: POINTS[scores[index]] ?? scores[index], moves: SAN.slice(0, plies[index]) }));
  const address = `/round-${round}/games.pgn`;
  const published = async () => readPgn(await hall.textOf(address));
  await waitUntil(`${address} as it was played`, async () => JSON.stringify(await published()) === JSON.stringify(expected), 20_000)
    .catch(async (error) => assert.deepEqual(await published(), expected, error.message));
  const rows = (await hall.textOf(`/api/rounds/${round}/results.csv`)).trim().split("\n").slice(1).map((line) => line.match(/"[^"]*"|[^,]+|(?<=,)(?=,)/g).map((cell) => cell.replace(/"/g, "")));
  assert.deepEqual(rows.map(([number, table, white, black, score]) => [number, table, white, black, score]), pairs.map(([white, black], index) => [String(round), String(index + 1), white, black, scores[index]]));
}

/** Enters a result that is one of the usual ones. */
const enter = (round, table, text, score) => phone.task(null, "", [ROUND, press(table, text)], resultIs(round, table, score));

const first = paired(1);

test("the first round: pairings replaced while games run, a player who does not come, a double loss", { timeout: 600_000 }, async () => {
  await phone.task("load a round", "a shell", load(csv(1, first)), loaded(1, 1, first[0]));
  await Promise.all(boards.map(begin));
  await Promise.all(boards.slice(0, 2).map((board) => play(board, 0, 2)));
  const changed = first.map(([white, black], index) => (index === 0 || index === 3 ? [black, white] : [white, black]));
  await phone.task("replace the pairings while games run", "renamed the players", load(csv(1, changed)), loaded(1, 4, changed[3]));
  first[3] = changed[3];
  // Nobody who plays is renamed.
  await loaded(1, 1, first[0])();
  await Promise.all(boards.slice(0, 2).map((board) => play(board, 2, 4)));
  await Promise.all(boards.map((board) => board.stopClock()));
  const absent = [ROUND, other(3), choose(3, "-/+")];
  await phone.task("a no-show, taken back at once", "impossible", absent, resultIs(1, 3, "-/+"), { undo: noResult(1, 3) });
  await phone.task(null, "", absent, resultIs(1, 3, "-/+"));
  await phone.task(null, "", [ROUND, '[data-stage="Results"]'], async (page) => {
    await page.waitForSelector(`${result(3)} td:has-text("entered by A. Arbiter")`);
    await page.waitForSelector(`${result(2)} td:has-text("playing, move 3")`);
  });
  await phone.task("a double loss", "impossible", [ROUND, other(2), choose(2, "0-0")], resultIs(1, 2, "0-0"));
  await enter(1, 1, "1–0", "1-0");
  await enter(1, 4, "½–½", "1/2-1/2");
  await check(1, first, [4, 4, 0, 0], ["1-0", "0-0", "-/+", "1/2-1/2"]);
});

test("between the rounds: a game of nobody's round, a result put right after the reset", { timeout: 600_000 }, async () => {
  await begin(boards[0]);
  for (const [side, from, to] of [["white", "d2", "d4"], ["black", "d7", "d5"]]) await boards[0].play(side, from, to);
  await pliesAre(boards[0], 2);
  await phone.task("see that a second game is in no round", "published as the next round's", [ROUND], (page) => page.waitForSelector("#unpaired li:has-text('Table 1')"));
  // Whoever takes it for the table's finds out, and takes that back.
  const isGame = (number) => until(`game ${number} of table 1`, async () => (await games(1))[0].game?.number === number);
  await phone.task("take a second game for the table's, and back", "published as the next round's", [ROUND, "#unpaired button"], isGame(2), { undo: isGame(1) });
  const right = [ROUND, '[data-stage="Results"]', press(1, "½–½")];
  await phone.task("correct a result after the reset", "impossible", right, resultIs(1, 1, "1/2-1/2"), { undo: resultIs(1, 1, "1-0") });
  await phone.task(null, "", right, resultIs(1, 1, "1/2-1/2"));
  await check(1, first, [4, 4, 0, 0], ["1/2-1/2", "0-0", "-/+", "1/2-1/2"]);
});

const second = paired(2);

test("the second round: a board dies and is replaced, a move that was entered wrongly is put right", { timeout: 600_000 }, async () => {
  await phone.task(null, "", load(csv(2, second)), loaded(2, 1, second[0]));
  await Promise.all(boards.map(begin));
  await Promise.all(boards.map((board) => play(board, 0, 2)));
  const [one, dies] = boards;
  const { pieces, clock } = dies;
  await dies.stopClock();
  dies.unplug();
  await waitUntil("the board that dies", async () => (await full(dies)).up === false);
  const goesOn = [card(2), "[data-order=orContinue]", "#order-form .enter"];
  const isAt = (serial) => until(`table 2 at board ${serial}`, async () => (await games(2)).find(({ table }) => table === 2)?.game?.board === serial);
  const waits = until("the order", async () => (await hall.read("/api/audit")).some(({ order, refused }) => order.order === "continue" && !refused));
  await phone.task("go on with a game on another board, taken back at once", "a shell", goesOn, waits, { undo: (page) => page.waitForSelector(".toast:has-text('Taken back')") });
  await isAt(dies.serial)();
  await phone.task(null, "", goesOn, waits);
  await spare.setUp(pieces);
  await spare.setClock({ ...clock, running: null, lever: "white" });
  await spare.startClock("white");
  await pliesAre(spare, 2);
  await isAt(spare.serial)();
  await Promise.all([spare, boards[0], boards[2]].map((board) => play(board, 2, 4)));

  const replaced = (san) => until(`${san} on record`, async () => (await full(one)).game.moves[3].san === san);
  const move = (san) => [card(1), '.ply[data-ply="4"]', (page) => page.fill(".edit input", san), ".edit .primary"];
  await phone.task(null, "", move("Nf6"), replaced("Nf6"));
  await phone.task("put right a move that was entered", "impossible", move("Nc6"), replaced("Nc6"), { undo: replaced("Nf6") });
  await phone.task("take the last order back, from the hall on", "not for all", [card(1), "#undo-last"], replaced("Nc6"));
  await Promise.all([spare, boards[0], boards[2]].map((board) => board.stopClock()));
  await enter(2, 1, "1–0", "1-0");
  await enter(2, 2, "0–1", "0-1");
  await enter(2, 3, "½–½", "1/2-1/2");
  await enter(2, 4, "1–0", "1-0");
  await check(2, second, [4, 4, 4, 0], ["1-0", "0-1", "1/2-1/2", "1-0"]);
});

const third = paired(3);

/** Every order that has a form, with what is filled in. */
const ORDERS = [
  ["orResign"], ["orForfeit"], ["orNewGame"], ["orClaim"], ["orDrawOffer"], ["orReinstate"], ["orContinue"], ["orColours"], ["orFlip"],
  ["orSwapClock"], ["orPenalty"], ["orMute"],
  ["orSetPosition", (page) => page.click(".editor .plain")],
  ["orIncident", async (page) => {
    await page.selectOption("#order-form select >> nth=0", "telephone");
    await page.selectOption("#order-form select >> nth=1", "black");
  }],
];

test("the third round: each order is taken back at the foot of the page", { timeout: 600_000 }, async (context) => {
  await phone.task(null, "", load(csv(3, third)), loaded(3, 1, third[0]));
  const playing = [boards[0], spare, boards[2]];
  await Promise.all(playing.map(begin));
  await Promise.all(playing.map((board) => play(board, 0, 4)));
  const board = boards[2];
  await board.stopClock();
  const was = await record(board);
  const page = await browser.open(`${hall.url}/#/board/${board.serial}`, { width: 390, height: 844, signedIn: true });
  const back = async (name) => {
    await page.click("#toast-undo").catch(async (error) => assert.fail(`${name}: ${await page.locator(".outcome.refused").allTextContents()} ${error.message}`));
    await waitUntil(`${name} taken back`, async () => (await record(board)) === was).catch(async (error) => assert.equal(await record(board), was, error.message));
    await page.waitForSelector(".toast:has-text('Taken back')");
  };
  for (const [name, fill] of ORDERS) {
    const open = page.locator(`[data-order=${name}]`);
    if ((await open.getAttribute("aria-expanded")) !== "true") await open.click();
    await fill?.(page);
    const button = page.locator("#order-form .enter");
    if ((await button.getAttribute("type")) === "submit") await button.click();
    else await pressSurely(button);
    await back(name);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/order-${name}.png`, fullPage: true });
  }
  await page.click('.results [data-result="0-1"]');
  await back("result");
  for (const button of [".edit .primary", ".edit button >> nth=1", ".edit .stop"]) {
    await page.click('.ply[data-ply="4"]');
    await page.fill(".edit input", button.includes("nth=1") ? "a6" : "Nf6");
    await page.click(button);
    await back(button);
  }
  // What is being typed stays while play goes on.
  await page.click('.ply[data-ply="4"]');
  await page.fill(".edit input", "Nd");
  await board.startClock("white");
  await board.play("white", "f1", "c4");
  await page.waitForSelector('.ply[data-ply="5"]');
  assert.equal(await page.inputValue(".edit input"), "Nd");
  assert.ok(await page.evaluate(() => document.activeElement === document.querySelector(".edit input")));
  await page.keyboard.press("Escape");
  await board.play("black", "f8", "c5");
  await board.stopClock();
  context.diagnostic(`${ORDERS.length + 4} orders taken back`);
  await page.context().close();
  await Promise.all(playing.map((one) => one.stopClock()));
  await enter(3, 1, "0–1", "0-1");
  await enter(3, 2, "1–0", "1-0");
  await enter(3, 3, "½–½", "1/2-1/2");
  await enter(3, 4, "0–1", "0-1");
  await check(3, third, [4, 4, 6, 0], ["0-1", "1-0", "1/2-1/2", "0-1"]);
});

const fourth = paired(4);

test("the fourth round is over, and all four are as they were played", { timeout: 600_000 }, async (context) => {
  await phone.task(null, "", load(csv(4, fourth)), loaded(4, 1, fourth[0]));
  const playing = [boards[0], spare, boards[2]];
  await Promise.all(playing.map(begin));
  await Promise.all(playing.map((board) => play(board, 0, 2)));
  await Promise.all(playing.map((one) => one.stopClock()));
  for (const [table, text, score] of [[1, "½–½", "1/2-1/2"], [2, "1–0", "1-0"], [3, "0–1", "0-1"], [4, "½–½", "1/2-1/2"]]) await enter(4, table, text, score);
  await phone.task("games of the round as a file", "a shell", [ROUND, async (page) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click('button:has-text("PGN")')]);
    assert.match(fs.readFileSync(await file.path(), "utf8"), /\[Round "4.1"\]/);
  }], () => {});
  assert.equal((await hall.read("/api/rounds/4")).state, "finished");
  await check(1, first, [4, 4, 0, 0], ["1/2-1/2", "0-0", "-/+", "1/2-1/2"]);
  await check(2, second, [4, 4, 4, 0], ["1-0", "0-1", "1/2-1/2", "1-0"]);
  await check(3, third, [4, 4, 6, 0], ["0-1", "1-0", "1/2-1/2", "0-1"]);
  await check(4, fourth, [2, 2, 2, 0], ["1/2-1/2", "1-0", "0-1", "1/2-1/2"]);
  const trf = await hall.textOf("/api/rounds/4/results.trf");
  const points = Object.fromEntries([...trf.matchAll(/^001.{11}(.{33}).{33}(.{4})/gm)].map(([, name, score]) => [name.trim(), Number(score)]));
  const expected = Object.fromEntries(PLAYERS.map((name) => [name, 0]));
  const worth = { "1-0": [1, 0], "0-1": [0, 1], "1/2-1/2": [0.5, 0.5], "0-0": [0, 0], "-/+": [0, 1] };
  const scores = [["1/2-1/2", "0-0", "-/+", "1/2-1/2"], ["1-0", "0-1", "1/2-1/2", "1-0"], ["0-1", "1-0", "1/2-1/2", "0-1"], ["1/2-1/2", "1-0", "0-1", "1/2-1/2"]];
  [first, second, third, fourth].forEach((pairs, round) => pairs.forEach((names, table) => names.forEach((name, side) => { expected[name] += worth[scores[round][table]][side]; })));
  assert.deepEqual(points, expected, trf);
  context.diagnostic(`\n${phone.table()}`);
  assert.deepEqual(browser.faults, []);
});
