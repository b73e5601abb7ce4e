// Programs that tests start, the ports on which these listen, and what they have said when something did not come about.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import readline from "node:readline";
import { after, afterEach } from "node:test";

/** How long tests wait for something, in milliseconds: the machine may have other work. */
export const PATIENCE = 120_000;

/** How much of what a program has said is shown, in lines, and of what it answers, in characters. */
const LINES = 40;
const LETTERS = 4000;

/** How long one question may take that is asked again, in milliseconds. */
const SHORT = 10_000;

// The sockets are bound and do not listen: the system gives their ports to nobody who wants any port, to listen or to connect from, while
// whoever names one can listen there, as often as it is started, since all have SO_REUSEADDR. Node binds no socket without listening.
const RESERVE = `
import socket, sys
kept = []
for _ in sys.stdin:
    kept.append(socket.socket())
    kept[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept[-1].bind(("127.0.0.1", 0))
    print(kept[-1].getsockname()[1], flush=True)
`;

let reserve;
const programs = new Map();
const desks = new Map();

/** Returns a TCP port of 127.0.0.1 that is the caller's until all tests of the file have ended. */
export async function reservePort() {
  if (!reserve) {
    const child = spawn("python3", ["-c", RESERVE], { stdio: ["pipe", "pipe", "inherit"] });
    reserve = { child, ports: readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  }
  reserve.child.stdin.write("\n");
  const { value } = await reserve.ports.next();
  if (!value) throw new Error("no port can be reserved: python3 has ended");
  return Number(value);
}

/** Returns whether a program has ended; null stands for its exit status if a signal ended it. */
const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null;

/** Starts a program under a name; what it says goes to the end of a file. */
export function start(name, log, program, ...words) {
  const file = fs.openSync(log, "a");
  const child = spawn(program, words, { stdio: ["ignore", file, file] });
  fs.closeSync(file);
  programs.set(name, { child, log });
  return child;
}

/** Ends a program with a signal, and waits until it has. */
export async function end(child, signal = "SIGTERM") {
  if (!child || hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** Asks a server on this machine; one that takes the question and says nothing does not hold a test up for ever. */
export const ask = (url, options = {}, patience = PATIENCE) => fetch(url, { signal: AbortSignal.timeout(patience), ...options });

/** Waits until a program that was started under a name listens on a port. */
export const listens = (name, port) => comesUp(name, () => new Promise((done) => {
  const socket = net.connect(port, "127.0.0.1", () => {
    socket.destroy();
    done(true);
  }).on("error", () => done(false));
}));

/** Waits until the desk of a program is there; what it shows is reported where something does not come about. */
export async function answers(name, url, headers = {}) {
  desks.set(name, { url, headers });
  await comesUp(name, () => ask(`${url}/api/hall`, { headers }, SHORT).then((answer) => answer.ok, () => false));
}

const comesUp = (name, look) => waitUntil(`${name} is there`, () => {
  const { child } = programs.get(name);
  if (hasEnded(child)) throw new Error(sayings(name));
  return look();
});

/** Waits `patience` milliseconds at most for something that the interface reports. */
export async function waitUntil(what, look, patience = PATIENCE) {
  let found;
  for (const last = Date.now() + patience; Date.now() < last; await new Promise((resolve) => setTimeout(resolve, 100))) {
    found = await look();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${patience / 1000} s, at last ${JSON.stringify(found)}\n${await report()}`);
}

function sayings(name) {
  const { child, log } = programs.get(name);
  const how = hasEnded(child) ? `has ended: ${child.exitCode ?? child.signalCode}` : "runs";
  const lines = fs.readFileSync(log, "utf8").trimEnd().split("\n");
  return [`--- ${name} ${how}, and said at last:`, ...lines.slice(-LINES)].join("\n");
}

/** Says of every program what it said last, and what its desk shows. */
async function report() {
  const shown = [...desks].map(async ([name, { url, headers }]) => {
    const text = await ask(`${url}/api/hall`, { headers }, SHORT).then((answer) => answer.text(), String);
    return `--- ${name} shows: ${text.slice(0, LETTERS)}`;
  });
  return [...[...programs.keys()].map(sayings), ...(await Promise.all(shown))].join("\n");
}

// What a page did not show in time has its reasons there, too. Before Node 20.12 nobody knows whether a test has passed.
afterEach(async (context) => {
  if (context.passed === false) context.diagnostic(await report());
});

after(() => reserve?.child.stdin.end());
