// Pads for facts: hands, the shot, checks, the best move, removals. What is typed here at night is not said aloud.

import { h, t } from "./dom.js";
import { nameOf } from "./words.js";

let best = [];

export function pad(seats, now, onPick, chosen = []) {
  return h(
    "div",
    { class: "pad" },
    ...seats.map((seat) =>
      h(
        "button",
        { class: `pad-key${chosen.includes(seat) ? " is-now" : ""}`, "data-focus": `p${seat}`, "aria-pressed": chosen.length ? String(chosen.includes(seat)) : null, "aria-label": `${t("seat", { seat })} ${nameOf(now, seat)}`.trim(), onclick: () => onPick(seat) },
        h("b", {}, String(seat)),
        h("small", {}, nameOf(now, seat)),
      ),
    ),
  );
}

/** The pad of the present step: its key, and how to make it. */
export function pads(now, give) {
  const legal = now.legal;
  if (!("best-move" in legal)) best = [];
  const parts = [];
  const aloud = now.mode === "hosted" || now.house.votes_by === "voice";
  if ("votes" in legal && aloud) parts.push(() => votes(now, give));
  if ("shot" in legal) parts.push(() => shot(now, give));
  if ("don-check" in legal) parts.push(() => check("don-check", "don-checks", now, give));
  if ("sheriff-check" in legal) parts.push(() => check("sheriff-check", "sheriff-checks", now, give));
  if ("best-move" in legal && now.mode === "hosted") parts.push(() => bestMove(now, give));
  const names = ["votes", "shot", "don-check", "sheriff-check", "best-move"].filter((name) => name in legal);
  const key = JSON.stringify([names.map((name) => [name, legal[name]]), aloud, now.candidate, now.hit, now.settled, best, now.seats.map((s) => s.name)]);
  return { key, make: () => parts.map((part) => part()) };
}

function votes(now, give) {
  const counts = now.legal.votes.counts;
  return h(
    "div",
    { class: "block", "data-command": "votes" },
    h("h2", {}, now.step === "lift" ? t("lift-pad") : t("votes-pad", { seat: now.candidate ?? "" })),
    h("div", { class: "pad" }, ...counts.map((count) => h("button", { class: "pad-key", "data-focus": `c${count}`, onclick: () => give("votes", { count }) }, h("b", {}, String(count))))),
  );
}

function shot(now, give) {
  const told = now.hit ? t("shot-told", { seat: now.hit }) : now.settled ? t("shot-none") : t("shot-pending");
  return h(
    "div",
    { class: "block", "data-command": "shot" },
    h("h2", {}, t("shot")),
    h("p", { class: "hint" }, `${told}. ${t("silent-night")}`),
    pad(now.legal.shot.seats, now, (seat) => give("shot", { seat })),
    h("button", { class: "wide", "data-focus": "miss", onclick: () => give("shot", { seat: null }) }, t("miss")),
  );
}

function check(command, title, now, give) {
  return h("div", { class: "block", "data-command": command }, h("h2", {}, t(title)), h("p", { class: "hint" }, t("silent-night")), pad(now.legal[command].seats, now, (seat) => give(command, { seat })));
}

function bestMove(now, give) {
  const pick = (seat) => {
    best = best.includes(seat) ? best.filter((other) => other !== seat) : [...best, seat].slice(-3);
    const fresh = bestMove(now, give);
    document.querySelector("[data-block=best]")?.replaceWith(fresh);
  };
  return h(
    "div",
    { class: "block", "data-block": "best", "data-command": "best-move" },
    h("h2", {}, t("best-move-pad")),
    pad(now.legal["best-move"].seats, now, pick, best),
    h("button", { class: "primary wide", "data-focus": "send", disabled: best.length !== 3, onclick: () => give("best-move", { seats: best }) }, t("send")),
  );
}

/** Removals, team defeat, the outcome, the end: what is rarely wanted and asked twice. */
export function dangerPads(now, give) {
  const legal = now.legal;
  const names = ["remove-player", "team-defeat", "declare-winner", "end-game"].filter((name) => name in legal);
  const key = JSON.stringify([names.map((name) => [name, legal[name].seats]), now.seats.map((s) => s.name)]);
  const make = () =>
    names.map((name) => {
      if (name === "end-game") return h("button", { class: "danger wide", "data-focus": name, "data-command": name, onclick: () => sure(t(name)) && give(name) }, t(name));
      if (name === "declare-winner") {
        const ends = ["city", "mafia", "draw"].map((winner) => h("button", { "data-focus": winner, onclick: () => sure(t(`win-${winner}`)) && give(name, { winner }) }, t(`win-${winner}`)));
        return h("div", { class: "block", "data-command": name }, h("h2", {}, t("declare")), h("div", { class: "modes" }, ...ends));
      }
      return h("div", { class: "block", "data-command": name }, h("h2", {}, t(name)), pad(legal[name].seats, now, (seat) => give(name, { seat })));
    });
  return { key, make };
}

function sure(what) {
  return confirm(t("confirm-question", { what }));
}
