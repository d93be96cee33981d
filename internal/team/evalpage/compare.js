"use strict";
// The page of a comparison: everything is in pageData, nothing is fetched.
const d = pageData();
const word = v => v.split(" ")[0]; // the class of a verdict or of a case: regression, no, not, lost, …
const label = name => ({ lost: "regressed", gained: "fixed" })[name] || name; // what a person reads
const verdict = (v, text) => el("span", { class: "verdict " + word(v) }, text);
const step = 200; // cases that are shown at a time

const caseClass = c => c.class === "flaky" && c.change ? "flaky " + (c.change < 0 ? "worse" : "better") : word(c.class);

// ---- above the cases

function table(t) {
  const figures = t.head.map((_, i) => i > 0 && i < t.head.length - 1);
  return el("div", { class: "tables" }, el("h2", {}, t.title), el("div", { class: "scroll" }, el("table", { class: "stack" },
    el("thead", {}, el("tr", {}, t.head.map((h, i) => el("th", { scope: "col", class: figures[i] && "n" }, h)))),
    el("tbody", {}, t.rows.map((row, r) => el("tr", {}, row.map((cell, i) =>
      i === 0 ? el("th", { scope: "row" }, cell)
        : i === row.length - 1 ? el("td", {}, verdict(t.verdicts[r], cell))
          : el("td", { class: "n", "data-label": cell && t.head[i] }, cell))))))));
}

const count = name => d.classes.find(c => c.class === name).count;
const chips = [["changed", "all that changed", () => true],
  ...d.classes.filter(c => c.class !== "passed" && c.count).map(c => [c.class, c.what, null])];

const suites = [...new Set((d.cases || []).map(c => c.suite).filter(Boolean))].sort();

document.getElementById("page").append(
  el("div", { class: "top" }, el("h1", {}, "Eval compare"), el("span", { class: "pill " + word(d.verdict) }, verdict(d.verdict, d.verdict)),
    el("button", { class: "button", id: "help", click: () => toggleHelp() }, "Keys ", el("kbd", {}, "?"))),
  el("p", { id: "summary" }, d.summary),
  d.scored ? el("p", { id: "scored" }, verdict(d.score, "scores: " + d.scored)) : "",
  ...(d.notes || []).map(n => el("p", { class: "note warn" }, n.text)),
  el("div", { class: "sides" }, d.sides.map((s, i) => el("section", { class: "card" }, el("h2", {}, "AB"[i]), el("p", {}, d.runs ? el("a", { href: d.runs[i] }, s.name) : s.name), el("p", { class: "soft small" }, s.outcome)))),
  el("div", { class: "tiles" }, ["lost", "gained", "flaky", "not judged", "failed", "passed"].map(k => el("div", { class: "tile" }, el("b", {}, show.int(count(k))), el("span", {}, k === "failed" ? "failed in both" : k === "passed" ? "passed in both" : label(k))))),
  ...(d.tables || []).map(table),
  d.spend && d.spend.length ? el("ul", { class: "spend" }, d.spend.map(s => el("li", {}, s))) : "",
  el("h2", { id: "heading" }, "Cases"),
  el("div", { class: "bar" },
    el("input", { class: "field", id: "filter", type: "search", placeholder: "Filter by name or message", "aria-label": "Filter by name or message", input: () => draw() }),
    suites.length > 1 ? el("select", { class: "field", id: "suite", "aria-label": "Suite", change: () => draw() }, el("option", { value: "" }, "All suites"), suites.map(s => el("option", {}, s))) : "",
    el("div", { class: "chips", role: "group", "aria-label": "Which cases" }, chips.map(([name, what], i) => el("button", { class: "button chip", "data-name": name, title: what + (i < 9 ? " (" + (i + 1) + ")" : ""), "aria-pressed": "false", click: () => choose(name) },
      name === "changed" ? name : el("span", { class: "class " + word(name) }, label(name)), " ", el("b", {}))))),
  el("p", { id: "shown", class: "soft small" }),
  el("ol", { id: "cases" }),
  el("button", { class: "button", id: "more", hidden: true, click: () => { limit += step; fill(); } }, "Show more"),
  el("footer", {}, d.test));

// ---- one case

function side(name, ran, message) {
  return el("section", {}, el("h3", {}, name, " ", ran ? statusOf(ran.status) : el("span", { class: "soft" }, "not in this run")),
    ran && ran.facts ? el("p", { class: "facts" }, ran.facts) : "",
    message.some(Boolean) ? el("pre", { tabindex: 0, "aria-label": "what " + name + " says" }, message) : "",
    ran && ran.preview && !d.said ? el("div", { class: "preview", tabindex: 0, "aria-label": "response of " + name }, ran.preview) : "");
}

// answers are what was asked and answered, side by side, where the page has it.
function answers(c) {
  const said = d.said && d.said[(c.suite || "") + "\n" + c.title];
  if (!said) return "";
  const texts = (list, marked, of) => (list || []).map((t, i) => [t.name ? el("h4", {}, t.name) : "", el("pre", { tabindex: 0, "aria-label": of + (t.name ? ": " + t.name : "") }, marked && marked[i] || t.text, t.cut ? el("span", { class: "soft" }, " … the case's page has the rest") : "")]);
  const marks = [[], []];
  (said.a || []).forEach((t, i) => {
    const j = (said.b || []).findIndex(o => o.name === t.name);
    if (j >= 0) [marks[0][i], marks[1][j]] = words(t.text, said.b[j].text);
  });
  return [said.asked ? el("div", { class: "asked" }, texts(said.asked, null, "asked")) : "",
    said.a || said.b ? el("div", { class: "both" }, el("section", {}, el("h4", {}, "Answer of A"), texts(said.a, marks[0], "answer of A")), el("section", {}, el("h4", {}, "Answer of B"), texts(said.b, marks[1], "answer of B"))) : ""];
}

// pages leads to the case in each of the runs.
function pages(c) {
  const ids = d.ids && d.ids[(c.suite || "") + "\n" + c.title];
  return ids ? el("p", { class: "pages small" }, ids.map((id, i) => id ? el("a", { href: d.bases[i] + encodeURIComponent(id) }, "the case in " + "AB"[i]) : "")) : "";
}

const text = ran => ran && ran.messages ? ran.messages.join("\n\n") : "";

function item(c) {
  const title = el("summary", { class: "case" }, el("span", { class: "class " + caseClass(c) }, label(c.class)),
    el("span", { class: "title" }, c.suite ? el("span", { class: "suite" }, c.suite + " › ") : "", c.title), c.aside || c.brief ? el("span", { class: "brief" }, (c.aside ? "(quarantined) " : "") + c.brief) : "");
  const box = el("details", {}, title);
  box.addEventListener("toggle", () => { // made when it is looked at
    if (!box.open || box.children.length > 1) return;
    const [a, b] = words(text(c.a), text(c.b));
    box.append(el("div", { class: "both" }, side("A", c.a, a), side("B", c.b, b)), ...[answers(c)].flat().filter(Boolean), pages(c));
  });
  return el("li", {}, box);
}

// ---- which cases

const all = (d.cases || []).map(c => ({ c, text: [c.suite, c.title, text(c.a), text(c.b)].join("\n").toLowerCase() }));
const changed = c => !["failed", "skipped"].includes(c.class);
let chosen = "changed", limit = step, found = [];

function choose(name) {
  chosen = chosen === name ? "changed" : name;
  draw();
}

function draw() {
  const wanted = document.getElementById("filter").value.trim().toLowerCase();
  const suite = document.getElementById("suite")?.value;
  const hits = all.filter(x => (!wanted || x.text.includes(wanted)) && (!suite || x.c.suite === suite));
  const kept = name => hits.filter(x => name === "changed" ? changed(x.c) : x.c.class === name);
  for (const b of document.querySelectorAll(".chip")) {
    b.setAttribute("aria-pressed", b.dataset.name === chosen);
    b.querySelector("b").textContent = show.int(kept(b.dataset.name).length);
  }
  found = kept(chosen);
  limit = step;
  document.getElementById("cases").replaceChildren();
  fill();
}

function fill() {
  const list = document.getElementById("cases");
  list.append(...found.slice(list.children.length, limit).map(x => item(x.c)));
  const more = found.length - list.children.length;
  document.getElementById("more").hidden = more <= 0;
  const said = found.length === 0 ? "no case is like that" : more > 0 ? show.int(list.children.length) + " of " + show.int(found.length) + " cases" : show.int(found.length) + (found.length === 1 ? " case" : " cases");
  document.getElementById("shown").textContent = said;
  announce(said);
}

function go(by) {
  const list = [...document.querySelectorAll("summary.case")];
  focusNext(list, by, list.indexOf(document.activeElement.closest("#cases > li")?.querySelector("summary")));
}

const openAll = open => document.querySelectorAll("#cases details").forEach(e => { e.open = open; });

const toggleHelp = shortcuts([
  { key: "j", what: "next case", run: () => go(1) },
  { key: "k", what: "previous case", run: () => go(-1) },
  { key: "Enter", what: "open or close the case", run: () => false },
  { key: "/", what: "filter", run: () => document.getElementById("filter").focus() },
  { key: "Escape", what: "clear the filter", run: () => { const f = document.getElementById("filter"); f.value = ""; f.blur(); chosen = "changed"; if (suites.length > 1) document.getElementById("suite").value = ""; draw(); } },
  { key: "e", what: "open all that are shown", run: () => openAll(true) },
  { key: "c", what: "close all", run: () => openAll(false) },
  ...chips.slice(0, 9).map(([name], i) => ({ key: String(i + 1), what: name, run: () => choose(name) })),
]);
draw();
