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
  // cost in US dollars, ms and tokens are written as the program does (internal/text):
  // $1,234.50, $0.050, $0.0012
  cost: x => {
    if (x < 0) return "−" + show.cost(-x);
    if (x === 0) return "$0";
    if (x < 1e-5) return "<$0.00001";
    if (x < .995) return "$" + x.toPrecision(2);
    return "$" + x.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  },
  // 250µs, 12ms, 1.2s, 42s, 3m 05s, 2h 10m
  ms: x => {
    const pair = (n, of, large, small) => Math.floor(n / of) + large + (n % of ? " " + String(n % of).padStart(2, "0") + small : "");
    if (x < 0) return "−" + show.ms(-x);
    if (x === 0) return "0s";
    if (x < .9995) return Math.round(x * 1000) + "µs";
    if (x < 999.5) return Math.round(x) + "ms";
    if (x < 9950 && x % 1000) return (x / 1000).toFixed(1) + "s";
    if (x < 59500) return Math.round(x / 1000) + "s";
    if (x < 3599500) return pair(Math.round(x / 1000), 60, "m", "s");
    return pair(Math.round(x / 60000), 60, "h", "m");
  },
  // 950, 12.3k, 123k, 4.56M
  tokens: x => {
    for (const [below, of, digits, unit] of [[1e3, 1, 0, ""], [99950, 1e3, 1, "k"], [999500, 1e3, 0, "k"], [9995e5, 1e6, 2, "M"]]) {
      if (x < below) return (x / of).toFixed(digits) + unit;
    }
    return (x / 1e9).toFixed(2) + "G";
  },
};

// statusOf is the element that says how something ended, such as pass or fail.
const statusOf = (word, text) => el("span", { class: "status " + (word === "flaky" ? "error" : word) }, text || word);

// outside is a link that leads to another site, or its text where it leads nowhere.
const outside = l => l.to ? el("a", { href: l.to, rel: "noreferrer noopener" }, l.text) : l.text;

// focusNext moves the focus by some places in a list: from at, or to its beginning or
// end where the focus is outside of it.
function focusNext(list, by, at = list.indexOf(document.activeElement)) {
  const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + by))];
  if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
}

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
