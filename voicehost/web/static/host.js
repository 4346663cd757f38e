// The host's remote: everything that may be said now, as large buttons.

import { byId, get, h, has, onHold, post, renew, say, t } from "./dom.js";
import { answerText } from "./dark.js";
import { drawHome } from "./home.js";
import { everyFrame, follow, left } from "./live.js";
import { morePads } from "./hostmore.js";
import { dangerPads } from "./hostpads.js";
import { drawSeatPad } from "./hostseat.js";
import { centre, digits, nameOf, phase } from "./words.js";

const HASTE_MS = 400; // no one reads and means a new step so soon: such a tap was for the one before

let state = null;
let turn = "";
let turnedAt = -HASTE_MS;

const BEGIN = ["start-game", "end-speech", "play-again"];

/** Give a command; `event` is the tap on a button whose meaning changes with the step. */
export async function give(command, slots = {}, event = null) {
  if (event?.detail && performance.now() - turnedAt < HASTE_MS) {
    say(byId("problem-line"), t("step-changed"));
    return false;
  }
  const answer = await post("/api/host", { command, slots });
  const words = answer.status === 403 ? t("closed") : answer.status === 0 ? t("not-sent") : answer.reason || answer.error ? t("refused") : "";
  say(byId("problem-line"), words);
  return answer.status === 200 && !answer.reason;
}

function draw(now) {
  const fresh = `${now.step} ${now.seat} ${now.candidate} ${now.round}`;
  if (state && fresh !== turn) turnedAt = performance.now();
  turn = fresh;
  state = now;
  document.body.classList.toggle("is-night", now.dark);
  document.body.classList.toggle("is-lobby", now.step === "lobby");
  say(byId("phase"), phase(now));
  const words = centre(now);
  say(byId("main"), [words.over, words.main, words.under].filter(Boolean).join(" · "));
  drawQuestion(now);
  drawActions(now);
  drawSeatPad(now, { area: byId("seats"), note: byId("pad-note"), give });
  drawTools(now);
  drawHome(byId("home"), now);
  const danger = dangerPads(now, give);
  renew(byId("danger-pads"), danger.key, danger.make);
  const more = morePads(now, give);
  renew(byId("more-pads"), more.key, more.make);
  tick();
}

/** A button that keeps its place: it does nothing while its command may not be given. */
function fixed(name, words, props = {}, slots = {}) {
  const may = name in state.legal;
  return h("button", { disabled: !may, "data-focus": name, "data-command": may ? name : null, onclick: (event) => give(name, slots, props.class ? event : null), ...props }, words);
}

function drawActions(now) {
  const begin = BEGIN.find((name) => name in now.legal) ?? "end-speech";
  renew(byId("actions"), `${begin} ${begin in now.legal} ${"next" in now.legal}`, () => [
    fixed(begin, t(begin), { class: "primary" }),
    fixed("next", t("next"), { class: begin in now.legal ? "strong" : "primary" }),
  ]);
}

let shownAt = 0;

/** A finger that was on its way to something else answers no question. */
const answer = (name, event) => (event.detail && performance.now() - shownAt < HASTE_MS ? false : give(name));

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
      h("button", { class: "danger wide", "data-focus": "confirm", "data-command": "confirm", onclick: (event) => answer("confirm", event) }, t("confirm")),
      h("button", { class: "wide", "data-focus": "deny", "data-command": "deny", onclick: (event) => answer("deny", event) }, t("deny")),
    );
    shownAt = performance.now();
    queueMicrotask(() => box.querySelector('[data-focus="deny"]')?.focus());
    return [box];
  });
}

function drawTools(now) {
  const legal = ["pause", "resume", "add-time", "undo", "redo"].filter((name) => name in now.legal);
  renew(byId("tools"), `${legal}|${now.talk}`, () => [
    fixed("resume" in now.legal ? "resume" : "pause", t("resume" in now.legal ? "resume" : "pause")),
    ...[10, 30].map((seconds) => fixed("add-time", t("add-time", { seconds }), { "data-focus": `add${seconds}` }, { seconds })),
    ...["undo", "redo", "repeat"].map((name) => fixed(name, t(name))),
    now.talk ? talkButton() : null,
    now.mode === "hosted" ? rolesButton() : null,
  ]);
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
