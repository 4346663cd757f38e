// The seats around the table, or in a strip: made once, then only what changes is touched.

import { h, say, t } from "./dom.js";
import { speaking } from "./words.js";

function make(seat) {
  return h(
    "article",
    { class: "seat", role: "listitem", "data-seat": String(seat) },
    h("span", { class: "seat-disc" }, h("span", { class: "seat-number" }, String(seat)), h("span", { class: "badge", "aria-hidden": "true" }), h("span", { class: "hands", "aria-hidden": "true" })),
    h("span", { class: "seat-name" }),
    h("span", { class: "fouls", "aria-hidden": "true" }),
    h("span", { class: "seat-note" }),
  );
}

const WIDE = 2.05; // the ellipse's width to its height on a television

/** Return points at equal distances along the ellipse, the first at the top, clockwise as people sit. */
function points(count) {
  const steps = 720;
  const path = Array.from({ length: steps + 1 }, (_, i) => {
    const angle = (i / steps) * 2 * Math.PI - Math.PI / 2;
    return [Math.cos(angle), Math.sin(angle)];
  });
  const lengths = [0];
  for (let i = 1; i <= steps; i++) {
    const [dx, dy] = [(path[i][0] - path[i - 1][0]) * WIDE, path[i][1] - path[i - 1][1]];
    lengths.push(lengths[i - 1] + Math.hypot(dx, dy));
  }
  return Array.from({ length: count }, (_, seat) => path[lengths.findIndex((length) => length >= (lengths[steps] * (seat + 0.5)) / count)]);
}

export function drawSeats(ring, state) {
  if (ring.children.length !== state.seats.length) {
    ring.replaceChildren(...state.seats.map(({ seat }) => make(seat)));
    points(state.seats.length).forEach(([x, y], index) => {
      ring.children[index].style.setProperty("--x", x.toFixed(4));
      ring.children[index].style.setProperty("--y", y.toFixed(4));
    });
    ring.style.setProperty("--count", String(state.seats.length));
    ring.style.setProperty("--columns", String(Math.ceil(state.seats.length / (state.seats.length > 12 ? 2 : 1))));
  }
  state.seats.forEach((seat, index) => drawSeat(ring.children[index], seat, state));
}

function drawSeat(element, seat, state) {
  const order = state.nominees.indexOf(seat.seat) + 1;
  const role = state.result?.roles?.[String(seat.seat)];
  const acts = state.seat === seat.seat && (speaking(state) || state.step === "deal" || state.step === "best-move");
  const candidate = state.candidate === seat.seat || (state.step === "lift" && state.tied.includes(seat.seat));
  const hands = state.dark || state.step === "over" ? undefined : state.votes.find((vote) => vote.candidate === seat.seat)?.count;
  const note = role ? t(`role-${role}`) : seat.left ? t(`out-${seat.left.cause}`) : "";
  const named = seat.name || (state.step === "lobby" && state.mode === "home" ? t("empty-seat") : "");
  const flags = { out: !seat.alive, acts, candidate, nominee: order > 0, empty: !seat.name, called: state.called === seat.seat, awaited: state.step === "lobby" && state.mode === "home" && !state.house.joined.includes(seat.seat) };
  for (const [name, on] of Object.entries(flags)) element.classList.toggle(`is-${name}`, on);
  element.dataset.role = role ?? "";
  say(element.querySelector(".seat-name"), named);
  say(element.querySelector(".seat-note"), note);
  say(element.querySelector(".badge"), order > 0 && state.nominees.length ? String(order) : "");
  say(element.querySelector(".hands"), hands === undefined ? "" : String(hands));
  drawFouls(element.querySelector(".fouls"), seat.fouls, seat.technical);
  element.setAttribute("aria-label", spoken(seat, { order, acts, note, named, hands }));
}

function drawFouls(element, fouls, technical) {
  const key = `${fouls} ${technical}`;
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const dots = [];
  for (let i = 0; i < fouls; i++) dots.push(h("i", { class: `foul foul-${Math.min(fouls, 4)}` }));
  for (let i = 0; i < technical; i++) dots.push(h("i", { class: "foul foul-technical" }));
  element.replaceChildren(...dots);
}

function spoken(seat, { order, acts, note, named, hands }) {
  const parts = [t("seat", { seat: seat.seat }), named];
  if (acts) parts.push(t("speaks"));
  if (order) parts.push(t("nominated", { order }));
  if (hands !== undefined) parts.push(`${t("votes")}: ${hands}`);
  if (seat.fouls) parts.push(t("fouls", { count: seat.fouls }));
  if (seat.technical) parts.push(t("technical", { count: seat.technical }));
  if (!seat.alive) parts.push(t("out"));
  if (note) parts.push(note);
  return parts.filter(Boolean).join(", ");
}
