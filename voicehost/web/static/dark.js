// Eyes shut: the page is black on every phone alike, whoever's it is and whatever it may do.

import { get, h, onHold, post, renew, t } from "./dom.js";

const SHUT = new Set(["contract", "meeting-don", "meeting-sheriff", "free-seating", "hunt", "don-check", "sheriff-check"]);
const PADS = new Set(["don-check", "sheriff-check"]);
const BOUNCE_MS = 500; // one touch of a nervous finger is one shot

let touchedAt = -BOUNCE_MS;

/** Tell whether this phone is dark: the victim who names his best move has been called aloud, nobody else is. */
export function isDark(state, seat) {
  if (SHUT.has(state.step)) return true;
  return state.dark && state.step !== "over" && !(state.step === "best-move" && state.seat === seat);
}

export function drawDark(area, state) {
  const pad = PADS.has(state.step);
  renew(area, pad ? `${state.step} ${state.night}` : "touch", () => (pad ? numbers(state) : [touch()]));
}

function touch() {
  const area = h("button", { class: "dark-touch", "aria-label": t("dark"), "data-focus": "dark" });
  const shoot = (event) => {
    event.preventDefault();
    if (event.isPrimary === false) return;
    const now = performance.now();
    if (now - touchedAt < BOUNCE_MS) return;
    touchedAt = now;
    // Never sent again when it fails: by then another number would be called.
    post("/api/act", { verb: "tap" }, 1.5);
  };
  area.addEventListener("pointerdown", shoot);
  area.addEventListener("keydown", (event) => {
    if ((event.key === " " || event.key === "Enter") && !event.repeat) shoot(event);
  });
  return area;
}

function numbers(state) {
  const answer = h("div", { class: "dark-answer", "aria-live": "polite" });
  const pick = (seat) => post("/api/act", { verb: "choose", number: seat });
  const hold = h("button", { class: "dark-hold", "data-focus": "hold" }, t("hold-answer"));
  onHold(
    hold,
    async (still) => {
      const secret = await get("/api/secret");
      if (secret && still()) answer.textContent = answerText(secret.latest);
    },
    () => answer.replaceChildren(),
  );
  const keys = state.seats.map(({ seat }) => {
    const key = h("button", { class: "dark-key", "aria-label": t("seat", { seat }), "data-focus": `n${seat}` }, String(seat));
    key.addEventListener("click", () => {
      keys.forEach((other) => other.setAttribute("aria-pressed", String(other === key)));
      pick(seat);
    });
    return key;
  });
  return [h("div", { class: "dark-pad", role: "group", "aria-label": t("dark-pad") }, ...keys), answer, hold];
}

/** Words of a check's answer. */
export function answerText(check) {
  if (!check) return t("no-answer");
  return t(`answer-${check.answer}`, { seat: check.seat });
}
