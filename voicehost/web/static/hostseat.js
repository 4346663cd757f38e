// The one pad of the remote: what a tap on a number means is chosen above it. Nothing here ever changes its place,
// whatever the step: what may not be said now stays where it is and does nothing.

import { h, renew, say, t } from "./dom.js";

const STEPS = ["votes", "shot", "don-check", "sheriff-check", "best-move", "nominate"];
const MISTAKES = ["foul", "remove-foul", "technical-foul"];
const ACROSS = 5;

let mode = "";
let chosenIn = ""; // the turn for which it was chosen: a new speaker begins with nominations again
let best = [];
let latest = null;

/** What only this step asks for; hands that phones give and a best move that a phone names are not for this pad. */
function stepOf(now) {
  const aloud = now.mode === "hosted" || now.house.votes_by === "voice";
  const mine = { votes: aloud, "best-move": now.mode === "hosted" };
  return STEPS.find((name) => name in now.legal && (mine[name] ?? true)) ?? "";
}

export function drawSeatPad(now, { area, note, give }) {
  latest = { now, area, note, give };
  const step = stepOf(now);
  const modes = [step, "withdraw", ...MISTAKES].filter((name) => name && name in now.legal);
  const turn = `${now.step} ${now.seat} ${now.candidate}`;
  if (turn !== chosenIn || !modes.includes(mode)) mode = modes[0] ?? "";
  if (turn !== chosenIn) best = [];
  chosenIn = turn;
  say(note, noteOf(now));
  renew(area, "made", () => [h("div", { class: "choices", role: "group", "aria-label": t("who-pad") }), h("div", { class: "pad", role: "group" })]);
  const [choices, pad] = area.children;
  choices.hidden = now.step === "lobby";
  renew(choices, JSON.stringify([step, modes, mode, now.candidate, best.length]), () => choose(now, step));
  pad.setAttribute("aria-label", mode ? title(now, mode) : t("table"));
  pad.style.setProperty("--rows", String(rows(now)));
  if (mode === "votes") drawHands(pad, now);
  else drawNumbers(pad, now);
}

const again = () => drawSeatPad(latest.now, latest);

/** What is known of the night so far; it is entered without a word aloud. */
function noteOf(now) {
  if ("shot" in now.legal) {
    const told = now.hit ? t("shot-told", { seat: now.hit }) : now.settled ? t("shot-none") : t("shot-pending");
    return `${told}. ${t("silent-night")}`;
  }
  return "don-check" in now.legal || "sheriff-check" in now.legal ? t("silent-night") : "";
}

const titles = {
  votes: (now) => (now.step === "lift" ? t("lift-pad") : t("votes-pad", { seat: now.candidate ?? "" })),
  "don-check": () => t("don-checks"),
  "sheriff-check": () => t("sheriff-checks"),
  "best-move": () => t("best-move-pad"),
};

const title = (now, name) => titles[name]?.(now) ?? t(name);

function choose(now, step) {
  const choice = (name, wide = "") => {
    const may = name in now.legal;
    const pick = () => {
      mode = name;
      again();
    };
    return h("button", { class: wide, disabled: !may, "aria-pressed": may ? String(name === mode) : null, "data-focus": `mode-${name}`, "data-command": may ? name : null, onclick: pick }, title(now, name));
  };
  const beside = { shot: miss, "best-move": send }[step] ?? (() => choice("withdraw"));
  return [choice(step || "nominate", "two"), beside(), ...MISTAKES.map((name) => choice(name))];
}

function miss() {
  return h("button", { "data-focus": "miss", "data-command": "shot", onclick: (event) => latest.give("shot", { seat: null }, event) }, t("miss"));
}

function send() {
  return h("button", { class: "strong", "data-focus": "send", disabled: best.length !== 3, onclick: (event) => latest.give("best-move", { seats: best }, event) }, t("send"));
}

const rows = (now) => Math.ceil(now.seats.length / ACROSS);

function drawHands(pad, now) {
  const counts = now.legal.votes.counts;
  pad.style.setProperty("--across", String(Math.max(ACROSS, Math.ceil((now.seats.length + 1) / rows(now)))));
  renew(pad, `votes ${counts} ${now.candidate}`, () => counts.map((count) => h("button", { class: "pad-key", "data-focus": `c${count}`, onclick: (event) => latest.give("votes", { count }, event) }, h("b", {}, String(count)))));
}

/** The seats: made once, then only what changes is touched, so that a tap in between is not lost. */
function drawNumbers(pad, now) {
  pad.style.setProperty("--across", String(ACROSS));
  renew(pad, `seats ${now.seats.length}`, () => now.seats.map(({ seat }) => h("button", { "data-focus": `s${seat}`, onclick: (event) => tap(seat, event) }, h("b", {}, String(seat)), h("small"), h("span", { class: "fouls", "aria-hidden": "true" }))));
  const allowed = new Set(mode ? now.legal[mode].seats : []);
  now.seats.forEach((seat, index) => drawNumber(pad.children[index], seat, now, allowed.has(seat.seat)));
}

function tap(seat, event) {
  if (mode === "best-move") {
    best = best.includes(seat) ? best.filter((other) => other !== seat) : [...best, seat].slice(-3);
    again();
  } else latest.give(mode, mode === "foul" ? { seat, count: 1 } : { seat }, event);
}

function drawNumber(button, seat, now, may) {
  const order = now.nominees.indexOf(seat.seat) + 1;
  const named = mode === "best-move";
  const picked = named && best.includes(seat.seat);
  const key = JSON.stringify([seat, order, named, picked, may, now.seat === seat.seat]);
  if (button.dataset.key === key) return;
  button.dataset.key = key;
  const flags = { out: !seat.alive, nominee: order > 0, now: named ? picked : now.seat === seat.seat };
  button.className = ["pad-key", ...Object.keys(flags).filter((name) => flags[name]).map((name) => `is-${name}`)].join(" ");
  button.disabled = !may;
  if (named) button.setAttribute("aria-pressed", String(picked));
  else button.removeAttribute("aria-pressed");
  const label = [t("seat", { seat: seat.seat }), seat.name, seat.fouls ? t("fouls", { count: seat.fouls }) : "", seat.alive ? "" : t("out"), order ? t("nominated", { order }) : ""];
  button.setAttribute("aria-label", label.filter(Boolean).join(", "));
  say(button.querySelector("small"), seat.name);
  say(button.querySelector(".fouls"), "●".repeat(seat.fouls));
}
