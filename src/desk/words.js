// The words of the desk: those of the catalogue in the language of the page, and how pieces, moves and times are written with them.

/** The languages of the desk, each by its own name. */
export const LANGUAGES = [["en", "English"], ["de", "Deutsch"], ["fr", "Français"], ["es", "Español"], ["it", "Italiano"]];

let language = "en";
let catalogue = { words: {}, codes: {}, refusals: [] };

/** What has been read or is being read, by language. */
const read = new Map();

/** The language that was chosen last; another one may still be on its way. */
let chosen = "";

/** Returns where the words of a language are. */
const wordsPath = (name) => `/desk/words/${name}.json`;

/** Returns where it is said in the language of the desk what the articles say. */
export const articlesPath = () => `/desk/words/articles-${language}.json`;

/** Returns where the page of help is in the language of the desk. */
export const helpPath = () => `/desk/words/help-${language}.md`;

/** Returns where the files of the language of the desk are. */
export const wordFiles = () => [wordsPath(language), articlesPath(), helpPath()];

async function load(name) {
  const answer = await fetch(wordsPath(name));
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** Chooses the language of the desk; returns whether its words are there. */
export async function speak(name) {
  const wanted = LANGUAGES.some(([known]) => known === name) ? name : "en";
  chosen = wanted;
  if (!read.has(wanted)) read.set(wanted, load(wanted));
  try {
    const words = await read.get(wanted);
    if (chosen !== wanted) return true;
    catalogue = words;
    language = wanted;
  } catch {
    read.delete(wanted);
    return false;
  }
  document.documentElement.lang = language;
  localStorage.setItem("language", language);
  return true;
}

/** Returns the language in which the daemon words alerts. */
export const eventLanguage = (hall) => hall.event.language ?? "en";

/** Returns the language of the desk. */
export const spoken = () => language;

const fill = (phrase, values) => phrase.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

/** Returns a phrase, its names in braces replaced. */
export const t = (key, values = {}) => fill(catalogue.words[key] ?? key, values);

/** Returns what an alert is called. */
export const codeName = (code) => catalogue.codes[code] ?? code;

/** Says what has happened in one line; `name` is whom it is about. */
export const codeTitle = (code, name) => fill(catalogue.codes[`${code}.title`] ?? codeName(code), { name });

/** Returns the sentences of the daemon's refusals, each with what it is in the language of the desk; in English none. */
export const refusals = () => catalogue.refusals;

/** Names a piece by its FEN letter. */
export const pieceName = (letter) => t(letter);

/** Names a side or both. */
export const sideName = (side) => (["white", "black", "both"].includes(side) ? t(side) : "");

/** Returns the other player's side. */
export const otherSide = (side) => (side === "white" ? "black" : "white");

/** Writes a result with its own signs: ½–½, 1–0. */
export function scoreText(result) {
  const text = result ?? "";
  // Of `-/+` the slash parts the players.
  if (text.includes("/") && !text.includes("1/2")) return text.replaceAll("-", "−");
  return text.replaceAll("1/2", "½").replace("-", "–");
}

/** Phrases of results that no move leads to. */
const RESULTS = { "+/-": "resBlackAway", "-/+": "resWhiteAway", "-/-": "resNobodyCame", "0-0": "resBothLose", "1/2-0": "resBlackLoses", "0-1/2": "resWhiteLoses" };

/** Says what a result means that no move leads to. */
export const resultWords = (result) => t(RESULTS[result] ?? "result");

/** Writes a span: `58 s`, or `1:00` from a minute on. */
export const spanText = (seconds) => (seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);

/** Writes a move with the letters of the language. */
export function sanText(san) {
  const letters = t("letters");
  return (san ?? "").replace(/[KQRBN]/g, (letter) => letters["KQRBN".indexOf(letter)]);
}

/** Writes an instant as the time of day. */
export function timeText(at) {
  return at ? new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }) : "";
}

/** Writes an instant as day and time of day. */
export function dayText(at) {
  const locale = language === "en" ? "en-GB" : language;
  return `${new Date(at).toLocaleDateString(locale, { day: "2-digit", month: "2-digit", year: "numeric" })}, ${timeText(at)}`;
}
