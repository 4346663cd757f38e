// Keeps a phone awake and its page where it is while eyes are shut.

import { byId } from "./dom.js";

let lock = null;
let film = null;
let works = false;

async function hold() {
  if ("wakeLock" in navigator) {
    try {
      lock = await navigator.wakeLock.request("screen");
      works = true;
      return;
    } catch {
      // refused, for instance with a low battery: the film may still do
    }
  }
  film ??= makeFilm();
  try {
    await film.play();
    works = true;
  } catch {
    works = false;
  }
}

function makeFilm() {
  const version = document.body.dataset.version;
  const video = document.createElement("video");
  video.className = "film";
  video.loop = true;
  video.playsInline = true;
  video.setAttribute("playsinline", "");
  video.setAttribute("aria-hidden", "true");
  for (const [name, type] of [["silent.webm", "video/webm"], ["silent.mp4", "video/mp4"]]) {
    const source = document.createElement("source");
    source.src = `/static/${name}?v=${version}`;
    source.type = type;
    video.append(source);
  }
  document.body.append(video);
  return video;
}

/** Tell whether the screen is known to stay on; where not, the player is told which setting to change. */
export const staysAwake = () => works;

/** Begin on the first touch: browsers allow neither lock nor film before. */
export function keepAwake(onChange) {
  const begin = async () => {
    if (!works || (lock && lock.released)) {
      await hold();
      onChange?.();
    }
  };
  addEventListener("pointerdown", begin, { passive: true });
  addEventListener("keydown", begin);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && works) begin();
  });
}

/** A blind finger must not scroll, zoom, select, call a menu or go back. */
export function standStill() {
  const stop = (event) => event.preventDefault();
  for (const name of ["contextmenu", "selectstart", "dragstart", "gesturestart"]) document.addEventListener(name, stop);
  byId("dark").addEventListener("touchstart", stop, { passive: false });
  byId("dark").addEventListener("touchmove", stop, { passive: false });
  history.pushState({ here: 1 }, "");
  addEventListener("popstate", () => history.pushState({ here: 1 }, ""));
}
