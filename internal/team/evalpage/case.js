"use strict";
// The page of a case: what was asked, what came, why it is wrong, since when.
// Everything is in pageData; only a label is sent.
{
  const d = pageData();
  const page = document.getElementById("page");
  const most = 12000; // characters of a text that are shown at first
  const href = id => d.base + encodeURIComponent(id);
  const size = n => n < 1e6 ? Math.ceil(n / 1000) + " KB" : (n / 1e6).toFixed(1) + " MB";

  // The order of the cases is the one that the run's page was left in.
  let order = null;
  try { order = JSON.parse(sessionStorage.getItem("cairn cases " + d.list)); } catch { /* the run's own */ }
  let at = d.at, of = d.of, prev = d.prev, next = d.next;
  const here = Array.isArray(order) ? order.indexOf(d.id) : -1;
  if (here >= 0) [at, of, prev, next] = [here + 1, order.length, order[here - 1], order[here + 1]];
  const step = (id, text, key) => id ? el("a", { class: "button", href: href(id), title: key }, text) : el("span", { class: "button off", "aria-hidden": "true" }, text);

  // cut shows the beginning of a long text, and all of it when asked.
  function cut(text, left, redraw) {
    if (text.length <= most && !left) return { text };
    const short = text.slice(0, most);
    return { text: text.length > most ? short : text, all: el("p", { class: "all" },
      text.length > most ? el("button", { class: "button", type: "button", click: redraw }, "Show all (" + size(text.length + (left || 0)) + ")") : "",
      left ? el("span", { class: "soft small" }, " " + size(left) + " more are not on this page; cairn eval show --json has them") : "") };
  }

  // pieces is a very long text in blocks, of which a browser lays out those that are
  // seen: a megabyte in one takes it seconds. They end at a line's end, or at a word's.
  function pieces(text) {
    const size = 8000, list = [];
    for (let i = 0; i < text.length;) {
      let end = Math.min(text.length, i + size);
      if (end < text.length) {
        const line = text.lastIndexOf("\n", end - 1), word = text.lastIndexOf(" ", end - 1);
        end = line > i ? line + 1 : word > i ? word + 1 : end;
      }
      list.push(el("span", { class: "piece" }, text.slice(i, end)));
      i = end;
    }
    return list;
  }

  // block is one text under its name.
  function block(t, marked, open) {
    const box = el("div", { class: "said" });
    const draw = whole => {
      const c = whole ? { text: t.text } : cut(t.text, t.cut, () => draw(true));
      box.replaceChildren(...[t.name ? el("h4", {}, t.name) : "", el("pre", { tabindex: 0, "aria-label": t.name || open || "answer" }, marked && c.text === t.text ? marked : c.text.length > 4 * most ? pieces(c.text) : c.text), c.all].filter(Boolean));
    };
    draw(false);
    return box;
  }

  function checks(a) {
    const rows = [];
    if (a.error) rows.push(el("div", { class: "check" }, el("p", { class: "what" }, el("span", { class: "status error" }, "error")), el("pre", { tabindex: 0, "aria-label": "error" }, a.error)));
    for (const c of a.checks || []) rows.push(el("div", { class: "check" },
      el("p", { class: "what" }, el("span", { class: "status fail" }, c.kind || "check"), el("span", {}, " ", c.says)),
      (c.details || []).map(t => el("p", { class: "small" }, t)),
      c.expected ? el("p", { class: "small" }, el("span", { class: "soft" }, "expected "), el("code", {}, c.expected)) : "",
      c.actual ? el("p", { class: "small" }, el("span", { class: "soft" }, "actual "), el("code", {}, c.actual)) : ""));
    if (a.held) rows.push(el("details", { class: "held small", open: !(a.checks || []).length && a.held.some(h => h.passed === false) }, el("summary", {}, "All checks: " + a.held.filter(h => h.passed).length + " of " + a.held.filter(h => h.passed !== undefined).length + " passed"),
      el("ul", {}, a.held.map(h => el("li", { class: "deep" + Math.min(3, h.depth || 0) }, el("span", { class: "status " + (h.passed === undefined ? "" : h.passed ? "pass" : "fail") }, h.name || "check"), h.about ? el("span", { class: "soft" }, " " + h.about) : "", h.reason ? el("p", {}, h.reason) : "")))));
    if (a.scores) rows.push(el("ul", { class: "scores" }, a.scores.map(s => el("li", {}, s.least ? el("span", { class: "status " + (s.short ? "fail" : "pass") }, s.name || "score") : s.name || "score", " ", el("b", {}, s.score), s.least ? el("span", { class: "soft" }, " / " + s.least) : ""))));
    if (a.reason) rows.push(el("div", { class: "reason" }, el("h4", {}, "Judge"), el("p", {}, a.reason)));
    if (a.judges) rows.push(el("ul", { class: "judges small" }, a.judges.map(j => el("li", {}, el("span", { class: "soft" }, j.model + ": "), j.said))));
    if (a.trace) rows.push(el("p", { class: "small" }, el("a", { href: a.trace, rel: "noreferrer noopener" }, "Trace on " + new URL(a.trace).host)));
    if (a.more) rows.push(el("details", { class: "more small" }, el("summary", {}, "Other fields"), a.more.map(t => block(t))));
    return rows;
  }

  // column is one answer. Its attempts take turns; the first that did not pass is shown.
  const shown = new Map();
  const attempt = x => x.attempts[shown.get(x) ?? Math.max(0, x.attempts.findIndex(a => a.status !== "pass"))];
  function column(x, marked, redraw) {
    const a = attempt(x);
    return el("section", { class: "column" },
      el("h3", {}, x.name, " ", statusOf(x.status)),
      x.about ? el("p", { class: "about" }, x.about, (x.links || []).map(l => [" · ", outside(l)])) : "",
      x.attempts.length > 1 ? el("div", { class: "chips", role: "group", "aria-label": "Attempts of " + x.name }, x.attempts.map((o, i) => el("button", { class: "button chip", type: "button", "aria-pressed": o === a ? "true" : "false", click: () => { shown.set(x, i); redraw(); } }, el("span", { class: "status " + o.status }, String(o.try))))) : "",
      a.facts ? el("p", { class: "about" }, a.facts) : "",
      a.answer ? a.answer.map((t, i) => block(t, marked && marked[i], "answer of " + x.name)) : el("p", { class: "soft" }, "The run has no answer for this case."),
      checks(a));
  }

  // pair is several answers side by side. Marked is what differs: of two, in both;
  // of more, from another answer.
  function pair(answers, other) {
    const box = el("div", { class: "columns n" + Math.min(answers.length, 4) });
    const draw = () => {
      const texts = answers.map(x => attempt(x).answer || []);
      const marks = answers.map(() => []);
      const from = other ? attempt(other).answer || [] : texts[0];
      for (let k = other ? 0 : 1; k < answers.length; k++) texts[k].forEach((t, i) => {
        const j = from.findIndex(o => o.name === t.name);
        if (j < 0 || t.text.length > 2e5 || from[j].text.length > 2e5) return;
        const [a, b] = words(from[j].text, t.text);
        marks[k][i] = b;
        if (!other) marks[0][j] = a;
      });
      const same = !other && texts.length === 2 && texts[0].length && JSON.stringify(texts[0]) === JSON.stringify(texts[1]);
      box.replaceChildren(...(same ? [el("p", { class: "same soft" }, "Both answers are the same text.")] : []), ...answers.map((x, k) => column(x, marks[k], draw)));
    };
    draw();
    return box;
  }

  const [mine, ...others] = d.answers;
  page.append(
    el("nav", { class: "where", "aria-label": "Cases of the run" },
      el("a", { href: d.run.to }, d.run.text), at ? el("span", { class: "soft" }, "case " + show.int(at) + " of " + show.int(of)) : "",
      el("span", { class: "steps" }, step(prev, "← Previous", "k"), step(next, "Next →", "j"), el("button", { class: "button keys", type: "button", click: () => toggleHelp() }, "Keys ", el("kbd", {}, "?")))),
    el("header", { class: "case-head" },
      el("div", { class: "top" }, el("h1", {}, d.title), el("span", { class: "pill " + d.status }, statusOf(d.status))),
      el("p", { class: "soft" }, [d.suite, d.variant && "variant " + d.variant, d.category, ...(d.tags || [])].filter(Boolean).join(" · "), (d.links || []).map(l => [" · ", outside(l)]))),
    ...(d.notes || []).map(n => el("p", { class: "note warn" }, n)),
    d.past && d.past.length ? el("section", { class: "past" }, el("h2", { class: "unseen" }, "History"),
      el("ol", { class: "strip", "aria-label": "The last " + d.past.length + " results, the newest last" }, d.past.map(p => {
        const square = { class: "square " + p.status + (p.here ? " here" : "") + (p.beside ? " beside" : ""), title: p.status + " · " + p.about, "aria-label": p.status + ", " + p.about, "aria-current": p.here ? "true" : undefined };
        return el("li", {}, p.to ? el("a", { ...square, href: p.to }) : el("span", { ...square, role: "img" }));
      })), el("p", { class: "since" }, d.since, d.beside ? [" ", el("a", { href: d.beside.to }, d.beside.text)] : "")) : "",
    d.why ? el("p", { class: "note bad why" }, d.why) : "",
    d.labels ? el("div", { class: "labels", role: "group", "aria-label": "Labels" }) : "",
    d.asked ? el("div", { class: "columns n" + Math.min(3, d.asked.length) }, d.asked.map(t => el("section", { class: "column asked" }, el("h2", {}, t.name), block({ ...t, name: "" }, null, t.name)))) : el("p", { class: "soft" }, "The run does not record what was asked. Runners can write it as input or prompt of a result."),
    el("h2", {}, others.length ? "Answers" : "Answer"), pair([mine, ...others]),
    ...(d.variants ? [el("h2", {}, "Other variants"), pair(d.variants, mine)] : []));

  // ---- labels

  async function label(pass, criterion) {
    const l = d.labels, given = l.given || (l.given = {});
    const value = given[criterion] === pass ? null : pass; // once more takes it back
    let said = "", note = "";
    try {
      const r = await fetch(l.to, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ run: l.run, case: l.case, criterion, pass: value }) });
      if (!r.ok) said = "The label was not saved: " + ((r.headers.get("Content-Type") || "").startsWith("application/json") ? await r.json().then(p => p.hint || p.message) : (await r.text()).trim());
      else if (r.status === 200) note = (await r.json()).note; // kept, but not everywhere
    } catch { said = "The label was not saved: the server does not answer."; }
    if (!said) { if (value === null) delete given[criterion]; else given[criterion] = value; }
    labels(said || note);
    announce(said || note || (value === null ? "The label is removed." : "Labelled " + (value ? "right" : "wrong") + "."));
  }
  function labels(problem) {
    const box = document.querySelector(".labels");
    if (!box) return;
    const given = d.labels.given || {};
    const buttons = (criterion, first) => [[true, "right", "r"], [false, "wrong", "w"]].map(([pass, word, key]) => el("button", { class: "button chip", type: "button", "data-pass": String(pass), "aria-pressed": String(given[criterion] === pass), click: () => label(pass, criterion) }, el("span", { class: "status " + (pass ? "pass" : "fail") }, word), first ? [" ", el("kbd", {}, key)] : ""));
    const group = (name, criterion, first) => el("span", { class: "label" }, el("span", { class: "soft" }, name), buttons(criterion, first));
    const others = (d.labels.others || []).map(o => el("span", { class: "label small" }, el("span", {}, o.who + (o.criterion === "*" ? "" : " · " + o.criterion)), el("span", { class: "status " + (o.pass ? "pass" : "fail") }, o.pass ? "right" : "wrong")));
    box.replaceChildren(...(d.labels.to ? [group("Is the answer right?", "*", true), ...(d.labels.criteria || []).map(c => group(c, c, false))] : []),
      others.length ? el("div", { class: "others" }, el("span", { class: "soft small" }, "Others say:"), others) : "",
      d.labels.note ? el("span", { class: "soft small" }, d.labels.note) : "",
      problem ? el("span", { class: "bad small" }, " " + problem) : "");
  }
  labels("");

  const toggleHelp = shortcuts([
    { key: "j", what: "next case", run: () => { if (next) location.href = href(next); } },
    { key: "k", what: "previous case", run: () => { if (prev) location.href = href(prev); } },
    { key: "u", what: "back to the run", run: () => { location.href = d.run.to; } },
    ...(d.labels && d.labels.to ? [{ key: "r", what: "label the answer right", run: () => { label(true, "*"); } }, { key: "w", what: "label the answer wrong", run: () => { label(false, "*"); } }] : []),
    { key: "a", what: "show all of long texts", run: () => document.querySelectorAll(".said .all button").forEach(b => b.click()) },
  ]);
}
