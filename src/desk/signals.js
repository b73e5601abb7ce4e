// What a device does about a new alert: sound and vibration by urgency, speech, and a screen that stays on.

import { codeName, spoken, t } from "./words.js";
import { tableName } from "./parts.js";

/** Milliseconds between two signals: many alerts at once are one. */
const PAUSE_MS = 3000;

/** By urgency: tones as pairs of frequency and beginning, seconds, and the pattern of the vibration, milliseconds. */
const PATTERNS = {
  2: { tones: [[660, 0], [880, 0.2], [660, 0.4]], vibration: [200, 100, 200, 100, 400] },
  1: { tones: [[520, 0]], vibration: [150] },
};

const TONE_S = 0.35;

/** The signals of this device; `settings` say which are wanted. */
export class Signals {
  constructor(settings) {
    Object.assign(this, { settings, audio: null, last: 0, lock: null });
    addEventListener("pointerdown", () => this.#allowSound());
    // The system gives the lock back whenever the page is hidden.
    document.addEventListener("visibilitychange", () => this.keepAwake());
  }

  /** Signals an alert; those that are to be looked at soon only where that is wished. */
  alert(board, alert, urgency) {
    const { settings } = this;
    if (urgency < 1 || (urgency === 1 && !settings.soon)) return;
    const now = Date.now();
    if (now - this.last < PAUSE_MS) return;
    this.last = now;
    if (settings.sound) this.play(urgency);
    if (settings.vibration) navigator.vibrate?.(PATTERNS[urgency].vibration);
    if (settings.speech) this.say(`${tableName(board)}, ${codeName(alert.code)}`);
  }

  /** Plays the tones of an urgency. */
  play(urgency) {
    this.#allowSound();
    this.audio ??= new AudioContext();
    for (const [frequency, begin] of PATTERNS[urgency].tones) this.#tone(frequency, this.audio.currentTime + begin);
  }

  /** Says a text with a voice of the browser; no text leaves the device for it if a local voice is there. */
  say(text) {
    if (!globalThis.speechSynthesis) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = spoken();
    words.voice = speechSynthesis.getVoices().find((voice) => voice.localService && voice.lang.startsWith(words.lang)) ?? null;
    speechSynthesis.speak(words);
  }

  /** Shows what was switched on. */
  preview(changes) {
    if (changes.sound) this.play(2);
    if (changes.vibration) navigator.vibrate?.(100);
    if (changes.speech) this.say(t("speechOn"));
    if ("awake" in changes) this.keepAwake();
  }

  /** Keeps the screen on while that is wished and the page is shown; browsers allow it over https only. */
  async keepAwake() {
    const { settings } = this;
    if (!settings.awake || document.hidden) {
      await this.lock?.release().catch(() => {});
      this.lock = null;
    } else if (!this.lock || this.lock.released) {
      this.lock = await navigator.wakeLock?.request("screen").catch(() => null);
    }
    document.documentElement.toggleAttribute("data-awake", Boolean(this.lock && !this.lock.released));
  }

  /** Lets the browser play sounds, which it does only after the page was touched once. */
  #allowSound() {
    if (!this.settings.sound) return;
    this.audio ??= new AudioContext();
    if (this.audio.state === "suspended") this.audio.resume();
  }

  #tone(frequency, begin) {
    const tone = this.audio.createOscillator();
    const volume = this.audio.createGain();
    volume.gain.setValueAtTime(0.15, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + TONE_S);
    tone.frequency.value = frequency;
    tone.connect(volume).connect(this.audio.destination);
    tone.start(begin);
    tone.stop(begin + TONE_S);
  }
}
