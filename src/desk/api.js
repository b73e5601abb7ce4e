// Talks to the daemon: reads, orders, and the stream of events that comes back by itself.

/** What the arbiter has signed in with; kept in the tab, or on the device if that is wished. */
export const arbiter = {
  get token() {
    return sessionStorage.getItem("token") ?? localStorage.getItem("token") ?? "";
  },
  get name() {
    return localStorage.getItem("arbiter") ?? "";
  },
  set({ token, name, keep }) {
    sessionStorage.removeItem("token");
    localStorage.removeItem("token");
    if (token) (keep ? localStorage : sessionStorage).setItem("token", token);
    localStorage.setItem("arbiter", name);
  },
};

/** An answer that is no success. */
export class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

function headers() {
  const { token, name } = arbiter;
  const signed = token ? { Authorization: `Bearer ${token}` } : {};
  return name ? { ...signed, "X-Arbiter": encodeURIComponent(name) } : signed;
}

async function answer(response) {
  const text = await response.text();
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Not every answer is JSON; the text itself says what is the matter.
  }
  if (!response.ok) throw new Refused(response.status, json?.error ?? json?.reason ?? (text || response.statusText));
  return json;
}

/** Reads a resource. */
export async function read(path) {
  return answer(await fetch(path, { headers: headers(), cache: "no-cache", signal: AbortSignal.timeout(10_000) }));
}

/** Gives an order to a board; throws [`Refused`] with the reason. */
export async function order(board, body) {
  const request = {
    method: "POST",
    headers: { ...headers(), "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  };
  return answer(await fetch(`/api/boards/${encodeURIComponent(board)}/orders`, request));
}

/** Downloads a file that needs the arbiter's token. */
export async function download(path, name) {
  const response = await fetch(path, { headers: headers() });
  if (!response.ok) return answer(response);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return null;
}

/** Milliseconds before a stream that was given up is tried again. */
const RETRY_MS = 1000;

/** Milliseconds of silence after which the daemon is asked whether it is there. */
const SILENCE_MS = 12_000;

/**
 * Follows the events for ever, from the one after `after()` on. After a lost connection it goes on where it was;
 * `reset` says that this was not possible and everything is to be read anew, `connected` whether the daemon can be
 * heard.
 */
export function follow({ after, event, reset, connected }) {
  let source = null;
  let heard = Date.now();
  const open = () => {
    source?.close();
    source = new EventSource(`/api/events?after=${after()}`);
    const opened = source;
    source.onopen = () => {
      heard = Date.now();
      connected(true);
    };
    source.onmessage = (message) => {
      heard = Date.now();
      event(JSON.parse(message.data));
    };
    source.addEventListener("reset", () => reset());
    source.onerror = () => {
      connected(false);
      // Browsers try again by themselves unless the answer was an error, as a proxy before the daemon gives it.
      if (opened.readyState === EventSource.CLOSED) setTimeout(() => opened === source && open(), RETRY_MS);
    };
  };
  // A connection that died without a word, as when a phone slept or the radio was gone, looks like a quiet hall.
  const probe = async () => {
    if (source.readyState !== EventSource.OPEN || Date.now() - heard < SILENCE_MS) return;
    try {
      await read("/api/session");
      heard = Date.now();
      if (source.readyState === EventSource.OPEN) open();
    } catch (error) {
      if (!(error instanceof Refused)) connected(false);
      open();
    }
  };
  open();
  setInterval(probe, SILENCE_MS / 2);
  document.addEventListener("visibilitychange", () => document.hidden || probe());
}
