"use strict";
// What the scripts of all pages share. A page's own script follows in the same
// element. Nothing here or there makes markup of text: el and textContent only.

// el makes an element. Of props, a function is an event's listener ("click"),
// false and undefined are left out, true is an attribute without a value; inside are texts,
// elements and lists of them.
function el(tag, props, ...inside) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (typeof v === "function") e.addEventListener(k, v);
    else if (v !== undefined && v !== null && v !== false) e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...inside.flat(Infinity).filter(x => x !== undefined && x !== null && x !== false));
  return e;
}

// pageData is what the program wrote into the page, or null.
function pageData() {
  const e = document.getElementById("data");
  return e ? JSON.parse(e.textContent) : null;
}

const show = {
  int: x => Math.round(x).toLocaleString("en-US"),
  percent: (share, digits = 1) => (100 * share).toFixed(digits) + " %",
  // cost in US dollars: cents for what a person pays, more digits for what a call costs
  cost: x => "$" + (x === 0 || x >= 1 ? x.toFixed(2) : x >= .01 ? x.toFixed(3) : x.toPrecision(2)),
  // ms, as a person would say it: 340ms, 4.2s, 3m 05s, 2h 10m
  ms: x => {
    if (x < 1000) return Math.round(x) + "ms";
    if (x < 9950) return (x / 1000).toFixed(1) + "s";
    const s = Math.round(x / 1000), two = n => String(n).padStart(2, "0");
    if (s < 60) return s + "s";
    if (s < 3600) return Math.floor(s / 60) + "m " + two(s % 60) + "s";
    return Math.floor(s / 3600) + "h " + two(Math.floor(s % 3600 / 60)) + "m";
  },
};

// statusOf is the element that says how something ended, such as pass or fail.
const statusOf = (word, text) => el("span", { class: "status " + word }, text || word);

// announce tells a screen reader what changed.
function announce(text) {
  let e = document.getElementById("announce");
  if (!e) document.body.append(e = el("div", { id: "announce", class: "unseen", role: "status" }));
  e.textContent = text;
}

// sortable lets the buttons in a table's head sort. Each is named by the
// data-key of its th; data-first="descending" says where a first click goes.
// sort(key, descending) does it; without one the rows of the first tbody are
// put in order of their cells' data-sort, or text.
function sortable(table, sort) {
  const heads = [...table.tHead.rows[0].cells];
  const byCells = (key, down) => {
    const i = heads.findIndex(th => th.dataset.key === key), body = table.tBodies[0];
    const value = row => row.cells[i].dataset.sort ?? row.cells[i].textContent;
    const numeric = [...body.rows].every(row => value(row) === "" || !isNaN(value(row)));
    const order = (a, b) => numeric ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true });
    body.append(...[...body.rows].sort((a, b) => down ? order(b, a) : order(a, b)));
  };
  for (const th of heads) {
    const button = th.querySelector("button");
    if (!button) continue;
    button.addEventListener("click", () => {
      const was = th.getAttribute("aria-sort");
      const down = was ? was === "ascending" : th.dataset.first === "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", down ? "descending" : "ascending");
      (sort || byCells)(th.dataset.key, down);
    });
  }
}

// shortcuts binds keys: [{ key: "j", what: "next test", run: () => … }], and ?
// to a list of them. A key typed into a field is the field's, but for Escape
// and keys with typing: true.
function shortcuts(list) {
  const help = el("dialog", { "aria-labelledby": "keys-title" },
    el("h2", { id: "keys-title" }, "Keyboard"),
    el("dl", { class: "keys" }, list.filter(s => s.what).map(s => [el("dt", {}, el("kbd", {}, s.shown || s.key)), el("dd", {}, s.what)]),
      el("dt", {}, el("kbd", {}, "?")), el("dd", {}, "this list")),
    el("form", { method: "dialog" }, el("button", { class: "button" }, "Close")));
  document.body.append(help);
  const toggle = () => help.open ? help.close() : help.showModal();
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "?" && !typing) { event.preventDefault(); toggle(); return; }
    if (help.open) return;
    const s = list.find(s => s.key === event.key && (!typing || s.typing || s.key === "Escape"));
    // Enter and space on a button or a link are the button's
    if (!s || (event.key === "Enter" || event.key === " ") && event.target.closest("button, a, summary")) return;
    if (s.run(event) !== false) event.preventDefault();
  });
  return toggle;
}
