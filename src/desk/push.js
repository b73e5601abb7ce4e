// Notifications while this device is locked: the browser's own push service, switched on and off for each device.

import { arbiter, read, send } from "./api.js";
import { h, setText } from "./dom.js";
import { reasonText } from "./refusals.js";
import { t } from "./words.js";

const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

const sameKey = (key, bytes) => key && new Uint8Array(key).every((byte, index) => byte === bytes[index]);

/** Subscribes this device; the daemon learns where it can be reached. */
async function switchOn(worker, soon) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(t("pushForbidden"));
  const key = bytesOf((await read("/api/push")).key);
  let known = await worker.pushManager.getSubscription();
  // The daemon has another key than it had: nothing would arrive.
  if (known && !sameKey(known.options.applicationServerKey, key)) {
    await known.unsubscribe();
    known = null;
  }
  const subscription = known ?? await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await send("POST", "/api/push", { endpoint, keys, soon });
}

async function switchOff(worker) {
  const subscription = await worker.pushManager.getSubscription();
  if (!subscription) return;
  await send("DELETE", "/api/push", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

/** What to switch, where the browser can be pushed to; null elsewhere. */
export function pushForm(settings) {
  if (!arbiter.session?.until || !navigator.serviceWorker || !globalThis.PushManager || !globalThis.Notification) return null;
  const line = h("p", { class: "outcome", id: "push-outcome", role: "status" });
  const box = h("input", { type: "checkbox", id: "push" });
  box.onchange = async () => {
    line.className = "outcome";
    setText(line, "");
    box.disabled = true;
    const wanted = box.checked;
    try {
      const worker = await navigator.serviceWorker.ready;
      await (wanted ? switchOn(worker, Boolean(settings.soon)) : switchOff(worker));
      line.classList.add("done");
      setText(line, t(wanted ? "pushOn" : "pushOff"));
    } catch (error) {
      box.checked = !wanted;
      line.classList.add("refused");
      setText(line, t("orderRefused", { reason: reasonText(error.message) }));
    }
    box.disabled = false;
  };
  navigator.serviceWorker.ready.then((worker) => worker.pushManager.getSubscription()).then((known) => {
    box.checked = Boolean(known) && Notification.permission === "granted";
  }, () => {});
  return h("section", { class: "panel", id: "push-panel" }, h("h2", { text: t("pushTitle") }), h("p", { class: "hint", text: t("pushText") }),
    h("label", { class: "inline" }, box, h("span", { text: t("pushSwitch") })), line);
}
