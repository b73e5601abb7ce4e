// Locked phones: an alert reaches a push service and an ntfy server, both run here, while no page of the desk is open, and the browser
// shows what the push service has got for it.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { EventEmitter, once } from "node:events";
import http from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { TableBoard } from "./board.mjs";
import { PATIENCE, browse, illegalMove, joinLink, pushed, watch } from "./hall.mjs";

let board;
let hall;
let browser;
let push;
let ntfy;

/** A server that takes whatever is sent to it. */
class Taker extends EventEmitter {
  static async open() {
    const taker = new Taker();
    taker.server = http.createServer(async (request, answer) => {
      const parts = [];
      for await (const part of request) parts.push(part);
      answer.writeHead(201).end();
      taker.emit("taken", { path: request.url, headers: request.headers, body: Buffer.concat(parts) });
    }).listen(0, "127.0.0.1");
    await once(taker.server, "listening");
    taker.url = `http://127.0.0.1:${taker.server.address().port}`;
    return taker;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Reads a message as the browser with these keys does (RFC 8291). */
function decrypted(body, keys, secret) {
  const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const derive = (input, salted, info, length) => Buffer.from(crypto.hkdfSync("sha256", input, salted, info, length));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
  const input = derive(keys.computeSecret(sender), secret, info, 32);
  const key = derive(input, salt, "Content-Encoding: aes128gcm\0", 16);
  const cipher = crypto.createDecipheriv("aes-128-gcm", key, derive(input, salt, "Content-Encoding: nonce\0", 12));
  cipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return text.subarray(0, text.lastIndexOf(2)).toString();
}

before(async () => {
  [board, push, ntfy] = [await TableBoard.open("24501"), await Taker.open(), await Taker.open()];
  const config = `url = "http://hall.test"\npush_services = ["${push.url}/"]\n[[notify]]\nkind = "ntfy"\nurl = "${ntfy.url}/fay"\narbiter = "Fay"\n`;
  hall = await watch({ directory: path.join(process.env.WORK, "push"), binary: process.env.JADOUBE, boards: [board], config });
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await hall?.close();
  for (const one of [board, push, ntfy]) one?.close();
});

test("an alert reaches a phone on which no page of the desk is open", { timeout: 2 * PATIENCE }, async () => {
  const keys = crypto.createECDH("prime256v1");
  keys.generateKeys();
  const secret = crypto.randomBytes(16);
  const subscription = { endpoint: `${push.url}/fay`, keys: { p256dh: keys.getPublicKey("base64url"), auth: secret.toString("base64url") } };
  const chief = await browser.open(`${hall.url}/#/arbiters`, { signedIn: true });
  await chief.waitForSelector("#new-name");
  const link = (await joinLink(chief, "Fay", "1")).replace("http://hall.test", hall.url);
  await chief.context().close();
  // The push service of the browser's maker cannot be reached from a test: the one of the test stands in its place.
  const prepare = (page) => page.addInitScript((own) => {
    PushManager.prototype.subscribe = async (wanted) => ({ options: wanted, toJSON: () => own });
  }, subscription);
  const page = await browser.open(link, { width: 390, height: 844, prepare });
  await page.waitForSelector(".card");
  const phone = page.context();
  await phone.grantPermissions(["notifications"], { origin: hall.url });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.goto(`${hall.url}/#/settings`);
  await page.check("#push");
  await page.waitForSelector("#push-outcome.done");

  // The page is closed; what the browser does by itself is seen from an empty one.
  const empty = await phone.newPage();
  await page.close();
  assert.deepEqual(phone.pages().map((one) => one.url()), ["about:blank"]);
  const [sealed, published] = [once(push, "taken"), once(ntfy, "taken")];
  await illegalMove(board);

  const [{ path: topic, headers, body: text }] = await published;
  assert.deepEqual([topic, headers.title, headers.priority], ["/fay", "Table 1", "5"]);
  assert.match(headers.click, /^http:\/\/hall\.test\/#\/alert\/24501-/);
  assert.ok(/illegal/i.test(text) && !/Vogt|Brandt/.test(text), text.toString());

  const [{ path: endpoint, headers: sent, body }] = await sealed;
  assert.deepEqual([endpoint, sent["content-encoding"], sent.urgency], ["/fay", "aes128gcm", "high"]);
  const data = decrypted(body, keys, secret);
  assert.ok(!/Vogt|Brandt/.test(data), data);
  const shown = await pushed(phone, empty, hall.url, data);
  assert.equal(shown.title, "Table 1");
  assert.match(shown.body, /illegal/i);
  assert.match(shown.alert, /^24501-/);
  await phone.close();
  assert.deepEqual(browser.faults, []);
});
