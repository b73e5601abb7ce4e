// The desk of two halls whose tables have the same numbers: accounts with sectors of a hall, who goes where, orders, refusals in words,
// and the way to the evidence at the desk of the hall.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { PATIENCE, TOKEN, browse, illegalMove, inaccessible, joinLink, pressSurely, waitUntil, watch } from "./hall.mjs";
import { answers, ask, end, listens, reservePort, start } from "./programs.mjs";

const directory = path.join(process.env.WORK, "hub");
const started = [];

let halls;
let boards;
let hub;
let browser;

/** Starts a program; what it says is in the directory of the test. */
function begin(name, program, ...words) {
  started.push(start(`the ${name}`, path.join(directory, `${name}.log`), program, ...words));
}

before(async () => {
  fs.mkdirSync(directory, { recursive: true });
  const broker = await reservePort();
  fs.writeFileSync(path.join(directory, "broker.conf"), `listener ${broker} 127.0.0.1\nallow_anonymous true\nuser root\nlog_dest stderr\n`);
  begin("broker", "mosquitto", "-c", path.join(directory, "broker.conf"));
  await listens("the broker", broker);
  boards = await Promise.all(["24401", "24402", "24403"].map((serial) => TableBoard.open(serial)));
  const hall = (site, own, commands) => watch({ directory: path.join(directory, site), binary: process.env.JADOUBE, boards: own, config: (url) => `url = "${url}"\n[mqtt]\nurl = "mqtt://127.0.0.1:${broker}"\nsite = "${site}"\ndaemon = "d"\ncommands = ${commands}\n` });
  halls = [await hall("hall-a", boards.slice(0, 2), true), await hall("hall-b", boards.slice(2), false)];
  hub = { port: await reservePort(), broker };
  hub.url = `http://127.0.0.1:${hub.port}`;
  fs.writeFileSync(path.join(directory, "token"), `${TOKEN}\n`, { mode: 0o600 });
  fs.writeFileSync(path.join(directory, "hub.toml"), `state_dir = "${directory}/state"\nlog_dir = "${directory}/log"\n[http]\nlisten = "127.0.0.1:${hub.port}"\ntoken_file = "${directory}/token"\nurl = "http://hall.test"\n[mqtt]\nurl = "mqtt://127.0.0.1:${broker}"\n`);
  begin("hub", process.env.JADOUBE, "hub", "--config", path.join(directory, "hub.toml"));
  await answers("the hub", hub.url);
  const all = () => ask(`${hub.url}/api/hall`).then((answer) => answer.json()).then(({ boards: known }) => known.filter(({ up }) => up).length === 3, () => false);
  await waitUntil("all boards at the hub", all);
  browser = await browse();
});

after(async () => {
  await browser?.close();
  for (const hall of halls ?? []) await hall.close();
  for (const board of boards ?? []) board.close();
  for (const child of started) await end(child);
});

const places = (page) => page.$$eval("#tables .card", (cards) => cards.map((card) => [card.querySelector(".number").textContent, /hall-[ab]/.exec(card.textContent)?.[0]].join(" ")));

/** Signs a new arbiter in at the hub, at a phone. */
async function phoneOf(chief, name, tables, language = "en") {
  const link = await joinLink(chief, name, tables);
  const page = await browser.open(link.replace("http://hall.test", hub.url), { width: 390, height: 844, language });
  await page.waitForSelector(".card");
  return page;
}

test("arbiters of two halls with equal tables hear of their own, and see who goes; what a hall refuses is said in words", { timeout: 3 * PATIENCE }, async () => {
  const chief = await browser.open(`${hub.url}/#/`, { signedIn: true });
  await chief.waitForSelector(".card");
  assert.deepEqual(await places(chief), ["1 hall-a", "2 hall-a", "1 hall-b"]);
  assert.deepEqual(await inaccessible(chief), []);
  await chief.goto(`${hub.url}/#/arbiters`);
  const ada = await phoneOf(chief, "Ada", "hall-a:1-20");
  const bob = await phoneOf(chief, "Bob", "hall-b:1", "de");
  assert.deepEqual([await places(ada), await places(bob)], [["1 hall-a", "2 hall-a"], ["1 hall-b"]]);

  // The same number in the other hall: it rings at Bob's only.
  await illegalMove(boards[2]);
  await bob.waitForFunction(() => /Tisch 1/.test(document.getElementById("urgent").textContent));
  await chief.goto(`${hub.url}/#/`);
  await chief.waitForSelector(".rail-list .alert-line");
  assert.match(await chief.textContent(".rail-list"), /hall-b/);
  assert.equal(await ada.textContent("#urgent"), "");
  await ada.click("#mine");
  await ada.waitForSelector(".rail-list .alert-line");
  await bob.click(".rail .alert-line");
  await bob.click("#go");
  await ada.waitForFunction(() => /On the way: Bob/.test(document.querySelector(".rail-list").textContent));
  assert.deepEqual(await inaccessible(bob), []);

  // Evidence and replay are at the desk of the hall: the link leads to the same alert there.
  const link = bob.locator(".at-hall a");
  assert.equal(new URL(await link.getAttribute("href")).origin, halls[1].url);
  const opened = bob.context().waitForEvent("page");
  await link.click();
  const there = await opened;
  await there.waitForSelector(".replay");
  await there.click("#evidence > summary");
  await there.waitForSelector(".events");
  assert.equal(new URL(there.url()).hash, await bob.evaluate(() => location.hash));
  await there.close();

  // Hall B takes no orders over the broker, hall A does, and knows by whom; it refuses what is wrong.
  await bob.click("#dismiss");
  await bob.waitForSelector(".outcome.refused");
  assert.match(await bob.textContent(".outcome.refused"), /Abgelehnt.*der Saal antwortet nicht/s);
  const order = (page, body) => page.evaluate(async ([serial, text]) => {
    const answer = await fetch(`/api/boards/${serial}/orders`, { method: "POST", body: text });
    return [answer.status, await answer.text()];
  }, [boards[0].serial, JSON.stringify(body)]);
  assert.equal((await order(ada, { order: "flip" }))[0], 200);
  const [status, reason] = await order(ada, { order: "reinstate", ply: 77 });
  assert.ok(status >= 400 && status < 500 && /there is no (ply 77|game)/.test(reason), `${status} ${reason}`);
  const audit = await halls[0].read("/api/audit");
  assert.deepEqual([audit[0].arbiter, audit[0].order.order], ["Ada", "flip"]);

  // A phone that is lost is out of all halls at once.
  await chief.goto(`${hub.url}/#/arbiters`);
  const revoke = chief.locator('tr[data-arbiter="Bob"] button');
  await revoke.click();
  await pressSurely(revoke);
  await waitUntil("Bob signed out", async () => (await order(bob, { order: "flip" }))[0] === 401);
  for (const page of [ada, bob, chief]) await page.context().close();
  assert.deepEqual(browser.faults, []);
});

test("whatever a hall or a stranger writes at the broker, the desk of the hub shows it as text", { timeout: 3 * PATIENCE }, async () => {
  const say = (topic, payload) => execFileSync("mosquitto_pub", ["-p", String(hub.broker), "-q", "1", "-r", "-t", topic, "-m", payload]);
  const marked = `<img src=x onerror="window.run=1"><script>window.run=1</script>\u202e\u001b[31m`;
  // A hall whose texts are all marked: what hall A says, under another name.
  const known = spawnSync("mosquitto_sub", ["-p", String(hub.broker), "-v", "-W", "5", "-t", "dgt/hall-a/d/#"]).stdout.toString().trim().split("\n");
  const root = "dgt/hall-z/d";
  const everywhere = (text) => JSON.stringify(JSON.parse(text, (key, inner) => (typeof inner === "string" && ["white", "black", "name", "port", "version", "url"].includes(key) ? marked : inner)));
  // The number of a board belongs to the hall that said it first.
  const [first, other] = ["99401", "99402"];
  for (const line of known.map((said) => said.replaceAll(boards[0].serial, first).replaceAll(boards[1].serial, other))) {
    const [topic, payload] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
    say(topic.replace("dgt/hall-a/d", root), payload.startsWith("{") ? everywhere(payload) : payload);
  }
  for (const [number, payload] of ["", "null", "[]", "{", "1e999", `"${marked}"`, `{"a":${"[".repeat(500)}${"]".repeat(500)}}`, "x".repeat(20000)].entries()) {
    for (const what of ["state", "game", "availability"]) say(`${root}/board/b${number}/${what}`, payload);
    say(`${root}/alert/a${number}`, payload);
  }
  say(`${root}/alert/${first}-1-1`, JSON.stringify({ id: `${first}-1-1`, board: first, event: "alert", code: marked, article: marked, text: marked, state: "open", severity: "act", side: marked }));
  const chief = await browser.open(`${hub.url}/#/`, { signedIn: true });
  await chief.waitForFunction(() => /hall-z/.test(document.body.textContent));
  for (const place of ["#/", "#/arbiters", `#/board/${first}`, `#/alert/${first}-1-1`]) {
    await chief.goto(`${hub.url}/${place}`);
    await chief.waitForTimeout(500);
    assert.equal(await chief.evaluate(() => window.run), undefined, place);
    assert.equal(await chief.locator('img[src="x"], a[href^="javascript:"]').count(), 0, place);
  }
  // The halls are there as before.
  await chief.goto(`${hub.url}/#/`);
  await chief.waitForFunction(() => /hall-a/.test(document.body.textContent) && /hall-b/.test(document.body.textContent));
  await chief.context().close();
  assert.deepEqual(browser.faults, []);
});
