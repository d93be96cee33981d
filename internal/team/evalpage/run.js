"use strict";
// The page of a run: its cases, the ones to look at first. Everything is in pageData.
{
  const d = pageData();
  const chunk = 100;      // rows of a list of their own: what is not seen of it the browser does not lay out
  const atOnce = 4;       // chunks that are made before the page is first drawn, and then in each pause
  const mostRows = 50000; // more than a browser scrolls well; the filter finds the rest
  const page = document.getElementById("page");
  const href = (base, id) => base + encodeURIComponent(id);
  const words = ["fail", "error", "flaky", "pass", "skip"];

  const select = (name, what, list) => list ? el("select", { class: "field", id: name, "aria-label": what, change: () => draw() }, el("option", { value: "" }, "All " + what),
    list.map(v => el("option", {}, v))) : "";

  const found = d.variants && d.variants.length > 1 && d.pairs ? el("form", { class: "pair", submit: event => {
    event.preventDefault();
    const [a, b] = ["pair-a", "pair-b"].map(id => encodeURIComponent(document.getElementById(id).value));
    location.href = d.pairs + "&av=" + a + "&bv=" + b;
  } }, "Compare ", el("select", { class: "field", id: "pair-a", "aria-label": "Variant A" }, d.variants.map(v => el("option", {}, v))), " with ",
  el("select", { class: "field", id: "pair-b", "aria-label": "Variant B" }, d.variants.map((v, i) => el("option", { selected: i === 1 }, v))), " ", el("button", { class: "button" }, "Compare")) : "";

  page.append(
    d.up ? el("nav", { class: "where", "aria-label": "Where" }, el("a", { href: d.up.to }, d.up.text)) : "",
    el("header", { class: "run-head" },
      el("div", { class: "top" }, el("h1", {}, d.title), el("button", { class: "button keys", type: "button", click: () => toggleHelp() }, "Keys ", el("kbd", {}, "?"))),
      el("p", { class: "soft" }, d.about, (d.links || []).map(l => [" · ", outside(l)]))),
    el("div", { class: "tiles" }, d.facts.map(f => el("div", { class: "tile" }, el("b", {}, f.value), el("span", {}, f.what)))),
    d.costs ? el("ul", { class: "costs small soft" }, d.costs.map(c => el("li", {}, c))) : "",
    ...(d.notes || []).map(n => el("p", { class: "note warn" }, n)),
    d.compare || found ? el("div", { class: "beside" }, (d.compare || []).map(l => el("a", { class: "button", href: l.to }, l.text)), found) : "",
    el("h2", { id: "heading" }, "Cases"),
    el("div", { class: "bar" },
      el("input", { class: "field", id: "filter", type: "search", placeholder: "Search name or reason", "aria-label": "Search name or reason", input: () => draw() }),
      select("suite", "suites", d.suites), select("variant", "variants", d.variants),
      el("div", { class: "chips", role: "group", "aria-label": "Status" }, words.map((w, i) => el("button", { class: "button chip", type: "button", "data-name": w, title: "Show only these (" + (i + 1) + ")", "aria-pressed": "false", click: () => choose(w) }, statusOf(w), " ", el("b", {}))))),
    el("p", { id: "shown", class: "soft small" }),
    el("div", { id: "rows" }));

  // ---- the rows

  const list = document.getElementById("rows");
  const rows = d.rows.map(r => ({ r, text: [r.s, r.t, r.v, r.why].join("\n").toLowerCase(), li: null }));
  const made = x => x.li || (x.li = el("li", {}, el("a", { class: "case", href: href(d.base, x.r.id) }, statusOf(x.r.st),
    el("span", { class: "title" }, x.r.s ? el("span", { class: "suite" }, x.r.s + " › ") : "", x.r.t, x.r.v ? el("span", { class: "variant" }, " [" + x.r.v + "]") : "", x.r.n ? el("span", { class: "tries" }, " " + x.r.n + " passed") : ""),
    el("span", { class: "facts" }, x.r.f || ""), x.r.why ? el("span", { class: "brief" }, x.r.why) : "")));

  const chosen = new Set();
  let kept = [], drawn = 0, pause = 0;
  const value = id => { const e = document.getElementById(id); return e ? e.value : ""; };

  function choose(word) {
    if (chosen.has(word)) chosen.delete(word);
    else chosen.add(word);
    draw();
  }

  function draw() {
    const wanted = value("filter").trim().toLowerCase(), suite = value("suite"), variant = value("variant");
    const hits = rows.filter(x => (!wanted || x.text.includes(wanted)) && (!suite || (x.r.s || "") === suite) && (!variant || (x.r.v || "") === variant));
    for (const chip of document.querySelectorAll(".chip")) {
      const n = hits.reduce((n, x) => n + (x.r.st === chip.dataset.name), 0);
      chip.setAttribute("aria-pressed", chosen.has(chip.dataset.name));
      chip.querySelector("b").textContent = show.int(n);
      chip.hidden = n === 0 && !chosen.has(chip.dataset.name) && !rows.some(x => x.r.st === chip.dataset.name);
    }
    kept = hits.filter(x => !chosen.size || chosen.has(x.r.st));
    drawn = 0;
    cancelAnimationFrame(pause);
    list.replaceChildren();
    fill();
    const said = kept.length === 0 ? (rows.length ? "No case matches." : "The run lists no cases.") : show.int(kept.length) + (kept.length === rows.length ? "" : " of " + show.int(rows.length)) + (rows.length === 1 ? " case" : " cases");
    document.getElementById("shown").textContent = said + (kept.length > mostRows ? "; the first " + show.int(mostRows) + " are listed, search finds the others" : "");
    announce(said);
    try { // the pages of cases go on in this order
      sessionStorage.setItem("cairn cases " + d.list, JSON.stringify(kept.slice(0, mostRows).map(x => x.r.id)));
    } catch { /* they go on in the run's own */ }
    const q = new URLSearchParams();
    for (const [name, v] of [["q", value("filter")], ["suite", suite], ["variant", variant], ["status", [...chosen].join(",")]]) if (v) q.set(name, v);
    history.replaceState(null, "", location.pathname + location.search + (q.size ? "#" + q : ""));
  }

  // fill adds rows and lets the browser draw in between, so that ten thousand of
  // them hold up nobody.
  function fill() {
    const end = Math.min(kept.length, mostRows);
    for (let k = 0; k < atOnce && drawn < end; k++) {
      list.append(el("ol", {}, kept.slice(drawn, Math.min(end, drawn + chunk)).map(made)));
      drawn += chunk;
    }
    if (drawn < end) pause = requestAnimationFrame(fill);
  }

  const go = by => focusNext([...list.querySelectorAll("a.case")], by);

  const toggleHelp = shortcuts([
    { key: "j", what: "next case", run: () => go(1) },
    { key: "k", what: "previous case", run: () => go(-1) },
    { key: "Enter", what: "open the case", run: () => false },
    { key: "/", what: "search", run: () => document.getElementById("filter").focus() },
    { key: "Escape", what: "show all", run: () => { const f = document.getElementById("filter"); f.value = ""; f.blur(); for (const id of ["suite", "variant"]) if (document.getElementById(id)) document.getElementById(id).value = ""; chosen.clear(); draw(); } },
    ...words.map((w, i) => ({ key: String(i + 1), what: w, run: () => choose(w) })),
    ...(d.compare || []).slice(0, 1).map(l => ({ key: "c", what: l.text.toLowerCase(), run: () => { location.href = l.to; } })),
  ]);

  const before = new URLSearchParams(location.hash.slice(1));
  for (const [id, name] of [["filter", "q"], ["suite", "suite"], ["variant", "variant"]]) if (document.getElementById(id)) document.getElementById(id).value = before.get(name) || "";
  for (const w of (before.get("status") || "").split(",")) if (words.includes(w)) chosen.add(w);
  draw();
}
