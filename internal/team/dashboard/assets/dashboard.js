"use strict";
// The team pages' script: what a page can do without one, it does without. It
// follows base.js.

// Tables: heads sort, long ones open.
for (const table of document.querySelectorAll(".panel table")) {
  for (const th of table.tHead.rows[0].cells) th.replaceChildren(el("button", { type: "button" }, th.textContent));
  sortable(table);
}
for (const button of document.querySelectorAll("button.all")) {
  const table = button.previousElementSibling.querySelector("table"), closed = button.textContent;
  button.addEventListener("click", () => {
    const open = table.classList.toggle("open");
    button.setAttribute("aria-expanded", open);
    button.textContent = open ? "Show fewer rows" : closed;
    if (!open) button.scrollIntoView({ block: "nearest" });
  });
}

// Commands: a click copies. Without TLS browsers have no clipboard, but still
// copy what is selected.
for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    const code = button.previousElementSibling;
    let done = false;
    try {
      await navigator.clipboard.writeText(code.textContent);
      done = true;
    } catch {
      getSelection().selectAllChildren(code);
      done = document.execCommand("copy");
    }
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    announce(done ? "The command is copied." : "The command is selected; copy it.");
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

// Menus close with Escape, and when something else is clicked or focused.
const menus = [...document.querySelectorAll("details.menu")];
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  for (const menu of menus) {
    if (!menu.open) continue;
    const inside = menu.contains(document.activeElement);
    menu.open = false;
    if (inside) menu.querySelector("summary").focus();
  }
});
for (const kind of ["pointerdown", "focusin"]) {
  document.addEventListener(kind, event => {
    for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
  });
}

// The filter: a choice with a pointer applies at once, one with the keyboard
// when Apply or Enter says so, or arrow keys would load a page for each option.
const filter = document.querySelector("form.filter");
if (filter) {
  let keyed = false;
  filter.addEventListener("keydown", () => { keyed = true; });
  filter.addEventListener("pointerdown", () => { keyed = false; });
  filter.addEventListener("change", event => { if (!keyed && event.target.matches("select")) filter.requestSubmit(); });
  // empty fields stay out of the address
  filter.addEventListener("submit", () => {
    const dated = ["from", "to"].some(name => filter.elements[name].value);
    for (const field of filter.elements) if (field.name && (field.value === "" || dated && field.name === "weeks")) field.disabled = true;
  });
  addEventListener("pageshow", () => { for (const field of filter.elements) field.disabled = false; });
}

// The bar of views on a telephone begins with the one that is shown.
const here = document.querySelector("nav.views [aria-current]"), views = document.querySelector("nav.views ul");
if (here && views.scrollWidth > views.clientWidth) views.scrollLeft = here.offsetLeft - (views.clientWidth - here.offsetWidth) / 2;
