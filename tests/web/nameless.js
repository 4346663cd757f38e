// Controls and parts of a page that a screen reader could not name, and ids that occur twice.
() => {
  const parts = "button, input, select, [role=listitem], img, [role=group]";
  const named = (e) => e.getAttribute("aria-label") || e.textContent.trim() || e.alt || e.labels?.length;
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  return [
    ...[...document.querySelectorAll(parts)].filter((e) => e.offsetParent !== null && !named(e)).map((e) => e.outerHTML),
    ...ids.filter((id, index) => ids.indexOf(id) !== index),
  ];
}
