// What the device on the table does in a game that nobody hosts: the way in, lost phones, how hands are given.

import { byId, get, h, post, renew, say, t } from "./dom.js";

const asked = {};
let codes = null;
let latest = null;

export function drawHome(area, now) {
  if (now.mode !== "home") return;
  latest = now;
  if (codes === null) {
    codes = asked;
    get("/api/host/codes").then((found) => {
      codes = found ?? {};
      drawHome(area, latest);
    });
  }
  if (codes === asked) return; // drawn whole, so that nothing below jumps
  const key = JSON.stringify([now.house.votes_by, now.house.absent, now.house.joined, now.step === "lobby", codes]);
  area.classList.toggle("is-asleep", now.eyes === "shut"); // out of sight, in its place
  renew(area, key, () => [now.step === "lobby" ? joinBox() : null, votesBox(now), lostBox(now)]);
}

function joinBox() {
  if (!codes.key) return null;
  return h(
    "div",
    { class: "block" },
    h("h2", {}, t("join-code")),
    h("img", { class: "qr", src: "/join.svg", alt: t("scan") }),
    ...codes.addresses.map((address) => h("p", { class: "address" }, `${address}/join`)),
    h("p", { class: "address" }, `${t("key")}: ${codes.key}`),
    h("p", { class: "hint" }, t("mobile-data")),
  );
}

function votesBox(now) {
  const choose = (votes_by) => post("/api/host/setting", { votes_by });
  return h(
    "div",
    { class: "block" },
    h("h2", {}, t("votes-by")),
    h("div", { class: "modes" }, ...["phone", "voice"].map((way) => h("button", { "data-focus": `by-${way}`, "aria-pressed": String(now.house.votes_by === way), onclick: () => choose(way) }, t(`votes-by-${way}`)))),
  );
}

function lostBox(now) {
  const joined = now.house.joined;
  if (!joined.length) return null;
  const seat = h("select", { id: "lost-seat", "aria-label": t("pick-seat") }, ...joined.map((number) => h("option", { value: String(number) }, `${number} ${now.seats[number - 1].name}${now.house.absent.includes(number) ? " !" : ""}`)));
  const pin = h("input", { id: "lost-pin", inputmode: "numeric", autocomplete: "off", maxlength: "4", "aria-label": t("pin"), placeholder: t("pin") });
  const problem = h("p", { class: "problem", role: "alert" });
  const claim = async (event) => {
    event.preventDefault();
    const answer = await post("/api/claim", { seat: Number(seat.value), pin: pin.value });
    if (answer.status === 200) location.assign("/seat");
    else say(problem, answer.status === 429 ? t("too-many", { seconds: answer.retry }) : answer.status === 0 ? t("not-sent") : t("wrong-pin"));
  };
  return h(
    "details",
    { class: "block" },
    h("summary", {}, t("lost-phone")),
    h("p", { class: "hint" }, t("lost-hint")),
    h("form", { onsubmit: claim }, seat, pin, h("button", { class: "wide" }, t("claim"))),
    problem,
  );
}
