// The table over a video picture: one bar, one strip of seats, nothing behind them.

import { byId, say } from "./dom.js";
import { everyFrame, follow, left } from "./live.js";
import { drawSeats } from "./ring.js";
import { centre, digits, nightly, phase } from "./words.js";

let state = null;

function draw(now) {
  state = now;
  document.body.classList.toggle("is-night", nightly(now));
  say(byId("phase"), phase(now));
  const words = centre(now);
  say(byId("main"), [words.over, words.main, words.under].filter(Boolean).join("  "));
  const cast = new Map(now.votes.map((vote) => [vote.candidate, vote.count]));
  const seats = now.votes.length ? [...new Set([...cast.keys(), ...now.nominees])] : now.nominees;
  say(byId("ballot"), now.dark || now.step === "over" ? "" : seats.map((seat) => (cast.has(seat) ? `${seat}:\u00a0${cast.get(seat)}` : seat)).join(" "));
  drawSeats(byId("ring"), now);
  tick();
}

function tick() {
  const ms = state && !(state.step === "hunt" && state.mode === "home") ? left(state.timer) : null;
  say(byId("digits"), ms === null || state.step === "over" ? "" : digits(ms));
  document.body.classList.toggle("is-last", ms !== null && ms <= 10000);
}

follow("/stream/table", draw);
everyFrame(tick);
