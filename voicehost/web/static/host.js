// The host's remote: everything that may be said now, as large buttons.

import { byId, get, h, has, onHold, post, renew, say, t } from "./dom.js";
import { answerText } from "./dark.js";
import { drawHome } from "./home.js";
import { everyFrame, follow, left } from "./live.js";
import { morePads } from "./hostmore.js";
import { dangerPads, pads } from "./hostpads.js";
import { centre, digits, nameOf, phase } from "./words.js";

let state = null;
let mode = ""; // what a tap on a seat does: a command that needs a seat
let chosenIn = ""; // the turn for which it was chosen: a new speaker begins with nominations again

const MAIN = ["start-game", "end-speech", "next", "play-again"];
const TOOLS = ["pause", "resume", "undo", "redo", "repeat"];
const ON_SEATS = ["nominate", "withdraw", "foul", "remove-foul", "technical-foul"];

export async function give(command, slots = {}) {
  const answer = await post("/api/host", { command, slots });
  const words = answer.status === 403 ? t("closed") : answer.status === 0 ? t("not-sent") : answer.reason || answer.error ? t("refused") : "";
  say(byId("problem-line"), words);
  return answer.status === 200 && !answer.reason;
}

function draw(now) {
  state = now;
  document.body.classList.toggle("is-night", now.dark);
  say(byId("phase"), phase(now));
  const words = centre(now);
  say(byId("main"), [words.over, words.main, words.under].filter(Boolean).join(" · "));
  drawQuestion(now);
  const legal = now.legal;
  renew(byId("actions"), MAIN.filter((name) => name in legal).join(), () =>
    MAIN.filter((name) => name in legal).map((name, i) => h("button", { class: i ? "wide" : "primary wide", "data-focus": name, "data-command": name, onclick: () => give(name) }, t(name))),
  );
  const nightPads = pads(now, give);
  renew(byId("pads"), nightPads.key, nightPads.make);
  drawTools(now);
  drawSeatPad(now);
  drawHome(byId("home"), now);
  const danger = dangerPads(now, give);
  renew(byId("danger-pads"), danger.key, danger.make);
  const more = morePads(now, give);
  renew(byId("more-pads"), more.key, more.make);
  tick();
}

function drawQuestion(now) {
  const pending = now.pending;
  renew(byId("question"), JSON.stringify(pending), () => {
    if (!pending) return [];
    const seat = pending.slots.seat;
    const what = `${t(pending.command)}${seat ? ` ${seat}` : ""}`;
    const box = h(
      "div",
      { class: "ask", role: "alertdialog", "aria-label": t("confirm-question", { what }) },
      h("p", {}, t("confirm-question", { what })),
      h("button", { class: "danger wide", "data-focus": "confirm", "data-command": "confirm", onclick: () => give("confirm") }, t("confirm")),
      h("button", { class: "wide", "data-focus": "deny", "data-command": "deny", onclick: () => give("deny") }, t("deny")),
    );
    queueMicrotask(() => box.querySelector('[data-focus="deny"]')?.focus());
    return [box];
  });
}

function drawTools(now) {
  const shown = TOOLS.filter((name) => name in now.legal);
  const more = "add-time" in now.legal;
  renew(byId("tools"), `${shown}|${more}|${now.talk}`, () => {
    const buttons = shown.map((name) => h("button", { "data-focus": name, "data-command": name, onclick: () => give(name) }, t(name)));
    if (more) buttons.splice(1, 0, ...[10, 30].map((seconds) => h("button", { "data-focus": `add${seconds}`, "data-command": "add-time", onclick: () => give("add-time", { seconds }) }, t("add-time", { seconds }))));
    return [...buttons, now.talk ? talkButton() : null, now.mode === "hosted" ? rolesButton() : null];
  });
}

function talkButton() {
  const button = h("button", { class: "talk", "data-focus": "talk" }, t("push-to-talk"));
  const push = (down) => {
    say(button, t(down ? "push-held" : "push-to-talk"));
    post("/api/host/push", { down });
  };
  return onHold(button, () => push(true), () => push(false));
}

function rolesButton() {
  const place = h("div", { class: "secret" });
  const button = h("button", { class: "hold", "data-focus": "roles" }, t("hold-roles"));
  const show = async (still) => {
    const secret = await get("/api/host/secret");
    if (!secret || !still()) return;
    const roles = Object.entries(secret.roles ?? {}).map(([seat, role]) => h("li", { "data-role": role }, h("b", {}, seat), ` ${nameOf(state, Number(seat))} — ${t(`role-${role}`)}`));
    const checks = secret.checks.map((check) => h("li", {}, `${t("night", { number: check.night })}: ${t(check.by === "don" ? "role-don" : "role-sheriff")} — ${answerText(check)}`));
    place.replaceChildren(h("ul", { class: "roles" }, ...roles), h("ul", { class: "checks" }, ...checks));
  };
  onHold(button, show, () => place.replaceChildren());
  return h("div", { class: "holder" }, button, place);
}

function drawSeatPad(now) {
  const modes = ON_SEATS.filter((name) => name in now.legal);
  const turn = `${now.step} ${now.seat}`;
  if (turn !== chosenIn || !modes.includes(mode)) mode = modes[0] ?? "";
  chosenIn = turn;
  const key = JSON.stringify([modes, mode, mode ? now.legal[mode].seats : [], now.seats, now.nominees, now.seat]);
  renew(byId("seats"), key, () => {
    const choice = h(
      "div",
      { class: "modes", role: "group", "aria-label": t("who-pad") },
      ...modes.map((name) =>
        h("button", { "aria-pressed": String(name === mode), "data-focus": `mode-${name}`, "data-command": name, onclick: () => { mode = name; draw(state); } }, t(name)),
      ),
    );
    const allowed = new Set(mode ? now.legal[mode].seats : []);
    const keys = now.seats.map((seat) => seatKey(now, seat, allowed));
    return [modes.length ? choice : null, h("div", { class: "pad" }, ...keys)];
  });
}

function seatKey(now, seat, allowed) {
  const order = now.nominees.indexOf(seat.seat) + 1;
  const label = [t("seat", { seat: seat.seat }), seat.name, seat.fouls ? t("fouls", { count: seat.fouls }) : "", seat.alive ? "" : t("out"), order ? t("nominated", { order }) : ""];
  return h(
    "button",
    {
      class: `pad-key${seat.alive ? "" : " is-out"}${order ? " is-nominee" : ""}${now.seat === seat.seat ? " is-now" : ""}`,
      disabled: !allowed.has(seat.seat),
      "data-focus": `s${seat.seat}`,
      "aria-label": label.filter(Boolean).join(", "),
      onclick: () => give(mode, mode === "foul" ? { seat: seat.seat, count: 1 } : { seat: seat.seat }),
    },
    h("b", {}, String(seat.seat)),
    h("small", {}, seat.name),
    h("span", { class: "fouls" }, "●".repeat(seat.fouls)),
  );
}

function tick() {
  if (!state) return;
  const ms = left(state.timer);
  say(byId("digits"), ms === null || state.step === "over" ? "" : digits(ms));
  byId("digits").classList.toggle("is-last", ms !== null && ms <= 10000);
}

async function begin() {
  const key = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  if (key) await enter(key);
  const me = (await get("/api/me")) ?? {};
  byId("key-form").hidden = Boolean(me.host);
  byId("remote").hidden = !me.host;
  if (!me.host) return;
  follow("/stream/host", draw, { onClosed: () => location.reload() });
  everyFrame(tick);
}

async function enter(key) {
  const answer = await post("/api/enter", { door: "host", key });
  if (answer.status === 200) return true;
  const code = answer.status === 429 ? "too-many" : answer.status === 0 ? "not-sent" : "closed";
  say(byId("problem"), has(code) ? t(code, { seconds: answer.retry }) : "");
  return false;
}

byId("key-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await enter(byId("key").value.trim())) begin();
});
begin();
