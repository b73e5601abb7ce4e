// Why the daemon refuses something, in the language of the page: its reasons are English sentences, in orders, logs and over the broker.

import { refusals, sideName } from "./words.js";

/** Names in braces that stand for a side. */
const SIDES = new Set(["side"]);

/** Patterns of the sentences of a language, made when they are first needed. */
const patterns = new WeakMap();

/** Makes a pattern of a sentence: what is in braces matches anything. */
function pattern([english, own]) {
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parts = english.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { names, own, matches: new RegExp(`^${parts.join("(.+)")}$`) };
}

/** Returns a reason of the daemon in the language of the page; as it is if nobody has translated it. */
export function reasonText(reason) {
  const known = refusals();
  if (known.length === 0 || !reason) return reason;
  if (!patterns.has(known)) patterns.set(known, known.map(pattern));
  for (const { names, own, matches } of patterns.get(known)) {
    const found = matches.exec(reason);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1]]));
    return own.replace(/\{(\w+)\}/g, (whole, name) => (SIDES.has(name) ? sideName(values[name].toLowerCase()) || values[name] : reasonText(values[name])));
  }
  return reason;
}
