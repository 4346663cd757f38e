// Coming in: the key from the code, then a name and a seat; or the PIN of a seat that is already one's own.

import { byId, get, h, has, post, say, t } from "./dom.js";
import { follow } from "./live.js";

let state = null;
let chosen = null;
let stop = null;

const problem = (answer) => {
  const code = answer.status === 429 ? "too-many" : answer.error;
  say(byId("problem"), answer.status === 0 ? t("not-sent") : has(code ?? "") ? t(code, { seconds: answer.retry }) : t("bad-request"));
};

async function enter(key) {
  const answer = await post("/api/enter", { door: "join", key });
  if (answer.status === 200) {
    await begin();
  } else {
    byId("key-form").hidden = false;
    byId("key").focus();
    if (answer.status === 403) say(byId("problem"), t("wrong-key"));
    else problem(answer);
  }
}

async function begin() {
  const me = (await get("/api/me")) ?? {};
  if (me.seat && !me.helper) {
    location.replace(`/seat${location.search}`);
    return;
  }
  if (!me.join) {
    byId("key-form").hidden = false;
    return;
  }
  say(byId("problem"), "");
  byId("key-form").hidden = true;
  byId("seat-form").hidden = false;
  stop ??= follow("/stream/table", draw);
}

function draw(now) {
  state = now;
  const pad = byId("seats");
  if (pad.children.length !== now.seats.length) {
    pad.replaceChildren(...now.seats.map(({ seat }) => h("button", { type: "button", class: "pad-key", "data-seat": String(seat), onclick: () => choose(seat) })));
  }
  now.seats.forEach(({ seat, name }, index) => {
    const taken = now.house.joined.includes(seat);
    const key = pad.children[index];
    const text = `${seat}|${name}|${taken}`;
    if (key.dataset.text !== text) {
      key.dataset.text = text;
      key.replaceChildren(h("b", {}, String(seat)), h("small", {}, name || t("empty-seat")));
      key.classList.toggle("is-taken", taken);
      key.setAttribute("aria-label", `${t("seat", { seat })}, ${name || t("empty-seat")}${taken ? `, ${t("seat-taken")}` : ""}`);
    }
    key.setAttribute("aria-pressed", String(chosen === seat));
  });
  refresh();
}

function choose(seat) {
  chosen = seat;
  const given = state.seats[seat - 1].name;
  if (given && !state.house.joined.includes(seat) && !byId("name").value) byId("name").value = given;
  draw(state);
}

function refresh() {
  const taken = chosen !== null && state.house.joined.includes(chosen);
  byId("pin-label").hidden = !taken;
  byId("sit").disabled = chosen === null;
  say(byId("sit"), chosen === null ? t("pick-seat") : taken ? t("claim") : t("sit-down", { seat: chosen }));
}

async function sit(event) {
  event.preventDefault();
  if (chosen === null) return;
  const taken = state.house.joined.includes(chosen);
  const answer = taken
    ? await post("/api/claim", { seat: chosen, pin: byId("pin").value })
    : await post("/api/join", { seat: chosen, name: byId("name").value.trim() });
  if (answer.status === 200) location.replace(`/seat${location.search}`);
  else if (taken && answer.status === 403) say(byId("problem"), t("wrong-pin"));
  else problem(answer);
}

byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(byId("key").value);
});
byId("seat-form").addEventListener("submit", sit);
const key = location.hash.slice(1);
history.replaceState(null, "", location.pathname + location.search);
if (key) enter(key);
else begin();
