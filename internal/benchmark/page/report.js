"use strict";
const r = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");

// el makes an element; what it holds is text or elements, never markup.
function el(tag, props, ...inside) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (k === "style") e.style.cssText = v;
    else if (v !== undefined) e.setAttribute(k, v);
  }
  e.append(...inside.filter(x => x !== null && x !== undefined && x !== false));
  return e;
}
const n = x => x.toLocaleString("en-US");
const pct = x => x.toFixed(1) + " %";
const short = x => x < 10000 ? n(x) : x < 999500 ? Math.round(x / 1000) + "k" : (x / 1e6).toFixed(2) + "M";
const num = (x, label, cls) => el("span", { class: "n " + (cls || ""), "data-label": label }, x);

function bar(percent) {
  return el("div", { class: "bar", title: pct(percent) + " saved" },
    el("u", {}, el("i", { style: "width:" + Math.max(0, Math.min(100, percent)) + "%" })), el("b", {}, pct(percent)));
}
function section(title, note, ...inside) {
  page.append(el("section", {}, el("h2", {}, title), note ? el("p", { class: "note" }, note) : null, ...inside));
}
function head(kind, ...names) {
  return el("div", { class: "grid head " + kind }, ...names.map((x, i) => el("span", { class: i ? "n" : "" }, x)));
}

page.replaceChildren();
page.append(el("header", {},
  el("h1", {}, "cairn benchmark"),
  el("span", { class: "verdict " + (r.gate.pass ? "good" : "bad") }, r.gate.pass ? "ship gate passed" : "ship gate not passed"),
  el("span", { class: "soft" }, (r.since ? "calls since " + r.since.slice(0, 10) : "all transcripts") + " · level " + r.level +
    " · made " + r.made.slice(0, 16).replace("T", " ") + " UTC on this machine; nothing left it")));
if (!r.gate.pass) page.append(el("ul", { class: "reasons" }, ...r.gate.reasons.map(x => el("li", {}, x))));

const tile = (big, what, from, bad) => el("div", { class: "tile" }, el("b", { class: bad ? "bad" : "" }, big), el("span", {}, what), el("span", {}, from));
page.append(el("div", { class: "tiles" },
  tile(pct(r.corpus.percent), "saved in the scenarios", n(r.corpus.tokensBefore) + " → " + n(r.corpus.tokensAfter), r.corpus.percent < 15),
  tile(pct(r.touched.percent), "saved of what cairn may touch", n(r.touched.tokensBefore) + " tokens"),
  tile(pct(r.received.percent), "saved of all tool results", n(r.received.tokensBefore) + " tokens"),
  tile(n(r.planted.lines - r.planted.lost.length) + " of " + n(r.planted.lines), "planted failure lines kept", n(r.planted.kinds.length) + " kinds of failure", r.planted.lost.length > 0)));

// Where the tokens are.
const savedTokens = r.touched.tokensBefore - r.touched.tokensAfter;
const apart = r.apart.reduce((sum, a) => sum + a.tokens, 0);
const parts = [["saved", savedTokens, "background:var(--saved)"], ["passed on of what cairn may touch", r.touched.tokensAfter, "background:var(--left)"], ["left alone", apart, "background:var(--apart)"]];
section("Where the tokens are", "Every tool result the model received. What is left alone counts neither for cairn nor against it; the list below says why.",
  el("div", { class: "strip", role: "img", "aria-label": parts.map(p => p[0] + " " + n(p[1])).join(", ") }, ...parts.filter(p => p[1] > 0).map(p => el("i", { style: p[2] + ";flex:" + p[1], title: p[0] + ": " + n(p[1]) }))),
  el("ul", { class: "key" }, ...parts.map(p => el("li", {}, el("i", { style: p[2] }), el("span", {}, p[0]), el("b", {}, n(p[1]))))));

// Scenarios.
function scenario(s) {
  return el("details", { class: "row" },
    el("summary", { class: "grid" },
      el("span", {}, el("span", { class: "name" }, s.title), el("code", { class: "cmd" }, s.example)),
      num(n(s.calls), "calls"), num(n(s.tokensBefore), "tokens"), num(n(s.tokensAfter), "after"), bar(s.percent),
      num(s.planted ? (s.planted - s.lost) + "/" + s.planted : "–", "planted", "last" + (s.lost ? " bad" : ""))),
    el("div", { class: "inside" },
      el("code", { class: "cmd" }, s.example),
      el("p", { class: "soft" }, [s.name, (s.rules || []).length ? "rules: " + s.rules.join(", ") : "no rule", n(s.linesBefore) + " → " + n(s.linesAfter) + " lines",
        s.failed ? s.failed + " of " + s.calls + " failed" : "", s.restored ? s.restored + " lines restored by the guard" : "",
        s.verifierWouldFire ? "the verifier would be asked " + s.verifierWouldFire + " times" : ""].filter(x => x).join(" · ")),
      s.dropped && s.dropped.length ? el("p", {}, "Left out most often:") : null,
      s.dropped && s.dropped.length ? el("div", { class: "drops" }, ...s.dropped.flatMap(d => [el("b", {}, n(d.count) + " ×"), el("code", { title: d.line }, d.line)])) : el("p", { class: "soft" }, "no line was left out")));
}
function sum(name, t, cls) {
  return t.calls ? el("div", { class: "row grid " + (cls || "soft") }, el("span", {}, name), num(n(t.calls), "calls"), num(n(t.tokensBefore), "tokens"), num(n(t.tokensAfter), "after"), bar(t.percent), num("")) : null;
}
section("Scenarios", n(r.heavyTail.calls) + " calls, " + r.heavyTail.percent + " % of those with a long result, hold 80 % of the tokens of long results. Here they are by tool and command" +
  (r.heavyTail.clustersBeyondCap ? ", the " + n(r.scenarios.length) + " largest kinds of " + n(r.scenarios.length + r.heavyTail.clustersBeyondCap) : "") + ". Open one for the lines that are left out.",
  head("", "command", "calls", "tokens", "after", "saved", "planted"),
  el("div", { class: "rows" }, ...r.scenarios.map(scenario), sum("all scenarios", r.corpus, "total"), sum("other long results", r.light), sum("short results, at most 80 lines", r.short)));

if (r.planted.lost.length) section("Lost lines", "Planted into real output, and neither the rule nor the guard kept them.",
  ...r.planted.lost.map(l => el("p", { class: "lost" }, el("span", { class: "bad" }, l.scenario), " · " + l.kind + ", line " + l.at + " of " + l.of + ", rule " + l.rule + " ", el("code", {}, l.line))));

section("Left alone", "By design or because the agent offers no way.",
  head("apart", "why", "calls", "tokens"),
  el("div", { class: "rows" }, ...r.apart.map(a => el("div", { class: "row grid apart" },
    el("span", {}, a.text, el("code", { class: "cmd" }, a.largest.map(p => p.title + " " + short(p.tokens)).join(", "))), num(n(a.calls), "calls"), num(n(a.tokens), "tokens")))),
  r.gained.tokensMore ? el("p", { class: "note" }, "Of what the agent cut itself, cairn would have shown " + n(r.gained.tokensMore) + " tokens more: not a saving, but better text.") : null);

section("Rules", "What each rule did to the results cairn may touch, most saved first.",
  head("rules", "rule", "calls", "tokens", "after", "saved", "restored"),
  el("div", { class: "rows" }, ...r.rules.map(s => el("div", { class: "row grid rules" },
    el("span", { class: "name" }, s.rule), num(n(s.calls), "calls"), num(n(s.tokensBefore), "tokens"), num(n(s.tokensAfter), "after"), bar(s.percent), num(n(s.restored), "restored", "last")))));

section("Figures", "They inform and decide nothing.",
  el("div", { class: "rows" }, ...r.eSeries.map(f => el("div", { class: "row grid figures" },
    el("span", { class: "soft" }, f.id), el("span", {}, f.text), num(f.value.toFixed(1) + " " + f.unit),
    el("span", { class: "n target soft" }, (f.atMost ? "at most " : "at least ") + f.target + " " + f.unit), el("span", { class: "n " + (f.ok ? "good" : "bad") }, f.ok ? "ok" : "missed")))));

const s = r.scan;
page.append(el("footer", {},
  n(s.files) + " files, " + n(s.lines) + " lines, " + n(s.calls) + " calls" +
  (s.duplicates ? ", " + n(s.duplicates) + " copies left out" : "") + (s.brokenLines ? ", " + n(s.brokenLines) + " broken lines" : "") +
  (s.longLines ? ", " + n(s.longLines) + " lines too long" : "") + (s.unreadable ? ", " + n(s.unreadable) + " unreadable" : "") +
  ". Tokens are characters divided by four. The gate: the scenarios together save at least 15 %, each at least 5 %, and no planted line is lost."));
