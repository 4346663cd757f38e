// What is wrong with a page for anybody's eyes and fingers: its head, its width, the size of what is to be tapped.
(least) => {
  const wrong = [];
  if (!document.title.trim()) wrong.push("no title");
  if (!/^[a-z]{2}$/.test(document.documentElement.lang)) wrong.push("no language");
  const viewport = document.querySelector("meta[name=viewport]")?.content ?? "";
  if (!viewport.includes("width=device-width") || /user-scalable=no|maximum-scale/.test(viewport)) wrong.push(`viewport: ${viewport}`);
  if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push(`wider than the screen by ${root.scrollWidth - root.clientWidth}`);
  for (const control of document.querySelectorAll("button, input, select, summary, a[href]")) {
    if (control.offsetParent === null && getComputedStyle(control).position !== "fixed") continue;
    const box = control.getBoundingClientRect();
    if (least && Math.min(box.width, box.height) < least - 0.5) {
      wrong.push(`too small to tap: ${control.textContent.trim() || control.id} ${Math.round(box.width)}x${Math.round(box.height)}`);
    }
  }
  for (const text of document.querySelectorAll("button, summary, .big, h1, h2")) {
    if (text.offsetParent !== null && getComputedStyle(text).overflowX !== "visible" && text.scrollWidth > text.clientWidth + 8) wrong.push(`cut off by ${text.scrollWidth - text.clientWidth}: ${text.textContent.trim()}`);
  }
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) wrong.push("motion was to be reduced");
  const moving = document.getAnimations().filter((animation) => animation.playState === "running");
  for (const animation of moving) wrong.push(`moves: ${animation.animationName ?? animation.transitionProperty}`);
  return wrong;
}
