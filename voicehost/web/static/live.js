// The live line: states by SSE. Comes back by itself, tells the number of the last state it has, keeps the clock right.

import { byId } from "./dom.js";

const SILENT_MS = 25000; // two and a half times the server's tick
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 5000;
const PATIENCE_MS = 1500; // a line that is back so soon was never worth a word

/** Estimates the game clock from time stamps: the least delayed of the latest ones is the best. */
class Clock {
  #offsets = [];

  hear(now) {
    this.#offsets.push(now - performance.now());
    if (this.#offsets.length > 12) this.#offsets.shift();
  }

  /** The game clock now, in milliseconds. */
  now() {
    return this.#offsets.length ? performance.now() + Math.max(...this.#offsets) : 0;
  }
}

export const clock = new Clock();

/** Milliseconds left of a state's timer; null without one. */
export function left(timer) {
  if (!timer) return null;
  return Math.max(0, timer.end === null ? timer.left : timer.end - clock.now());
}

/** Follow a stream for ever; `onGone` is called when this device is no longer wanted, `onClosed` when it never was. */
export function follow(path, onState, { onGone = () => {}, onClosed = () => {} } = {}) {
  const banner = byId("offline");
  let source = null;
  let lastId = "";
  let heard = performance.now();
  let delay = FIRST_DELAY_MS;
  let timer = 0;
  let over = false;
  let telling = 0;

  const online = (yes) => {
    document.documentElement.dataset.online = yes ? "yes" : "no";
    if (!banner) return;
    if (yes) {
      clearTimeout(telling);
      telling = 0;
      banner.hidden = true;
    } else if (banner.hidden) {
      telling ||= setTimeout(() => {
        telling = 0;
        banner.hidden = over || document.body.classList.contains("is-dark");
      }, PATIENCE_MS);
    }
  };

  const open = () => {
    clearTimeout(timer);
    source?.close();
    if (over) return;
    heard = performance.now();
    source = new EventSource(lastId ? `${path}?after=${encodeURIComponent(lastId)}` : path);
    source.addEventListener("time", (event) => {
      clock.hear(Number(event.data));
      heard = performance.now();
      delay = FIRST_DELAY_MS;
      online(true);
    });
    source.addEventListener("state", (event) => {
      lastId = event.lastEventId;
      heard = performance.now();
      onState(JSON.parse(event.data));
    });
    source.addEventListener("gone", () => {
      over = true;
      source.close();
      onGone();
    });
    source.onerror = async () => {
      source.close();
      if (over) return;
      online(false);
      timer = setTimeout(open, delay);
      delay = Math.min(delay * 1.6, LONGEST_DELAY_MS);
      const status = await fetch(path, { method: "HEAD", cache: "no-store" }).then((r) => r.status, () => 0);
      if (status === 403) {
        over = true;
        clearTimeout(timer);
        onClosed();
      }
    };
  };

  open();
  setInterval(() => {
    if (!over && performance.now() - heard > SILENT_MS) {
      online(false);
      open();
    }
  }, 2000);
  addEventListener("online", open);
  addEventListener("pagehide", () => {
    clearTimeout(telling); // the browser ends the line of a page that is left: nothing is lost
    source?.close();
  });
  addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && performance.now() - heard > 4000) open();
  });
  return () => {
    over = true;
    source?.close();
  };
}

/** Call `paint` on every frame in which a timer may look different; cheap when nothing runs. */
export function everyFrame(paint) {
  const slow = matchMedia("(prefers-reduced-motion: reduce)");
  const step = () => {
    paint();
    if (slow.matches || document.hidden) setTimeout(step, 250);
    else requestAnimationFrame(step);
  };
  step();
}
