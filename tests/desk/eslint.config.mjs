// What Node's own parser does not report of the desk's scripts: names that nothing defines, and names that nothing uses.

import { createRequire } from "node:module";

const globals = createRequire(`${process.env.NODE_MODULES}/`)("globals");

const rules = { "no-undef": "error", "no-unused-vars": "error", "no-const-assign": "error", "no-dupe-keys": "error", "no-unreachable": "error" };

export default [
  { files: ["src/desk/*.js"], rules, languageOptions: { globals: { ...globals.browser, ...globals.serviceworker } } },
  { files: ["tests/desk/*.mjs"], rules, languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
