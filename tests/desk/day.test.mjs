// A day of three rounds at emulated boards with incidents: afterwards no alert is open that belongs to no running game or
// undecided matter.
//
// DAY_BOARDS=60 makes it a day in a large hall, with every incident there is; it takes some minutes then.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Hall } from "./hall.mjs";

const ROUNDS = 3;
const BOARDS = Number(process.env.DAY_BOARDS ?? 8);
const INCIDENTS = process.env.DAY_BOARDS ? ["all"] : ["illegal-move", "king-left-in-check", "press-without-move", "pawn-left", "two-handed-castling", "take-back", "touch-move", "lost-update"];
/** It takes three minutes where the machine does nothing else; the limit only ends what hangs. */
const PATIENCE = 1_200_000;
const DIRECTORY = path.join(process.env.WORK, "day");

const GAMES = [
  ["1-0", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. c3 Nxf3+ 5. Qxf3 d6 6. d3 c6"],
  ["0-1", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nbd7 5. cxd5 exd5 6. Nxd5 Nxd5"],
  ["1/2-1/2", "1. c4 e5 2. Nc3 Nf6 3. Nf3 Nc6 4. g3 d5 5. cxd5 Nxd5 6. Bg2 Nb6"],
  ["1-0", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5"],
];

let hall;

before(async () => {
  fs.mkdirSync(DIRECTORY, { recursive: true });
  const pgn = path.join(DIRECTORY, "games.pgn");
  fs.writeFileSync(pgn, GAMES.map(([result, moves]) => `[Result "${result}"]\n\n${moves} ${result}\n`).join("\n"));
  hall = await Hall.open({ directory: DIRECTORY, binary: process.env.JADOUBE, boards: BOARDS, incidents: INCIDENTS, time: "3+2", extra: ["--pgn", pgn, "--speed", "3"] });
});

after(() => hall?.close());

const EQUIPMENT = "equipment";

/** Says why an open alert may be open; null if nothing explains it. */
function reason(board, alert) {
  // A square that shows nothing stays so in the next game, and the cable is looked at between two.
  if (alert.severity === EQUIPMENT || ["dead", "untold"].includes(alert.facts?.cause)) return "equipment";
  if (board.game && alert.game === board.game.number && !board.game.result) return "running game";
  // A result that is proposed and not the game's own waits for the arbiter, as do claims.
  if (alert.proposal?.result || alert.facts?.claim || ["both-flags", "default-time"].includes(alert.code)) return "undecided";
  return null;
}

test(`after ${ROUNDS} rounds no alert is open without its game`, { timeout: PATIENCE + 60_000 }, async (context) => {
  const began = Date.now();
  let most = 0;
  for (;;) {
    const boards = await hall.read("/api/boards");
    const played = boards.map((board) => board.game?.number ?? 0);
    most = Math.max(most, boards.flatMap((board) => Object.values(board.alerts)).filter(({ state }) => ["open", "acknowledged"].includes(state)).length);
    const done = played.filter((number) => number > ROUNDS).length;
    if (done === BOARDS) break;
    assert.ok(Date.now() - began < PATIENCE, `${done} of ${BOARDS} boards have played ${ROUNDS} games: ${played}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const boards = await hall.read("/api/boards");
  const open = boards.flatMap((board) => Object.values(board.alerts).filter(({ state }) => ["open", "acknowledged"].includes(state)).map((alert) => ({ board, alert, why: reason(board, alert) })));
  const strays = open.filter(({ why }) => why === null).map(({ board, alert }) => `${alert.id} ${alert.code} (game ${board.game?.number}, ${board.game?.result})`);
  const raised = fs.readFileSync(path.join(DIRECTORY, "log", "alerts.jsonl"), "utf8").split("\n").filter((line) => line.includes('"event":"alert",')).length;
  const counts = [...new Set(open.map(({ why }) => why ?? "stray"))].map((why) => `${open.filter((one) => (one.why ?? "stray") === why).length} ${why}`);
  context.diagnostic(`${BOARDS} boards, ${Math.round((Date.now() - began) / 1000)} s, ${raised} alerts raised, at most ${most} open; open now: ${counts.join(", ") || "none"}`);
  assert.deepEqual(strays, []);
});
