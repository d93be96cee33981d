"use strict";
// The list of stored runs.
{
  const d = pageData();
  document.getElementById("page").append(
    el("div", { class: "top" }, el("h1", {}, d.title), el("button", { class: "button keys", type: "button", click: () => toggleHelp() }, "Keys ", el("kbd", {}, "?"))),
    el("div", { class: "bar" }, el("input", { class: "field", id: "filter", type: "search", placeholder: "Search suite, branch, commit, label", "aria-label": "Search suite, branch, commit, label", input: () => draw() })),
    el("p", { id: "shown", class: "soft small" }),
    el("ol", { id: "rows", class: "runs" }));
  const list = document.getElementById("rows");
  const rows = d.rows.map(r => ({ text: [r.suite, r.about, r.when].join("\n").toLowerCase(), li: el("li", {}, el("a", { class: "case", href: r.to },
    statusOf(r.failed ? "fail" : r.errors ? "error" : r.passed ? "pass" : "skip", r.judged ? show.percent(r.passed / r.judged) : "not judged"),
    el("span", { class: "title" }, r.suite), el("span", { class: "facts" }, r.when),
    el("span", { class: "brief" }, [r.passed + " of " + r.judged + " passed", r.errors && r.errors + " errors", r.cost && show.cost(r.cost), r.about].filter(Boolean).join(" · "))),
  r.beside ? el("a", { class: "small against", href: r.beside }, "compare with the run before") : "") }));
  function draw() {
    const wanted = document.getElementById("filter").value.trim().toLowerCase();
    const kept = rows.filter(x => x.text.includes(wanted));
    list.replaceChildren(...kept.map(x => x.li));
    const said = show.int(kept.length) + (kept.length === 1 ? " run" : " runs") + (d.more && !wanted ? "; " + show.int(d.more) + " older ones are not listed" : "");
    document.getElementById("shown").textContent = rows.length ? said : "No run is stored yet. cairn eval push FILE stores what a runner wrote.";
    announce(said);
  }
  const go = by => focusNext([...list.querySelectorAll("a.case")], by);
  const toggleHelp = shortcuts([
    { key: "j", what: "next run", run: () => go(1) }, { key: "k", what: "previous run", run: () => go(-1) }, { key: "Enter", what: "open the run", run: () => false },
    { key: "/", what: "search", run: () => document.getElementById("filter").focus() },
    { key: "Escape", what: "show all", run: () => { const f = document.getElementById("filter"); f.value = ""; f.blur(); draw(); } },
  ]);
  draw();
}
