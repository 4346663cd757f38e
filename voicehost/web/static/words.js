// From a state to the few words that every page shows.

import { has, t } from "./dom.js";

const SPEAKING = new Set(["speech", "nominate-only", "shootout-speech", "last-word"]);
const NIGHT = new Set(["contract", "meeting-don", "meeting-sheriff", "free-seating", "hunt", "don-check", "sheriff-check"]);

export const speaking = (state) => SPEAKING.has(state.step);
export const nightly = (state) => NIGHT.has(state.step) || state.dark;

export function phase(state) {
  if (state.step === "lobby" || state.step === "deal" || state.step === "over") return t(state.step);
  if (state.dark) return state.night > 0 ? t("night", { number: state.night }) : t("night-zero");
  return t("day", { number: state.day });
}

export function nameOf(state, seat) {
  return state.seats[seat - 1]?.name ?? "";
}

/** Three short lines for the centre of the table. */
export function centre(state) {
  const { step, seat } = state;
  if (step === "over") return over(state);
  if (state.paused) return { over: has(step) ? t(step, { seat: state.candidate }) : "", main: t("paused"), under: who(state, seat) };
  if (speaking(state)) return { over: t(step), main: String(seat), under: nameOf(state, seat) };
  if (step === "vote") {
    const who = state.candidate;
    return who ? { over: t("vote", { seat: "" }).replace(" ?", "?"), main: String(who), under: nameOf(state, who) } : { over: t("votes"), main: "", under: "" };
  }
  if (step === "lift") return { over: t("lift"), main: state.tied.join(" · "), under: "" };
  if (step === "deal") return seat ? { over: t("deal"), main: String(seat), under: nameOf(state, seat) } : { over: "", main: t("deal"), under: "" };
  if (step === "hunt") return { over: t("hunt"), main: state.called ? String(state.called) : "", under: "" };
  if (step === "best-move") return { over: t("best-move"), main: state.best_move.length ? state.best_move.join(" ") : String(seat ?? ""), under: "" };
  if (step === "lobby") return { over: state.title, main: t("app"), under: state.mode === "home" ? "" : t("lobby") };
  return { over: state.dark ? t("asleep") : "", main: "", under: has(step) ? t(step) : "" };
}

function over(state) {
  const result = state.result;
  return { over: t("over"), main: "", under: result ? t(`win-${result.winner}`) : "" };
}

function who(state, seat) {
  return seat ? `${seat} ${nameOf(state, seat)}`.trim() : "";
}

/** Seconds as people read them: 47, or 1:05. */
export function digits(ms) {
  const seconds = Math.ceil(ms / 1000 - 0.05);
  return seconds < 100 ? String(Math.max(0, seconds)) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
