// The table on a screen.

import { byId, h, post, renew, say, t } from "./dom.js";
import { everyFrame, follow, left } from "./live.js";
import { drawSeats } from "./ring.js";
import { centre, digits, nightly, phase } from "./words.js";

let state = null;
const dial = document.querySelector(".dial-left");

function draw(now) {
  state = now;
  const body = document.body;
  body.classList.toggle("is-night", nightly(now));
  body.classList.toggle("is-paused", now.paused);
  body.dataset.step = now.step;
  body.dataset.winner = now.result?.winner ?? "";
  say(byId("phase"), phase(now));
  byId("phase").classList.toggle("is-long", phase(now).length > 9);
  say(byId("rules"), now.title);
  drawSeats(byId("ring"), now);
  const words = centre(now);
  say(byId("over"), words.over);
  say(byId("main"), words.main);
  say(byId("under"), words.under);
  byId("main").classList.toggle("is-long", words.main.length > 3);
  byId("under").classList.toggle("is-long", words.under.length > 14 && now.step !== "over");
  drawBallot(now);
  const line = now.lines.at(-1)?.text ?? (byId("code") && now.step === "lobby" ? t("mobile-data") : "");
  say(byId("line"), now.step === "over" ? "" : line);
  const absent = now.house.absent;
  const notes = [absent.length ? t("waiting-phone", { seats: absent.join(", ") }) : "", now.house.lost_sound ? t("lost-sound", { count: now.house.lost_sound }) : ""];
  say(byId("waiting"), now.eyes === "open" && now.step !== "over" ? notes.filter(Boolean).join(" · ") : "");
  const code = byId("code");
  if (code) code.hidden = now.step !== "lobby";
  body.classList.toggle("has-code", Boolean(code && !code.hidden));
  tick();
}

function drawBallot(now) {
  const rows = now.votes.length || now.step === "vote" ? ballotRows(now) : now.nominees.map((seat) => ({ seat }));
  const shown = now.dark || now.step === "lobby" || now.step === "over" ? [] : rows;
  renew(byId("ballot"), JSON.stringify(shown), () =>
    shown.length
      ? [h("h2", {}, t(shown.some((row) => row.count !== undefined) ? "votes" : "nominees")), h("ol", {}, ...shown.map(ballotRow))]
      : [],
  );
}

function ballotRows(now) {
  const cast = new Map(now.votes.map((vote) => [vote.candidate, vote]));
  const order = [...new Set([...now.votes.map((vote) => vote.candidate), ...now.nominees])];
  const candidates = now.tied.length && now.round > 1 ? order.filter((seat) => now.tied.includes(seat) || cast.has(seat)) : order;
  return candidates.map((seat) => ({ seat, count: cast.get(seat)?.count, seats: cast.get(seat)?.seats, now: now.candidate === seat }));
}

function ballotRow(row) {
  return h(
    "li",
    { class: row.now ? "is-now" : "" },
    h("b", {}, String(row.seat)),
    row.count === undefined ? null : h("span", { class: "count" }, String(row.count)),
    row.seats?.length ? h("span", { class: "whose" }, row.seats.join(" ")) : null,
  );
}

function tick() {
  if (!state) return;
  const ms = left(state.timer);
  const hunt = state.step === "hunt" && state.mode === "home";
  const shown = ms !== null && !hunt && state.step !== "over";
  document.body.classList.toggle("has-timer", shown);
  if (!shown) {
    say(byId("digits"), "");
    return;
  }
  say(byId("digits"), digits(ms));
  const share = Math.min(1, ms / Math.max(1, state.timer.whole));
  dial.style.strokeDashoffset = String(Math.round((1 - share) * 1000));
  document.body.classList.toggle("is-last", ms <= 10000 && ms > 0 && state.timer.whole > 10000);
}

async function enterWithKey() {
  const key = location.hash.slice(1);
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  const answer = await post("/api/enter", { door: "screen", key });
  if (answer.status === 200) location.reload();
}

follow("/stream/table", draw);
everyFrame(tick);
enterWithKey();
