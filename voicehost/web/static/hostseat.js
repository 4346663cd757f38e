// The one pad of the remote: what a tap on a number means is chosen above it. Nothing here ever changes its place,
// whatever the step: what may not be said now stays where it is and does nothing.

import { h, renew, say, t } from "./dom.js";

const STEPS = ["votes", "shot", "don-check", "sheriff-check", "best-move", "nominate"];
const MISTAKES = ["foul", "remove-foul", "technical-foul"];
const ACROSS = 5;

let mode = "";
let chosenIn = ""; // the turn for which it was chosen: a new speaker begins with nominations again
let best = [];

/** What only this step asks for; hands that phones give and a best move that a phone names are not for this pad. */
function stepOf(now) {
  const aloud = now.mode === "hosted" || now.house.votes_by === "voice";
  const mine = { votes: aloud, "best-move": now.mode === "hosted" };
  return STEPS.find((name) => name in now.legal && (mine[name] ?? true)) ?? "";
}

export function drawSeatPad(now, { area, note, give }) {
  const step = stepOf(now);
  const modes = [step, "withdraw", ...MISTAKES].filter((name) => name && name in now.legal);
  const turn = `${now.step} ${now.seat} ${now.candidate}`;
  if (turn !== chosenIn || !modes.includes(mode)) mode = modes[0] ?? "";
  if (turn !== chosenIn) best = [];
  chosenIn = turn;
  say(note, noteOf(now));
  const again = () => drawSeatPad(now, { area, note, give });
  const choose = (name) => {
    mode = name;
    again();
  };
  const key = JSON.stringify([modes, mode, mode && now.legal[mode], now.legal.shot, best, now.seats, now.nominees, now.seat, now.candidate, now.step === "lobby"]);
  renew(area, key, () => {
    const parts = [now.step === "lobby" ? null : choices(now, step, { choose, give })];
    parts.push(mode === "votes" ? hands(now, give) : seats(now, again, give));
    return parts;
  });
}

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

function choices(now, step, { choose, give }) {
  const choice = (name, wide = "") => {
    const may = name in now.legal;
    return h("button", { class: wide, disabled: !may, "aria-pressed": may ? String(name === mode) : null, "data-focus": `mode-${name}`, "data-command": may ? name : null, onclick: () => choose(name) }, title(now, name));
  };
  const beside = { shot: () => miss(give), "best-move": () => send(give) }[step] ?? (() => choice("withdraw"));
  return h("div", { class: "choices", role: "group", "aria-label": t("who-pad") }, choice(step || "nominate", "two"), beside(), ...MISTAKES.map((name) => choice(name)));
}

function miss(give) {
  return h("button", { "data-focus": "miss", "data-command": "shot", onclick: (event) => give("shot", { seat: null }, event) }, t("miss"));
}

function send(give) {
  return h("button", { class: "strong", "data-focus": "send", disabled: best.length !== 3, onclick: (event) => give("best-move", { seats: best }, event) }, t("send"));
}

function grid(now, across, keys, label) {
  const box = h("div", { class: "pad", role: "group", "aria-label": label }, ...keys);
  box.style.setProperty("--rows", String(rows(now)));
  box.style.setProperty("--across", String(across));
  return box;
}

const rows = (now) => Math.ceil(now.seats.length / ACROSS);

function hands(now, give) {
  const counts = now.legal.votes.counts;
  const across = Math.max(ACROSS, Math.ceil((now.seats.length + 1) / rows(now)));
  const keys = counts.map((count) => h("button", { class: "pad-key", "data-focus": `c${count}`, onclick: (event) => give("votes", { count }, event) }, h("b", {}, String(count))));
  return grid(now, across, keys, title(now, "votes"));
}

function seats(now, again, give) {
  const allowed = new Set(mode ? now.legal[mode].seats : []);
  const tap = (seat, event) => {
    if (mode === "best-move") {
      best = best.includes(seat) ? best.filter((other) => other !== seat) : [...best, seat].slice(-3);
      again();
    } else give(mode, mode === "foul" ? { seat, count: 1 } : { seat }, event);
  };
  const keys = now.seats.map((seat) => seatKey(now, seat, allowed, tap));
  return grid(now, ACROSS, keys, mode ? title(now, mode) : t("table"));
}

function seatKey(now, seat, allowed, tap) {
  const order = now.nominees.indexOf(seat.seat) + 1;
  const named = mode === "best-move";
  const label = [t("seat", { seat: seat.seat }), seat.name, seat.fouls ? t("fouls", { count: seat.fouls }) : "", seat.alive ? "" : t("out"), order ? t("nominated", { order }) : ""];
  const flags = { out: !seat.alive, nominee: order > 0, now: named ? best.includes(seat.seat) : now.seat === seat.seat };
  return h(
    "button",
    {
      class: ["pad-key", ...Object.keys(flags).filter((name) => flags[name]).map((name) => `is-${name}`)].join(" "),
      disabled: !allowed.has(seat.seat),
      "aria-pressed": named ? String(best.includes(seat.seat)) : null,
      "data-focus": `s${seat.seat}`,
      "aria-label": label.filter(Boolean).join(", "),
      onclick: (event) => tap(seat.seat, event),
    },
    h("b", {}, String(seat.seat)),
    h("small", {}, seat.name),
    h("span", { class: "fouls", "aria-hidden": "true" }, "●".repeat(seat.fouls)),
  );
}
