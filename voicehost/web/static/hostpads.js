// Pads that are rarely wanted: removals, the outcome, the end.

import { h, t } from "./dom.js";
import { nameOf } from "./words.js";

/** All seats in their places; those that may not be chosen now do nothing. */
export function pad(seats, now, onPick) {
  const allowed = new Set(seats);
  return h(
    "div",
    { class: "pad" },
    ...now.seats.map(({ seat }) =>
      h(
        "button",
        { class: "pad-key", disabled: !allowed.has(seat), "data-focus": `p${seat}`, "aria-label": `${t("seat", { seat })} ${nameOf(now, seat)}`.trim(), onclick: () => onPick(seat) },
        h("b", {}, String(seat)),
        h("small", {}, nameOf(now, seat)),
      ),
    ),
  );
}

/** Removals, team defeat, the outcome, the end: what is rarely wanted and asked twice. */
export function dangerPads(now, give) {
  const legal = now.legal;
  const names = ["remove-player", "team-defeat", "declare-winner", "end-game"];
  const key = JSON.stringify([names.map((name) => [name in legal, legal[name]?.seats]), now.seats.map((s) => s.name)]);
  const make = () =>
    names.map((name) => {
      const marks = { "data-focus": name, "data-command": name in legal ? name : null };
      if (name === "end-game") return h("button", { class: "danger wide", disabled: !(name in legal), ...marks, onclick: () => sure(t(name)) && give(name) }, t(name));
      const block = (...inside) => h("div", { class: "block", ...marks }, ...inside);
      if (name === "declare-winner") {
        const ends = ["city", "mafia", "draw"].map((winner) => h("button", { disabled: !(name in legal), "data-focus": winner, onclick: () => sure(t(`win-${winner}`)) && give(name, { winner }) }, t(`win-${winner}`)));
        return block(h("h2", {}, t("declare")), h("div", { class: "modes" }, ...ends));
      }
      return block(h("h2", {}, t(name)), pad(legal[name]?.seats ?? [], now, (seat) => give(name, { seat })));
    });
  return { key, make };
}

function sure(what) {
  return confirm(t("confirm-question", { what }));
}
