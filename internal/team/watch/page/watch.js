const $ = id => document.getElementById(id);
const rows = new Map();   // number → what is known of the test, and its elements
let h = null;             // how the run stands
let skew = 0;             // the server's clock less ours, in ms
let sort = { key: "status", down: true };
const only = new Set();   // the outcomes that are shown; none is all
const shownAtOnce = 2000;
let limit = shownAtOnce;

// Order of outcomes: what a person has to look at comes first.
const rank = { fail: 5, error: 4, running: 3, pass: 2, skip: 1 };
const now = () => Date.now() + skew;
const isBad = r => r.status === "fail" || r.status === "error";
const counted = (n, one, many) => show.int(n) + " " + (n === 1 ? one : many || one + "s");

// ---- what the server tells

let source = null, retry = 0, gone = "", again = 0;
function connect() {
  clearTimeout(again);
  if (source) source.close();
  source = new EventSource("events");
  source.addEventListener("run", event => {
    retry = 0;
    gone = "";
    connected = true;
    $("lost").hidden = true;
    take(JSON.parse(event.data));
  });
  source.addEventListener("bye", event => {
    source.close();
    gone = event.data;
    lost();
    again = setTimeout(connect, 10000);
  });
  source.addEventListener("error", () => {
    lost();
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    again = setTimeout(connect, Math.min(15000, 500 * 2 ** retry++));
  });
}
let connected = false;
function lost() {
  connected = false;
  set("heard", "");
  $("state").replaceChildren(el("span", { class: "status off" }, "not connected"));
  $("lost").hidden = false;
  $("lost").replaceChildren(gone === "idle" ? "This watch ended: nobody looked for a while. " : gone ? "This watch was stopped. " : "The connection is lost; trying again. ",
    gone ? "What it saw stays here. Run " : "", gone ? el("code", {}, "cairn eval watch") : "", gone ? " again, and this page goes on." : "");
}
addEventListener("focus", () => { if (source && source.readyState === EventSource.CLOSED) connect(); });

function take(m) {
  if (m.reset) {
    rows.clear();
    $("rows").replaceChildren();
  }
  const before = h;
  h = m.head;
  skew = h.now - Date.now();
  for (const r of m.rows) {
    const known = rows.get(r.i);
    if (r.status === "group") { // its subtests stand for it
      rows.delete(r.i);
      continue;
    }
    if (known) {
      const ended = known.status === "running" && r.status !== "running";
      for (const k of Object.keys(known)) if (!(k in r) && k !== "tr" && k !== "more") delete known[k];
      Object.assign(known, r);
      if (ended && isBad(known)) announce(known.name + ": " + known.status);
    } else rows.set(r.i, r);
    draw(rows.get(r.i));
  }
  if (before && before.state !== h.state) {
    announce(stateWords[h.state]);
    for (const r of rows.values()) if (r.status === "running") draw(r);
  }
  if (!m.more) later();
}

// A test that was running when the run stopped was cut off.
const statusWord = status => status === "running" && h && h.state === "crashed" ? "cut off" : status;

let asked = false;
function later() { // all that came since the last frame is laid out once
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; layout(); stand(); });
}

// ---- how the run stands

const stateWords = { waiting: "waiting", running: "running", silent: "silent", finished: "finished", crashed: "stopped" };
function note(id, text, ...more) {
  const e = $(id);
  e.hidden = !text;
  if (text) e.replaceChildren(text, ...more);
}
const set = (id, text) => { const e = $(id); if (e.textContent !== text) e.textContent = text; };

function stand() {
  const c = h.counts, bad = c.fail + c.error;
  const suite = h.suite || (h.tool === "go test" ? "go test" : "");
  set("suite", suite || "cairn eval watch");
  $("state").replaceChildren(el("span", { class: "status " + h.state }, stateWords[h.state]));
  $("about").replaceChildren(...[h.label, h.branch && h.branch + (h.sha ? " @ " + h.sha.slice(0, 10) : ""), h.tool !== suite && h.tool].filter(Boolean).map(x => el("span", {}, x)), el("span", {}, "from ", el("code", {}, h.source)));

  note("why", h.state === "crashed" ? "The run stopped: " + h.why + "." : "");
  note("problem", h.problem && "The source cannot be read: " + h.problem + ".");
  note("broken", h.broken && counted(h.broken.lines, "line") + " could not be read. Line " + h.broken.last + ": " + h.broken.why + ". ", el("code", {}, h.broken ? h.broken.text : ""));
  note("push", h.push && "Finished. To keep these results and compare them: ", el("code", {}, h.push || ""));

  const all = Math.max(h.total || c.done + c.running, 1);
  let x = 0;
  for (const [k, n] of [["pass", c.pass], ["fail", c.fail], ["error", c.error], ["skip", c.skip], ["running", c.running]]) {
    const rect = document.querySelector("#strip ." + k);
    rect.setAttribute("x", x / all);
    rect.setAttribute("width", n / all);
    x += n;
  }
  const meter = $("meter");
  meter.classList.toggle("unknown", !h.total && h.state === "running" && c.done === 0);
  if (h.total) {
    meter.setAttribute("aria-valuemax", h.total);
    meter.setAttribute("aria-valuenow", c.done);
  } else {
    meter.removeAttribute("aria-valuemax");
    meter.removeAttribute("aria-valuenow");
  }
  meter.setAttribute("aria-valuetext", c.done + (h.total ? " of " + h.total : "") + " done, " + c.fail + " failed, " + c.error + " errors");

  $("done").replaceChildren(show.int(c.done), h.total ? el("small", {}, " / " + show.int(h.total)) : "");
  set("done-note", c.running ? "done, " + c.running + " " + statusWord("running") : "cases done");
  const judged = c.pass + c.fail;
  $("rate").replaceChildren(judged ? (c.fail === 0 ? "100 %" : show.percent(Math.min(.999, c.pass / judged))) : "–");
  set("rate-note", bad ? [judged && "passed", c.fail && c.fail + " failed", c.error && counted(c.error, "error")].filter(Boolean).join(", ") : judged ? "of " + judged + " passed" : "passed");
  $("rate-note").className = c.fail ? "bad" : c.error ? "warn" : "";
  set("cost", h.cost_usd ? show.cost(h.cost_usd) : h.tokens ? Intl.NumberFormat("en", { notation: "compact" }).format(h.tokens) : "–");
  set("cost-note", h.cost_usd || !h.tokens ? (over() ? "cost" : "cost so far") + (h.estimate ? ", estimated" : "") + (h.unpriced ? ", without " + h.unpriced : "") : "tokens; cost not known");
  for (const chip of document.querySelectorAll(".chip")) {
    const n = chip.dataset.status ? c[chip.dataset.status] : c.done + c.running;
    chip.querySelector(".count").textContent = show.int(n);
    chip.classList.toggle("none", n === 0);
    if (chip.dataset.status === "running") {
      chip.querySelector(".status").textContent = statusWord("running");
      chip.querySelector(".status").classList.toggle("running", statusWord("running") === "running");
    }
  }
  $("tests").hidden = rows.size === 0;
  $("why").className = "note " + (h.state === "silent" ? "warn" : "bad");
  $("waiting").hidden = h.state !== "waiting" || !!h.problem;
  $("progress").hidden = h.state === "waiting";
  set("waiting-for", h.source);
  document.querySelector("table").classList.toggle("free", ![...rows.values()].some(r => r.cost_usd));

  const figure = c.done + (h.total ? "/" + h.total : "") + (bad ? " ✗" + bad : "");
  document.title = (h.state === "running" ? "" : h.state === "finished" ? (bad ? "done " : "✓ ") : stateWords[h.state] + " ") + (rows.size ? figure : "") + (suite ? " · " + suite : "") || "cairn eval watch";
  icon(h.state === "crashed" || bad ? "#c8493e" : h.state === "finished" ? "#2f8a61" : "#4a77c4", over());
  tick();
}
const over = () => h.state === "finished" || h.state === "crashed";

let iconIs = "";
function icon(color, full) {
  const href = "data:image/svg+xml," + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="' + (full ? color : "none") + '" stroke="' + color + '" stroke-width="3"/></svg>');
  if (href !== iconIs) document.querySelector("link[rel=icon]").href = iconIs = href;
}

const clock = (ms, digits = 5) => new Date(ms - skew).toTimeString().slice(0, digits);

// tick writes what changes with the clock alone.
function tick() {
  if (!h || !connected) return;
  const done = over(), end = done || h.state === "silent" ? h.ended : now();
  const whole = ms => ms < 1000 ? ms : Math.floor(ms / 1000) * 1000;
  set("elapsed", h.started && end > h.started ? show.ms(whole(end - h.started)) : "–");
  set("elapsed-note", h.started ? "since " + clock(h.started) : "elapsed");
  set("left", done && h.ended ? clock(h.ended) : h.left_at ? "≈ " + show.ms(whole(Math.max(0, h.left_at - now()))) : "–");
  set("left-note", done ? (h.state === "finished" ? "finished" : "stopped") : h.left_at || h.state !== "running" ? "left" : h.total ? "left, known after two" : "left, total not told");
  const quiet = now() - h.heard;
  set("heard", !h.heard ? "" : done ? "Last line at " + clock(h.heard, 8) : quiet > 20000 ? "Last line " + show.ms(whole(quiet)) + " ago" : "Live");
  for (const r of rows.values()) if (r.status === "running" && r.since && r.tr) r.tr.cells[2].textContent = done ? "" : show.ms(whole(Math.max(0, now() - r.since)));
  if (h.state === "silent") note("why", "Nothing was heard for " + show.ms(whole(quiet)) + "; " + h.why + ".");
}
setInterval(tick, 1000);

// ---- the table

function draw(r) {
  const of = [r.suite, r.category, r.variant, r.attempt && "attempt " + r.attempt].filter(Boolean).join(" · ");
  if (!r.tr) {
    r.tr = el("tr", { "data-i": r.i }, el("td", { class: "how" }), el("th", { scope: "row" },
      el("button", { class: "name", type: "button", "aria-expanded": "false", click: () => expand(r) }), " ", el("span", { class: "of" }), el("span", { class: "message" })),
      el("td", { class: "n", "data-label": "time" }), el("td", { class: "n cost", "data-label": "cost" }));
  }
  const [how, test, time, cost] = r.tr.cells;
  r.tr.className = r.status + (r.more ? " open" : "");
  how.replaceChildren(statusWord(r.status) === r.status ? statusOf(r.status) : statusOf("cut", "cut off"));
  const [name, part, message] = test.children;
  name.textContent = r.name;
  part.textContent = of;
  message.textContent = r.message || "";
  time.textContent = r.ms ? show.ms(r.ms) : "";
  cost.textContent = r.cost_usd ? show.cost(r.cost_usd) : "";
  r.text = [r.name, of, r.message].join("\n").toLowerCase();
  if (r.more && r.status !== r.more.status) fill(r);
}

function compare(a, b) {
  let d = 0;
  if (sort.key === "status") d = rank[a.status] - rank[b.status];
  else if (sort.key === "name") d = a.name.localeCompare(b.name, "en", { numeric: true });
  else if (sort.key === "ms") d = (a.ms || 0) - (b.ms || 0);
  else d = (a.cost_usd || 0) - (b.cost_usd || 0);
  return (sort.down ? -d : d) || a.i - b.i;
}

// layout puts the rows that are wanted in order; only what is out of place moves.
function layout() {
  const body = $("rows"), words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = [...rows.values()].filter(r => (only.size === 0 || only.has(r.status)) && words.every(w => r.text.includes(w))).sort(compare);
  const focused = document.activeElement;
  let at = body.firstChild;
  const place = e => { if (e === at) at = at.nextSibling; else body.insertBefore(e, at); };
  for (const r of wanted.slice(0, limit)) {
    place(r.tr);
    if (r.more) place(r.more.tr);
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
  if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  const none = $("none");
  none.hidden = wanted.length > 0 && wanted.length <= limit;
  if (wanted.length > limit) none.replaceChildren(counted(wanted.length - limit, "more case"), " · ", el("button", { class: "button", type: "button", click: () => { limit += shownAtOnce; later(); } }, "Show more"));
  else none.replaceChildren("No case is like that. ", el("button", { class: "button", type: "button", click: clear }, "Show all"));
}

function clear() {
  $("filter").value = "";
  choose();
}
function choose(...statuses) {
  const same = statuses.length === only.size && statuses.every(s => only.has(s));
  only.clear();
  if (!same) statuses.forEach(s => only.add(s));
  for (const chip of document.querySelectorAll(".chip")) chip.setAttribute("aria-pressed", String(chip.dataset.status ? only.has(chip.dataset.status) : only.size === 0));
  later();
}
for (const chip of document.querySelectorAll(".chip")) chip.addEventListener("click", () => chip.dataset.status ? choose(chip.dataset.status) : choose());
$("filter").addEventListener("input", later);
sortable(document.querySelector("table"), (key, down) => { sort = { key, down }; later(); });

// ---- one test

function expand(r) {
  const button = r.tr.querySelector(".name");
  if (r.more) {
    r.more.tr.remove();
    delete r.more;
  } else {
    r.more = { tr: el("tr", { class: "detail", id: "more-" + r.i }, el("td", { colspan: 4 })) };
    r.tr.after(r.more.tr);
    fill(r);
  }
  r.tr.classList.toggle("open", !!r.more);
  button.setAttribute("aria-expanded", String(!!r.more));
  if (r.more) button.setAttribute("aria-controls", "more-" + r.i);
}

async function fill(r) {
  const more = r.more, cell = more.tr.cells[0];
  more.status = r.status;
  try {
    const answer = await fetch("case/" + r.i);
    if (!answer.ok) throw new Error(await answer.text());
    const full = await answer.json();
    if (r.more === more) cell.replaceChildren(...details(full, r));
  } catch (e) {
    cell.replaceChildren(el("p", { class: "soft" }, "The details cannot be had now: " + e.message));
  }
}

const longest = 20000;
const block = text => el("pre", {}, text.length > longest ? text.slice(0, longest) + "\n… " + show.int(text.length - longest) + " more characters" : text);
const plain = v => typeof v === "string" ? v : JSON.stringify(v);
const told = ["name", "suite", "category", "variant", "attempt", "status", "passed", "duration_ms", "cost_usd", "model", "score", "judge_scores", "scale", "judge_reasoning", "failures", "error", "tags", "response_preview", "case_id"];

function scores(map, scale) {
  const [lo, hi] = (scale || "0-1").split("-").map(Number);
  return el("div", { class: "scores" }, Object.entries(map).map(([name, v]) => [el("span", {}, name), el("b", {}, String(v)), el("meter", { min: lo, max: hi, value: v, "aria-label": name })]));
}

function details(full, r) {
  const out = [];
  const facts = [full.model, full.score !== undefined && "score " + full.score + (full.scale ? " of " + full.scale : ""), full.case_id && "id " + full.case_id, ...(full.tags || []).map(t => "#" + t)].filter(Boolean);
  if (facts.length) out.push(el("ul", { class: "facts" }, facts.map(f => el("li", {}, f))));
  if (full.error) out.push(el("ol", {}, el("li", { class: "why" }, full.error.includes("\n") ? block(full.error) : el("p", {}, full.error))));
  if (full.failures) out.push(el("ol", {}, full.failures.map(f => el("li", { class: "why" },
    f.message.includes("\n") ? block(f.message) : el("p", {}, f.message),
    el("ul", { class: "facts" }, [f.expectation_type || f.check || f.type, f.criterion, f.pattern && "pattern " + f.pattern, f.expected !== undefined && "expected " + plain(f.expected), f.actual !== undefined && "actual " + plain(f.actual)].filter(Boolean).map(x => el("li", {}, x))),
    (f.details || []).length > 0 && el("div", { class: "scores" }, f.details.map(d => [el("span", {}, d.criterion), el("b", { class: "bad" }, String(d.score)), el("span", { class: "soft" }, "wanted " + d.threshold)]))))));
  if (full.judge_scores) out.push(el("h3", {}, "Judges"), scores(full.judge_scores, full.scale));
  if (full.judge_reasoning) out.push(el("p", {}, full.judge_reasoning));
  if (full.response_preview) out.push(el("h3", {}, "Response"), block(full.response_preview));
  for (const [k, v] of Object.entries(full)) if (!told.includes(k) && v !== null) out.push(el("details", {}, el("summary", { class: "soft" }, k), block(typeof v === "string" ? v : JSON.stringify(v, null, 2))));
  if (!out.length) out.push(el("p", { class: "soft" }, r.status === "running" ? "It is running." : "The runner tells nothing more of it."));
  return out;
}

// ---- keys

function move(step) {
  const names = [...document.querySelectorAll("#rows .name")];
  const at = names.findIndex(n => n === document.activeElement || n.closest("tr").nextSibling?.matches(".detail") && n.closest("tr").nextSibling.contains(document.activeElement));
  const to = names[at < 0 ? (step > 0 ? 0 : names.length - 1) : Math.max(0, Math.min(names.length - 1, at + step))];
  if (!to) return;
  to.focus({ preventScroll: true });
  to.closest("tr").scrollIntoView({ block: "nearest" });
}
const toggleHelp = shortcuts([
  { key: "/", what: "filter by text", run: () => { $("filter").focus(); $("filter").select(); } },
  { key: "j", what: "next case", run: () => move(1) },
  { key: "k", what: "case before", run: () => move(-1) },
  { key: "Enter", what: "show or hide what the case did", run: event => event.target === $("filter") ? (move(1), true) : false, typing: true },
  { key: "f", what: "failures and errors only, or all", run: () => choose("fail", "error") },
  { key: "a", what: "all cases", run: clear },
  { key: "Escape", shown: "Esc", what: "leave the filter, or take it away", run: event => {
    if (event.target === $("filter") && !$("filter").value) $("filter").blur();
    else clear();
  } },
]);
$("help").addEventListener("click", toggleHelp);
connect();
