// Arbiters with own tokens: the chief makes one, a phone signs in by its link, orders carry the name, a lost phone is out.

import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { Hall, browse, inaccessible } from "./hall.mjs";

const PATIENCE = 60_000;

let hall;
let browser;

before(async () => {
  // With a delay, everybody has to sign in, also on this machine.
  hall = await Hall.open({ directory: path.join(process.env.WORK, "arbiters"), binary: process.env.JADOUBE, boards: 3, config: `url = "http://hall.test"\n[pgn]\ndir = "${process.env.WORK}/arbiters/pgn"\ndelay_s = 60\n` });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
});

/** Makes a token on the chief's page; returns the link that is shown. */
async function makeToken(chief, name, tables) {
  await chief.fill("#new-name", name);
  await chief.fill("#new-tables", tables);
  await chief.click("#new-arbiter");
  await chief.waitForSelector(`tr[data-arbiter="${name}"]`);
  const size = await chief.$eval("#new-token img", (image) => image.decode().then(() => image.naturalWidth));
  assert.ok(size >= 240, "the code is shown");
  const link = await chief.textContent("#new-token a");
  assert.ok(link.startsWith("http://hall.test/#/join/"), link);
  return link.replace("http://hall.test", hall.url);
}

test("a phone signs in by its link, orders with its name, and is out once it is revoked", async () => {
  const chief = await browser.open(`${hall.url}/#/settings`, { signedIn: true });
  chief.setDefaultTimeout(PATIENCE);
  await chief.click("#to-arbiters a");
  const link = await makeToken(chief, "Ada", "1-2");
  assert.deepEqual(await inaccessible(chief), []);

  const phone = await browser.open(link, { width: 390, height: 780 });
  phone.setDefaultTimeout(PATIENCE);
  await phone.waitForSelector(".card");
  assert.equal(new URL(phone.url()).hash, "#/", "the token has left the address");
  const kept = await phone.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie }));
  assert.ok(!kept.includes(link.split("/").at(-1)), "and is kept nowhere");
  await phone.goto(`${hall.url}/#/settings`);
  await phone.waitForSelector("#own-session");
  assert.match(await phone.textContent("#own-session"), /Ada.*1-2/s);

  const status = await phone.evaluate((serial) => fetch(`/api/boards/${serial}/orders`, { method: "POST", headers: { "X-Arbiter": "Eve" }, body: '{"order":"mute","seconds":1}' }).then((answer) => answer.status), hall.serials[0]);
  assert.equal(status, 200);
  const audit = await hall.read("/api/audit");
  assert.equal(audit.at(-1).arbiter, "Ada");

  // The second press is the one that counts.
  const revoke = chief.locator('tr[data-arbiter="Ada"] button');
  await revoke.click();
  await revoke.click();
  await chief.waitForSelector('tr[data-arbiter="Ada"]', { state: "detached" });
  await phone.waitForSelector("#sign-in");
  await phone.goto(link);
  await phone.waitForSelector("#join-failed");
  await phone.context().close();
  await chief.context().close();
  assert.deepEqual(browser.faults, []);
});
