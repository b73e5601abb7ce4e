// Keeps the pages of the desk on the device, so that they open while the daemon is down and say so.
//
// What the daemon answers always comes first; nothing of a game is kept. Browsers allow this on the machine of the
// daemon and over https only.

const KEPT = "desk";

const SHELL = [
  "/", "/desk/icon.svg", "/desk/manifest.webmanifest", "/desk/articles.json", "/desk/tokens.css", "/desk/desk.css", "/desk/pages.css", "/desk/sizes.css", "/desk/alarm.js", "/desk/alert-view.js",
  "/desk/alerts.js", "/desk/api.js", "/desk/arbiters.js", "/desk/attention.js", "/desk/board-orders.js", "/desk/board-svg.js",
  "/desk/board-view.js", "/desk/broadcast-view.js", "/desk/card.js", "/desk/components-view.js", "/desk/decided.js", "/desk/desk.js", "/desk/dom.js",
  "/desk/equipment-view.js", "/desk/evidence.js", "/desk/hall-view.js", "/desk/hall.js", "/desk/icons.js", "/desk/more-view.js",
  "/desk/order-words.js", "/desk/orders.js", "/desk/pages.js", "/desk/pairings-part.js", "/desk/parts.js", "/desk/position-editor.js", "/desk/push.js", "/desk/queue.js",
  "/desk/refusals.js", "/desk/replay-strip.js", "/desk/report-view.js", "/desk/results-part.js", "/desk/room.js",
  "/desk/round-view.js", "/desk/setup-part.js", "/desk/sheet-view.js", "/desk/signals.js", "/desk/steps.js", "/desk/tables-view.js",
  "/desk/tile.js", "/desk/time-control.js", "/desk/toast.js", "/desk/watch-view.js", "/desk/words.js",
];

/** Where the words are, of which only those of the device's own language are kept. */
const WORDS = "/desk/words/";

self.addEventListener("install", (event) => event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(SHELL))));

/** Asks the daemon, and keeps the answer for when it cannot be asked. */
async function answer(request, name) {
  const kept = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await kept.put(name, response.clone());
    return response;
  } catch (error) {
    const known = await kept.match(name);
    if (known) return known;
    throw error;
  }
}

/** Leads to the page of a board as the daemon would. */
async function redirected(request, name) {
  return fetch(request).catch(() => Response.redirect(`/#/board/${name}`));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const board = /^\/(?:table|board)\/([\w-]+)$/.exec(pathname);
  if (board) event.respondWith(redirected(request, board[1]));
  else if (SHELL.includes(pathname) || pathname.startsWith(WORDS)) event.respondWith(answer(request, pathname));
});

/** Shows an alert while no page is open; browsers want something to be shown for every message. */
self.addEventListener("push", (event) => {
  const { title = "jadoube", text = "", alert = "", urgent = true } = event.data?.json() ?? {};
  const options = { body: text, tag: alert, icon: "/desk/icon-192.png", requireInteraction: urgent, data: { alert } };
  event.waitUntil(self.registration.showNotification(title, urgent ? { ...options, vibrate: [200, 100, 200, 100, 400] } : options));
});

/** Leads to the alert: in a page that is open, or in a new one. */
async function openAlert(alert) {
  const hash = alert && alert !== "test" ? `#/alert/${encodeURIComponent(alert)}` : "#/";
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return self.clients.openWindow(`/${hash}`);
  page.postMessage({ open: hash });
  return page.focus();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openAlert(event.notification.data?.alert));
});
