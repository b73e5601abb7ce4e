// The time control of the event, as far as pages count with it.

/** Reads `90+30` (minutes, and seconds with each move) or `40/5400+30:1800+30` (moves, seconds) into periods. */
export function periodsOf(text) {
  if (!text) return [];
  const simple = /^(\d+)\+(\d+)$/.exec(text);
  if (simple) return [{ moves: null, base: 60 * Number(simple[1]), increment: Number(simple[2]) }];
  return text.split(":").map((period) => {
    const [, moves, base, increment] = /^(?:(\d+)\/)?(\d+)(?:\+(\d+))?$/.exec(period) ?? [];
    return { moves: moves ? Number(moves) : null, base: Number(base ?? 0), increment: Number(increment ?? 0) };
  });
}

/** Returns the seconds that are added with each move in the first period. */
export const incrementOf = (event) => periodsOf(event.time_control)[0]?.increment ?? 0;

/** Returns the moves up to which the first period lasts; null if it lasts to the end of the game. */
export const controlOf = (event) => periodsOf(event.time_control)[0]?.moves ?? null;

/** Seconds below which a clock is low: with an increment, and without. */
const LOW_INCREMENT_S = 30;
const LOW_S = 60;

/** Seconds below which nobody has to write, unless each move adds 30 s or more (Art. 8.4). */
export const WRITING_S = 300;
const FULL_INCREMENT_S = 30;

/** Returns the seconds below which a clock is low. */
export const lowLimit = (hall) => (incrementOf(hall.event) > 0 ? LOW_INCREMENT_S : LOW_S);

/** Returns whether moves have to be written down in this event, and whether little time frees from it. */
export const hasToWrite = (event) => event.control === "standard";
export const freesFromWriting = (event) => hasToWrite(event) && incrementOf(event) < FULL_INCREMENT_S;

/** Returns the seconds below which the page of time trouble shows a table when both players have less. */
export const troubleLimit = (event) => (hasToWrite(event) ? WRITING_S : LOW_S);
