// Test environment: emulated boards, the daemon, a browser. Everything started here is stopped here.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { PATIENCE, answers, ask, end, reservePort, start, waitUntil } from "./programs.mjs";

const require = createRequire(`${process.env.NODE_MODULES}/`);
const { chromium } = require("playwright-core");
const jsQR = require("jsqr");
const { PNG } = require("pngjs");

export const TOKEN = "a-token-for-the-test";
const PLAYERS = ["Vogt, Lena", "Brandt, Paul", "Aslan, Mira", "Keller, Jonas", "Sommer, Ida", "Hartmann, Emil", "Falk, Nora", "Weber, Finn",
  "Busch, Clara", "Lindner, Theo", "Peters, Juna", "Reimann, Oskar", "Krause, Ella", "Simon, Jakob", "Winter, Alma", "Engel, Ben"];

export { PATIENCE, waitUntil } from "./programs.mjs";

/** Emulated boards and a daemon that watches them. */
export class Hall {
  constructor(directory, binary) {
    Object.assign(this, { directory, binary, serials: [], daemon: null, emulator: null });
  }

  static async open({ directory, binary, boards, incidents = [], time = "3+2", language = "en", extra = [], config = "" }) {
    const hall = new Hall(directory, binary);
    fs.mkdirSync(directory, { recursive: true });
    const devices = path.join(directory, "boards");
    const names = incidents.flatMap((name) => ["--incident", name]);
    hall.emulator = spawn(binary, ["emulate", "--boards", String(boards), "--dir", devices, "--time", time, "--ruling", "stands", ...names, ...extra], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of readline.createInterface({ input: hall.emulator.stdout })) {
      hall.serials.push(line.split(" ")[0]);
      if (hall.serials.length === boards) break;
    }
    if (hall.serials.length < boards) throw new Error(`${hall.serials.length} of ${boards} boards are emulated`);
    hall.port = await reservePort();
    hall.url = `http://127.0.0.1:${hall.port}`;
    fs.writeFileSync(path.join(directory, "token"), `${TOKEN}\n`, { mode: 0o600 });
    const tables = hall.serials.map((serial, index) => `[[table]]\nnumber = ${index + 1}\nserial = "${serial}"\nwhite = "${PLAYERS[(2 * index) % 16]}"\nblack = "${PLAYERS[(2 * index + 1) % 16]}"\n`);
    hall.config = path.join(directory, "jadoube.toml");
    hall.text = (spoken) => `state_dir = "${directory}/state"
log_dir = "${directory}/log"

[event]
name = "City Open"
control = "blitz"
time_control = "${time}"
language = "${spoken}"

[ports]
scan = ["${devices}/board-*"]
rescan_s = 1

[http]
listen = "127.0.0.1:${hall.port}"
token_file = "${directory}/token"

${config}
${tables.join("\n")}`;
    hall.speak(language);
    await hall.start();
    return hall;
  }

  /** Writes the configuration anew; the daemon speaks the language when it starts next. */
  speak(language) {
    fs.writeFileSync(this.config, this.text(language));
  }

  /** Starts the daemon and waits until it answers. */
  async start() {
    const name = `the daemon of ${path.basename(this.directory)}`;
    this.daemon = start(name, path.join(this.directory, "daemon.log"), this.binary, "run", "--config", this.config);
    await answers(name, this.url, { Authorization: `Bearer ${TOKEN}` });
  }

  /** Stops the daemon; kills it to simulate a crash. */
  async stop(signal = "SIGTERM") {
    await end(this.daemon, signal);
  }

  async close() {
    await this.stop();
    this.emulator?.kill("SIGTERM");
  }

  /** Gives an order; returns the answer. */
  async order(serial, body) {
    const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", "X-Arbiter": "A.%20Arbiter" };
    return fetch(`${this.url}/api/boards/${serial}/orders`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** Waits until the daemon shows what stands on a board of the tests' own, and whose clock runs there. */
  async hasHeard(board) {
    await waitUntil(`what was done at board ${board.serial}`, async () => {
      const { pieces, clock } = await this.read(`/api/boards/${board.serial}`);
      return pieces === board.pieces && (clock?.running ?? null) === board.clock.running;
    });
  }

  #ask(resource) {
    return ask(`${this.url}${resource}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  }

  async read(resource) {
    return (await this.#ask(resource)).json();
  }

  async textOf(resource) {
    return (await this.#ask(resource)).text();
  }
}

/**
 * A daemon that watches boards of the tests' own, each a [`TableBoard`]; `config` goes on in `[http]`, and may be made of the desk's address.
 * The last boards, `spare` of them, stand at no table.
 */
export async function watch({ directory, binary, boards, spare = 0, control = "blitz", time = "5+0", config = "" }) {
  const hall = new Hall(directory, binary);
  fs.mkdirSync(directory, { recursive: true });
  hall.port = await reservePort();
  hall.url = `http://127.0.0.1:${hall.port}`;
  hall.serials = boards.map((board) => board.serial);
  fs.writeFileSync(path.join(directory, "token"), `${TOKEN}\n`, { mode: 0o600 });
  const ports = boards.map((board) => `[[port]]\npath = "${board.path}"\n`);
  const tables = boards.slice(0, boards.length - spare).map((board, index) => `[[table]]\nnumber = ${index + 1}\nserial = "${board.serial}"\nwhite = "${PLAYERS[2 * index]}"\nblack = "${PLAYERS[2 * index + 1]}"\n`);
  hall.config = path.join(directory, "jadoube.toml");
  hall.text = (spoken) => `state_dir = "${directory}/state"
log_dir = "${directory}/log"

[event]
name = "City Open"
round = 1
control = "${control}"
time_control = "${time}"
language = "${spoken}"

[ports]
scan = []

[http]
listen = "127.0.0.1:${hall.port}"
token_file = "${directory}/token"

${typeof config === "function" ? config(hall.url) : config}
${ports.join("\n")}
${tables.join("\n")}`;
  hall.speak("en");
  await hall.start();
  for (const board of boards) board.heard = () => hall.hasHeard(board);
  return hall;
}

/** A board on which White has played 1. Ke3 after 1. e4 e5, which no king can. */
export async function illegalMove(board) {
  await board.newGame();
  await board.play("white", "e2", "e4");
  await board.play("black", "e7", "e5");
  await board.play("white", "e1", "e3");
}

/** Presses a button that acts on its second press only, however long ago the first was. */
export async function pressSurely(button) {
  // Moved to as by a person: it is visible, stands still, and nothing covers it.
  await button.hover();
  await button.evaluate((one) => {
    if (one.dataset.armed === undefined) one.click();
    if (one.dataset.armed !== undefined) one.click();
  });
}

/** Makes a token on the chief's page; returns the link that its code says, read from what the screen shows. */
export async function joinLink(chief, name, tables) {
  await chief.fill("#new-name", name);
  await chief.fill("#new-tables", tables);
  await chief.click("#new-arbiter");
  await chief.waitForSelector(`tr[data-arbiter="${name}"]`);
  const code = chief.locator("#new-token img");
  await code.evaluate((image) => image.decode());
  const { data, width, height } = PNG.sync.read(await code.screenshot());
  const link = jsQR(new Uint8ClampedArray(data), width, height)?.data;
  if (link !== (await chief.textContent("#new-token a"))) throw new Error(`the code says ${link}`);
  return link;
}

/** Delivers a push message to the service worker of the desk, as the browser's maker would; returns the notification that is shown for it. */
export async function pushed(phone, page, origin, data) {
  const devtools = await phone.newCDPSession(page);
  const registered = new Promise((done) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const known = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (known) done(known.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const message = { origin, registrationId: await registered, data };
  let looks = 0;
  return waitUntil("a notification", async () => {
    // What devtools deliver to a worker that is just being stopped is lost once in a while: it is delivered every five seconds.
    if (looks++ % 50 === 0) await devtools.send("ServiceWorker.deliverPushMessage", message);
    for (const worker of phone.serviceWorkers()) {
      const shown = worker.evaluate(async () => (await self.registration.getNotifications()).map(({ title, body, data: { alert } }) => ({ title, body, alert })));
      const [one] = await shown.catch(() => []);
      if (one) return one;
    }
    return null;
  });
}

/** A browser that records errors of its pages; `home` has the authorities that its user trusts. */
export async function browse({ home } = {}) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const env = home ? { ...process.env, HOME: home } : process.env;
  const browser = await chromium.launch({ executablePath, args, env, headless: true, timeout: PATIENCE });
  const faults = [];
  const open = async (url, { width = 1280, height = 800, dark = false, signedIn = false, language = "en", size = "normal", prepare = () => {} } = {}) => {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", deviceScaleFactor: width < 500 ? 2 : 1 });
    await context.addInitScript(([token, chosen, size]) => {
      if (token) {
        sessionStorage.setItem("token", token);
        localStorage.setItem("arbiter", "A. Arbiter");
      }
      localStorage.setItem("settings", JSON.stringify({ language: chosen, theme: "auto", size }));
      document.addEventListener("securitypolicyviolation", (event) => console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`));
    }, [signedIn ? TOKEN : "", language, size]);
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.stack}`));
    page.on("console", (message) => {
      if (/policy/i.test(message.text())) faults.push(`${page.url()}: ${message.text()}`);
    });
    await prepare(page);
    await page.goto(url);
    return page;
  };
  return { open, faults, close: () => browser.close() };
}

/** Answers what a page asks for at an address; one that is closed meanwhile wants no answer. */
export const answeredBy = (page, address, answer) => page.route(address, (route) => answer(route).catch((error) => {
  if (!/closed|disposed/.test(error.message)) throw error;
}));

/** Waits until a page has been laid out and nothing moves on it. */
export async function settled(page) {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Returns what axe-core finds wrong with a page. */
export async function inaccessible(page) {
  const source = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}
