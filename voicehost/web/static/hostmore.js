// What the host wants now and then: questions, roles told to the program, single shots, listening.

import { h, t } from "./dom.js";
import { pad } from "./hostpads.js";

const PLAIN = ["ask-time", "ask-nominees", "ask-alive", "ask-day", "ask-help", "listen", "stop-listening"];
const ROLES = ["don", "mafia", "sheriff", "city"];

let role = "don";
let shooter = null;

export function morePads(now, give) {
  const legal = now.legal;
  const names = [...PLAIN, "ask-fouls", "set-role", "shooter"].filter((name) => name in legal);
  if (!("shooter" in legal) || !legal.shooter.seats.includes(shooter)) shooter = null;
  const key = JSON.stringify([names, legal["set-role"], legal.shooter, now.seats.map((s) => s.name)]);
  const make = () => [
    h("div", { class: "modes" }, ...PLAIN.map((name) => h("button", { disabled: !(name in legal), "data-focus": name, "data-command": name in legal ? name : null, onclick: () => give(name) }, t(name)))),
    "ask-fouls" in legal && h("div", { class: "block", "data-command": "ask-fouls" }, h("h2", {}, t("ask-fouls")), pad(legal["ask-fouls"].seats, now, (seat) => give("ask-fouls", { seat }))),
    "set-role" in legal ? setRole(now, give) : null,
    "shooter" in legal ? shooterPad(now, give) : null,
  ];
  return { key, make };
}

function setRole(now, give) {
  const choose = (name) => {
    role = name;
    box.replaceWith(setRole(now, give));
  };
  const box = h(
    "div",
    { class: "block", "data-command": "set-role" },
    h("h2", {}, t("set-role")),
    h("div", { class: "modes" }, ...ROLES.map((name) => h("button", { "data-focus": `role-${name}`, "aria-pressed": String(name === role), onclick: () => choose(name) }, t(`role-${name}`)))),
    pad(now.legal["set-role"].seats, now, (seat) => give("set-role", { seat, role })),
  );
  return box;
}

function shooterPad(now, give) {
  const { seats, targets } = now.legal.shooter;
  const pick = async (seat) => {
    if (shooter === null) shooter = seat;
    else {
      await give("shooter", { shooter, target: seat });
      shooter = null;
    }
    box.replaceWith(shooterPad(now, give));
  };
  const title = shooter === null ? t("shooter") : t("shooter-target", { seat: shooter });
  const box = h("div", { class: "block", "data-command": "shooter" }, h("h2", {}, title), pad(shooter === null ? seats : targets, now, pick));
  return box;
}
