// A phone in an arbiter's hand: tasks that begin in the hall, with their touches counted. How many there are is said in src/desk/README.md.

import assert from "node:assert/strict";
import fs from "node:fs";
import { inaccessible, pressSurely, settled } from "./hall.mjs";

const README = new URL("../../src/desk/README.md", import.meta.url);

/** The touches of each task as the page for contributors has them. */
const documented = new Map([...fs.readFileSync(README, "utf8").matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+) \| [\d.]+ \|$/gm)].map(([, name, touches]) => [name, Number(touches)]));

export class Phone {
  rows = [];

  constructor(browser, hall, shots = null) {
    Object.assign(this, { browser, hall, shots });
  }

  /**
   * Does a task from the hall on. `taps` are what is pressed, one after the other: a selector, one twice for a button that asks again, or
   * a function that chooses or types something, which is a touch as well. `done` waits for what has come of it. With `undo` it is taken
   * back at the foot of the page, and that waits until it is. Without a name it is done and not counted.
   */
  async task(name, before, taps, done, { undo = null, width = 390, height = 844 } = {}) {
    const page = await this.browser.open(this.hall.url, { width, height, signedIn: true });
    await page.waitForSelector(".card");
    const began = performance.now();
    for (const [index, tap] of taps.entries()) {
      if (typeof tap === "function") await tap(page);
      else if (tap === taps[index - 1]) await pressSurely(page.locator(tap).first());
      else await page.locator(tap).first().click();
    }
    await done(page);
    const seconds = (performance.now() - began) / 1000;
    if (undo) {
      await page.click("#toast-undo");
      await undo(page);
    }
    if (name) {
      this.rows.push([name, before, taps.length, seconds]);
      assert.equal(taps.length, documented.get(name), `${name}: touches, and those in src/desk/README.md`);
      if (this.shots) {
        await settled(page);
        await page.screenshot({ path: `${this.shots}/touches-${name.replace(/[^a-z0-9]+/gi, "-")}.png`, fullPage: true });
      }
      assert.deepEqual(await inaccessible(page), [], name);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, name);
    }
    await page.context().close();
  }

  /** All tasks as a table, also in the file that `TASKS_FILE` names. */
  table() {
    const lines = this.rows.map(([name, before, touches, seconds]) => `| ${name} | ${before} | ${touches} | ${seconds.toFixed(1)} |`);
    const table = ["| task | before | touches | seconds |", "|---|---|---|---|", ...lines].join("\n");
    if (process.env.TASKS_FILE) fs.appendFileSync(process.env.TASKS_FILE, `${table}\n`);
    return table;
  }
}
