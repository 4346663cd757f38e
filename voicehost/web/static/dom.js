// Builds and updates elements without markup in strings: nothing a player types can become code.

const labels = JSON.parse(document.body.dataset.labels);

/** Return a label with its braces filled; the key itself where there is none. */
export function t(key, params = {}) {
  const text = labels[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in params ? String(params[name]) : all));
}

export function has(key) {
  return key in labels;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Make an element: properties begin with a lower-case name, `on…` are listeners, the rest are attributes. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && name !== "role" && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Set a text only when it differs, so that a screen reader hears changes alone. */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Replace the children when `key` has changed; keep them, and the focus, otherwise. */
export function renew(element, key, make) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  element.replaceChildren(...[make()].flat().filter(Boolean));
  if (focused) element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

/** Post JSON to our own server; never throws: `status` 0 means that it was not reached. */
export async function post(path, data = {}, seconds = 6) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(data),
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(seconds * 1000),
    });
    const body = await response.json().catch(() => ({}));
    return { status: response.status, retry: Number(response.headers.get("retry-after") ?? 0), ...body };
  } catch {
    return { status: 0, retry: 0 };
  }
}

export async function get(path) {
  try {
    const response = await fetch(path, { credentials: "same-origin", cache: "no-store" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Call `show` while a button is held by finger, mouse or key, and `hide` when it is let go, whatever happens. */
export function onHold(button, show, hide) {
  let held = false;
  const begin = (event) => {
    if (event.type === "keydown" && (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    if (held) return;
    held = true;
    try {
      button.setPointerCapture?.(event.pointerId);
    } catch {
      // not a pointer that can be captured; letting go is noticed all the same
    }
    button.setAttribute("aria-pressed", "true");
    show(() => held);
  };
  const end = () => {
    if (!held) return;
    held = false;
    button.setAttribute("aria-pressed", "false");
    hide();
  };
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("pointerdown", begin);
  button.addEventListener("keydown", begin);
  for (const name of ["pointerup", "pointercancel", "lostpointercapture", "keyup", "blur"]) button.addEventListener(name, end);
  document.addEventListener("visibilitychange", end);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  return button;
}
