// One board at home: the page that a plain `jadoube run` opens shows it as soon as it is plugged in, without a touch.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { TableBoard } from "./board.mjs";
import { PATIENCE, browse, inaccessible, settled, watch } from "./hall.mjs";

test("the page of the only board opens when it is plugged in, and follows the play", { timeout: 3 * PATIENCE }, async () => {
  const board = await TableBoard.open("24601");
  const hall = await watch({ directory: path.join(process.env.WORK, "home"), binary: process.env.JADOUBE, boards: [] });
  const browser = await browse();
  try {
    const page = await browser.open(`${hall.url}/#/live`);
    await page.waitForSelector('body[data-page="hall"] .empty');
    fs.appendFileSync(hall.config, `\n[[port]]\npath = "${board.path}"\n`);
    hall.daemon.kill("SIGHUP");
    await page.waitForSelector('body[data-page="board"] .board-page');
    await board.newGame();
    await board.play("white", "e2", "e4");
    await page.waitForFunction(() => /e4/.test(document.getElementById("main").textContent));
    assert.equal((await page.textContent("h1")).trim(), "Board 24601", "a board without a table is named once");
    assert.deepEqual(await inaccessible(page), []);
    await settled(page);
    await page.screenshot({ path: path.join(process.env.WORK, "home.png") });
    assert.equal(new URL(page.url()).hash, "#/live");
    assert.deepEqual(browser.faults, []);
  } finally {
    await browser.close();
    await hall.close();
    board.close();
  }
});
