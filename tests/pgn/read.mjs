// Reads games with chess.js, one by one. It knows no Chess960: such games are left to the others.
//
//     node read.mjs FILE.pgn...

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(import.meta.url);
const { Chess } = require(`${process.env.NODE_MODULES}/chess.js`);
let games = 0;
let plies = 0;
let left = 0;
for (const name of process.argv.slice(2)) {
  for (const text of readFileSync(name, "utf8").split(/\n\n(?=\[Event )/)) {
    if (!text.trim()) continue;
    if (text.includes('[Variant "Chess960"]')) {
      left += 1;
      continue;
    }
    const chess = new Chess();
    chess.loadPgn(text, { strict: false });
    const white = /\[White "((?:[^"\\]|\\.)*)"\]/.exec(text)[1];
    if (!chess.getHeaders().White) throw new Error(`${name}: no White`);
    if (!/[\\"]/.test(white) && chess.getHeaders().White !== white) throw new Error(`${name}: ${white}`);
    games += 1;
    plies += chess.history().length;
  }
}
if (!games && !left) throw new Error("no game");
console.log(`chess.js: ${games} games, ${plies} plies, ${left} of Chess960 left out`);
