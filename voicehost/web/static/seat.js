// A player's phone: what his seat may do now, and at night one dark area, the same on every phone.

import { keepAwake, standStill, staysAwake } from "./awake.js";
import { answerText, drawDark, isDark } from "./dark.js";
import { byId, get, h, onHold, post, renew, say, t } from "./dom.js";
import { clock, everyFrame, follow, left } from "./live.js";
import { drawSeats } from "./ring.js";
import { digits, nameOf, phase, speaking } from "./words.js";

let state = null;
let me = null;
let mine = { drawn: false, kept: false, raised: false };
let picked = { serial: "", seats: [] };
let touched = false;

const main = byId("phone");

async function act(verb, number = 0) {
  const answer = await post("/api/act", number ? { verb, number } : { verb });
  if (answer.status === 403) onClosed();
  else say(byId("told"), answer.status === 0 ? t("not-sent") : answer.reason ? t("refused") : "");
  await look();
  return answer;
}

/** Fetch what only this seat may know, and keep of it only what is no secret from a hand on the table. */
async function look() {
  const secret = await get("/api/secret");
  if (secret) mine = { drawn: secret.drawn, kept: secret.kept, raised: secret.raised };
  draw(state);
}

function draw(now) {
  if (!now) return;
  const fresh = !state || state.step !== now.step || state.seat !== now.seat || state.candidate !== now.candidate || state.round !== now.round;
  state = now;
  const dark = isDark(now, me.seat);
  document.body.classList.toggle("is-dark", dark);
  document.body.classList.toggle("is-night", now.dark);
  byId("dark").hidden = !dark;
  main.hidden = dark;
  if (dark) {
    renew(main, "dark", () => []);
    drawDark(byId("dark"), now);
  } else {
    byId("dark").replaceChildren();
    byId("dark").dataset.key = "";
    drawDay(now);
  }
  if (fresh && ["deal", "vote", "lift"].includes(now.step)) look();
}

function drawDay(now) {
  if (main.querySelector('.hold[aria-pressed="true"]')) return; // drawn when the finger is lifted
  const own = now.seats[me.seat - 1];
  const key = [
    now.step, now.seat, now.candidate, now.round, own.alive, mine.drawn, mine.kept, mine.raised, now.cards, now.best_move.join(),
    now.nominations.map((n) => n.by).join(), now.nominees.join(), now.house.votes_by, now.paused,
    now.step === "lobby" ? own.name : now.seats.map((s) => `${s.name} ${s.alive}`), picked.serial === serial(now) ? picked.seats.join() : "", now.hands,
  ].join("|");
  drawSeats(ring, now);
  renew(main, key, () => [head(now, own), ...body(now, own), h("p", { id: "told", class: "problem", role: "status" }), foot(now)]);
  say(byId("phone-phase"), phase(now));
  tick();
}

const serial = (now) => `${now.day} ${now.night} ${now.step}`;

function head(now, own) {
  return h(
    "header",
    { class: "me" },
    h("b", { class: "me-number" }, String(me.seat)),
    h("div", {}, h("p", { class: "me-name" }, own.name), h("p", { id: "phone-phase", class: "me-phase" })),
    h("p", { id: "digits", class: "digits", role: "timer", "aria-live": "off" }),
  );
}

function body(now, own) {
  switch (now.step) {
    case "lobby":
      return [h("p", { class: "big" }, t("wait-start")), holder("hold-pin", "pin"), awakeHint(), me.helper ? null : h("button", { class: "quiet", onclick: leave }, t("leave"))];
    case "deal":
      return deal(now);
    case "over":
      return over(now);
  }
  const parts = [];
  if (!own.alive && now.step !== "last-word") parts.push(h("p", { class: "hint" }, t("not-alive")));
  if (now.step === "best-move" && now.seat === me.seat) parts.push(...bestMove(now));
  else if (speaking(now) && now.seat === me.seat) parts.push(...ownSpeech(now));
  else if (now.step === "vote" || now.step === "lift") parts.push(...vote(now, own));
  else if (now.seat) parts.push(h("p", { class: "big" }, t("now-speaks", { seat: `${now.seat} ${nameOf(now, now.seat)}`.trim() })));
  if (now.nominees.length) parts.push(h("p", { class: "nominees" }, `${t("nominees")}: `, h("b", {}, now.nominees.join(" · "))));
  if (now.seat !== me.seat) parts.push(ring);
  return parts;
}

/** The table in small: who sits, who speaks, who is put up. */
const ring = h("div", { class: "mini", role: "list", "aria-label": t("table") });

function deal(now) {
  if (now.choose_cards && now.seat === me.seat && !mine.drawn) {
    const cards = Array.from({ length: now.cards ?? 0 }, (_, i) => i + 1);
    return [
      h("p", { class: "big" }, t("your-draw")),
      h("p", { class: "hint" }, t("draw-hint")),
      h("div", { class: "cards" }, ...cards.map((n) => h("button", { class: "card-back", "aria-label": t("card", { number: n }), onclick: () => act("choose", n) }, String(n)))),
    ];
  }
  if (mine.drawn && !mine.kept) {
    return [h("p", { class: "big" }, t("look")), holder("hold-card", "role"), h("button", { class: "primary", onclick: () => act("confirm") }, t("keep"))];
  }
  return [h("p", { class: "big" }, t("others-draw", { seat: now.seat ?? "" })), mine.kept ? holder("hold-card", "role") : null];
}

function ownSpeech(now) {
  const own = now.step === "last-word" ? t("last-word-yours") : t("your-turn");
  const parts = [h("p", { class: "big" }, own), h("button", { class: "primary", "data-focus": "done", onclick: () => act("done") }, t("done"))];
  const nominated = now.nominations.some((n) => n.by === me.seat);
  if ((now.step === "speech" || now.step === "nominate-only") && !nominated) {
    const taken = new Set(now.nominations.map((n) => n.seat));
    const seats = now.seats.filter((s) => s.alive && !taken.has(s.seat)).map((s) => s.seat);
    parts.push(h("h2", {}, t("nominate")), numbers(seats, (seat) => act("nominate", seat), now));
  }
  return parts;
}

function vote(now, own) {
  if (!own.alive) return [];
  const voted = now.step === "vote" && now.votes.some((v) => v.seats?.includes(me.seat));
  if (now.house.votes_by === "voice" || now.mode !== "home") return [h("p", { class: "big" }, t("hands-aloud"))];
  if (mine.raised || voted) return [h("p", { class: "big raised" }, t("raised"))];
  const text = now.step === "vote" ? t("raise", { seat: now.candidate ?? "" }) : t("raise-lift");
  return [h("button", { class: "primary huge", "data-focus": "vote", onclick: () => act("vote") }, text)];
}

function bestMove(now) {
  if (now.best_move.length) return [h("p", { class: "big" }, now.best_move.join(" · "))];
  if (picked.serial !== serial(now)) picked = { serial: serial(now), seats: [] };
  const pick = async (seat) => {
    if (picked.seats.includes(seat)) return;
    picked.seats.push(seat);
    await act("choose", seat);
  };
  return [
    h("p", { class: "big" }, t("best-move-yours")),
    h("p", { class: "hint" }, t("best-move-left", { count: 3 - picked.seats.length })),
    numbers(now.seats.map((s) => s.seat), pick, now, picked.seats),
  ];
}

function over(now) {
  const role = now.result?.roles?.[String(me.seat)];
  return [
    h("p", { class: "big" }, t(`win-${now.result?.winner ?? "none"}`)),
    role ? h("div", { class: "role-card", "data-role": role }, t(`role-${role}`)) : null,
    h("ul", { class: "roles" }, ...Object.entries(now.result?.roles ?? {}).map(([seat, r]) => h("li", { "data-role": r }, h("b", {}, seat), ` ${nameOf(now, Number(seat))} — ${t(`role-${r}`)}`))),
  ];
}

/** All numbers in their places, so that none moves under a finger; those that may not be chosen do nothing. */
function numbers(allowed, onPick, now, chosen = []) {
  return h(
    "div",
    { class: "pad" },
    ...now.seats.map(({ seat }) =>
      h(
        "button",
        { class: "pad-key", disabled: !allowed.includes(seat), "data-focus": `n${seat}`, "aria-pressed": chosen.length ? String(chosen.includes(seat)) : null, "aria-label": `${t("seat", { seat })} ${nameOf(now, seat)}`, onclick: () => onPick(seat) },
        h("b", {}, String(seat)),
        h("small", {}, nameOf(now, seat)),
      ),
    ),
  );
}

/** A button that shows a secret only while it is held; nothing of it stays in the page. */
function holder(label, what) {
  const place = h("div", { class: "secret", "aria-live": "polite" });
  const button = h("button", { class: "hold", "data-focus": what }, t(label));
  const hide = () => {
    place.replaceChildren();
    draw(state);
  };
  const show = async (still) => {
    const secret = await get("/api/secret");
    if (!secret || !still()) return;
    place.replaceChildren(...reveal(secret, what));
  };
  onHold(button, show, hide);
  return h("div", { class: "holder" }, place, button);
}

function reveal(secret, what) {
  if (what === "pin") return [h("p", { class: "hint" }, t("your-pin")), h("p", { class: "pin" }, secret.pin)];
  const card = secret.role ? h("div", { class: "role-card", "data-role": secret.role }, t(`role-${secret.role}`)) : h("p", {}, t("no-answer"));
  const checks = secret.checks.map((check) => h("li", {}, answerText(check)));
  const pin = me.helper ? null : h("p", { class: "hint" }, `${t("pin")}: ${secret.pin}`); // before the battery is gone
  return [card, pin, checks.length ? h("ul", { class: "checks", "aria-label": t("checks") }, ...checks) : null].filter(Boolean);
}

function foot(now) {
  const game = !["lobby", "deal", "over"].includes(now.step);
  const helper = me.helper ? h("p", { class: "hint" }, t("helper", { seat: me.seat }), " ", h("button", { class: "quiet", onclick: leave }, t("helper-stop"))) : null;
  return h("footer", {}, helper, game ? holder("hold-card", "role") : null);
}

function awakeHint() {
  return h("p", { id: "awake", class: "hint", hidden: !touched || staysAwake() }, t("settings-awake"));
}

async function leave() {
  const answer = await post("/api/leave");
  if (answer.status === 200) location.replace(me.helper ? "/host" : `/join${location.search}`);
}

function onClosed() {
  location.replace(`/join${location.search}`);
}

function onGone() {
  document.body.classList.remove("is-dark");
  byId("dark").hidden = true;
  main.hidden = false;
  renew(main, "gone", () => [h("p", { class: "big" }, t("gone")), h("p", { class: "hint" }, t("gone-hint"))]);
}

function tick() {
  const element = byId("digits");
  if (!state || !element || main.hidden) return;
  const ms = left(state.timer);
  say(element, ms === null || state.step === "over" ? "" : digits(ms));
  element.classList.toggle("is-last", ms !== null && ms <= 10000 && clock.now() > 0);
}

async function begin() {
  me = await get("/api/me");
  if (me === null) {
    setTimeout(begin, 1000);
    return;
  }
  if (!me.seat) {
    onClosed();
    return;
  }
  standStill();
  keepAwake(() => {
    touched = true;
    const hint = byId("awake");
    if (hint) hint.hidden = staysAwake();
  });
  follow("/stream/seat", draw, { onGone, onClosed });
  everyFrame(tick);
}

begin();
