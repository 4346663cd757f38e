// What lies over something else or sticks out of the screen, of all that is to be read on a table.
(whole) => {
  const owners = ".seat, .phase, .centre-text, .ballot, .line, .waiting, .code, .bar";
  const boxes = [];
  const seen = (rect, frame) => ({
    left: Math.max(rect.left, frame.left),
    right: Math.min(rect.right, frame.right),
    top: Math.max(rect.top, frame.top),
    bottom: Math.min(rect.bottom, frame.bottom),
  });
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    if (element.offsetParent === null || style.visibility === "hidden") continue;
    const owner = element.closest(owners);
    const text = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim());
    const rects = element.matches(".seat-disc") ? [element.getBoundingClientRect()] : [];
    for (const node of text) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const frame = style.overflow === "hidden" ? element.getBoundingClientRect() : null;
      for (const rect of range.getClientRects()) rects.push(frame ? seen(rect, frame) : rect);
    }
    for (const rect of rects.filter((rect) => rect.right > rect.left && rect.bottom > rect.top)) boxes.push({ rect, owner, what: `${element.className || element.id || element.tagName}: ${element.textContent.trim()}` });
  }
  const wrong = [];
  const [wide, high] = [document.documentElement.clientWidth, whole ? innerHeight : Infinity];
  for (const { rect, what } of boxes) {
    if (rect.left < -1 || rect.right > wide + 1 || rect.top < -1 || rect.bottom > high + 1) wrong.push(`out of the screen: ${what}`);
  }
  const apart = boxes.filter(({ owner }) => owner);
  for (const [i, a] of apart.entries()) {
    for (const b of apart.slice(i + 1)) {
      if (a.owner === b.owner) continue;
      const across = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
      const down = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top);
      if (across > 4 && down > 4) wrong.push(`over each other by ${Math.round(across)}x${Math.round(down)}: ${a.what} | ${b.what}`);
    }
  }
  return [...new Set(wrong)];
}
