// The rules that the LiveChess interface keeps, checked with the WebSocket library of Node, as lichess.org's page
// and the programs around it use the interface.
//
//     node rules.mjs PORT SERIAL...

import { createRequire } from "node:module";
import assert from "node:assert/strict";

const require = createRequire(import.meta.url);
const WebSocket = require(`${process.env.NODE_MODULES}/ws`);
const [port, ...serials] = process.argv.slice(2);
let passed = 0;

const right = (condition, what) => {
  assert.ok(condition, what);
  passed += 1;
};

function connect(options = {}, host = "127.0.0.1", path = "/api/v1.0") {
  const socket = new WebSocket(`ws://${host}:${port}${path}`, options);
  const messages = [];
  const waiting = [];
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    const next = waiting.shift();
    if (next) next(message);
    else messages.push(message);
  });
  socket.next = () =>
    new Promise((resolve, reject) => {
      if (messages.length) return resolve(messages.shift());
      const timer = setTimeout(() => reject(new Error("no message")), 120000);
      waiting.push((message) => (clearTimeout(timer), resolve(message)));
    });
  socket.open = new Promise((resolve, reject) => {
    socket.on("open", () => resolve(socket));
    socket.on("unexpected-response", (_, answer) => resolve(answer.statusCode));
    socket.on("error", reject);
  });
  return socket;
}

const socket = connect({ perMessageDeflate: true, origin: "https://lichess.org" }, "localhost");
await socket.open;
right(socket.extensions === "", "no extension");
right(socket.protocol === "", "no protocol");

// As the page does it: numbers for ids, the first board, then setup.
socket.send(JSON.stringify({ id: 1, call: "eboards" }));
let message = await socket.next();
right(message.id === 1 && message.response === "call", "a number is a number");
right(message.param[0].state === "ACTIVE", "the first board is there");
const serial = message.param[0].serialnr;
socket.send(
  JSON.stringify({ id: 2, call: "subscribe", param: { feed: "eboardevent", id: 1, param: { serialnr: serial } } }),
);
message = await socket.next();
right(message.response === "call" && message.id === 2 && message.param === null, "the answer first");
message = await socket.next();
right(message.response === "feed" && message.id === 1, "then the board");
right(/^([rnbqkpRNBQKP1-8]{1,8}\/){7}[rnbqkpRNBQKP1-8]{1,8}$/.test(message.param.board), "a placement");
socket.send(
  JSON.stringify({
    id: 3,
    call: "call",
    param: { id: 1, method: "setup", param: { fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" } },
  }),
);
do message = await socket.next();
while (message.response === "feed");
right(message.id === 3 && message.response === "call", "setup");
do message = await socket.next();
while (!message.param.san);
right(Array.isArray(message.param.san) && typeof message.param.match === "boolean", "moves and match");

// One that calls feeds by the number of the board never gets an end, only errors.
socket.send(JSON.stringify({ id: 30, call: "subscribe", param: { feed: serial } }));
do message = await socket.next();
while (message.response === "feed");
right(message.response === "error" && typeof message.param.stacktrace === "string", "an error");
socket.ping();
await new Promise((resolve) => socket.once("pong", resolve));
right(socket.readyState === WebSocket.OPEN, "still open");

// Many messages at once are answered in order.
const flood = connect();
await flood.open;
const count = 300;
for (let id = 0; id < count; id++) flood.send(JSON.stringify({ id, call: "eboards", param: {} }));
for (let id = 0; id < count; id++) {
  message = await flood.next();
  assert.equal(message.id, id);
}
right(true, "a flood is answered in order");
flood.terminate();

right((await connect({ origin: "https://evil.example" }).open) === 403, "a page that is not on the list");
right((await connect({ headers: { Host: "evil.example" } }).open) === 421, "a name that points here by a trick");
const one = await connect({}, "127.0.0.1", `/board/${serials[0]}/api/v1.0`).open;
one.send(JSON.stringify({ id: 1, call: "eboards" }));
message = await one.next();
right(message.param.length === 1 && message.param[0].serialnr === serials[0], "an address for one board");
one.close();
socket.close();
console.log(`${passed} passed`);
