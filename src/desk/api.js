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
  /** Who has signed in, as the daemon says; null without a right token. */
  session: null,
  /** Whether this device may give orders. */
  get mayOrder() {
    return Boolean(this.token || (this.session && this.session.role !== "screen"));
  },
  get isChief() {
    return this.session?.role === "chief";
  },
  /** Signs in with an own token: the browser gets a cookie, and keeps the token itself nowhere. */
  async join(token) {
    this.set({ token: "", name: "", keep: false });
    this.session = await send("POST", "/api/session", { token });
  },
  /** Asks the daemon who has signed in; throws unless somebody has. */
  async ask() {
    this.session = await read("/api/session").catch((error) => {
      this.session = null;
      throw error;
    });
    return this.session;
  },
  async leave() {
    this.session = null;
    await send("DELETE", "/api/session");
  },
};

/** Whether a text has the form of an arbiter's own token, or of the code of a link (`x`), which signs in once. */
export const isOwnToken = (text) => /^[0-9a-f]{8}-x?[0-9a-f]{32}$/.test(text);

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

/** Returns what is wrong with the service, or does less than it should; the line about the round is neither. */
export async function troubles() {
  const text = await fetch("/healthz", { headers: headers(), cache: "no-store" }).then((response) => response.text(), () => "");
  return text.split("\n").filter((line) => line && line !== "ok" && !/^round \d+: /.test(line)).map((line) => line.replace(/^degraded: /, ""));
}

/** Reads a resource. */
export async function read(path) {
  return answer(await fetch(path, { headers: headers(), cache: "no-cache", signal: AbortSignal.timeout(10_000) }));
}

/** Sends something to change; throws [`Refused`] with the reason. */
export async function send(method, path, body) {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const request = { method, headers: { ...headers(), "Content-Type": "application/json" }, signal: AbortSignal.timeout(10_000), ...content };
  return answer(await fetch(path, request));
}

/** Sends the content of a file; throws [`Refused`] with the reason. */
export async function upload(path, file) {
  const request = { method: "POST", headers: { ...headers(), "Content-Type": "application/octet-stream" }, body: await file.arrayBuffer(), signal: AbortSignal.timeout(30_000) };
  return answer(await fetch(path, request));
}

/** Gives an order to a board; throws [`Refused`] with the reason. */
export async function order(board, body) {
  return send("POST", `/api/boards/${encodeURIComponent(board)}/orders`, body);
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

/** Reads the messages of an event stream: signs of life have neither name nor data. */
async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let message = { name: "", data: "" };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith("event: ")) message.name = line.slice(7);
      else if (line.startsWith("data: ")) message.data += line.slice(6);
      else if (line === "") {
        yield message;
        message = { name: "", data: "" };
      }
    }
  }
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
export function follow({ after, board, attention, reset, connected }) {
  let stop = new AbortController();
  let streaming = false;
  let heard = Date.now();
  const open = async () => {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    streaming = false;
    try {
      // An EventSource cannot send the token.
      const response = await fetch(`/api/events?hall=true&attention=true&after=${after()}`, { headers: { ...headers(), Accept: "text/event-stream" }, cache: "no-store", signal });
      if (!response.ok) throw new Refused(response.status, response.statusText);
      streaming = true;
      heard = Date.now();
      connected(true);
      for await (const { name, data } of messages(response.body)) {
        if (signal.aborted) return;
        heard = Date.now();
        if (name === "reset") reset();
        else if (name === "attention") attention(JSON.parse(data));
        else if (name === "board") board(JSON.parse(data));
      }
    } catch (error) {
      // The token was right before: whoever is in charge of the page asks for another one.
      if (error instanceof Refused && [401, 403].includes(error.status)) reset();
    }
    if (signal.aborted) return;
    streaming = false;
    connected(false);
    setTimeout(() => signal.aborted || open(), RETRY_MS);
  };
  // A connection that died without a word, as when a phone slept or the radio was gone, looks like a quiet hall.
  const probe = async () => {
    if (!streaming || Date.now() - heard < SILENCE_MS) return;
    try {
      await read("/api/session");
      heard = Date.now();
      if (streaming) open();
    } catch (error) {
      if (!(error instanceof Refused)) connected(false);
      open();
    }
  };
  open();
  setInterval(probe, SILENCE_MS / 2);
  document.addEventListener("visibilitychange", () => document.hidden || probe());
}

/** Hears the events of some kinds as they happen, until the function that it returns is called; what was missed meanwhile is not sent. */
export function listen(kinds, heard, connected) {
  const stop = new AbortController();
  const { signal } = stop;
  const open = async () => {
    try {
      const response = await fetch(`/api/events?events=${kinds}`, { headers: { ...headers(), Accept: "text/event-stream" }, cache: "no-store", signal });
      if (!response.ok) throw new Refused(response.status, response.statusText);
      connected(true);
      for await (const { name, data } of messages(response.body)) {
        if (data && name === "") heard(JSON.parse(data));
      }
    } catch {
      // The daemon may be away; it is tried again.
    }
    if (signal.aborted) return;
    connected(false);
    setTimeout(() => signal.aborted || open(), RETRY_MS);
  };
  open();
  return () => stop.abort();
}
