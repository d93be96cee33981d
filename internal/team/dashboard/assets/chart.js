"use strict";
// Draws the charts of a page from its data. The table of each panel has the
// same values for who cannot see them. X of a plot is the number of the week or
// day, so that every one has its place and gaps stay gaps.

const most = 8; // series with a color of their own; see --c1 to --c9
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2], [1, 2], [14, 3, 3, 3]];
// dash of a line: many points need a solid one.
const dash = (chart, i) => i < most && chart.x.length <= 40 ? dashes[i] : [];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// value writes a number as the tables do, axes with fewer digits.
function value(x, unit, axis) {
  if (x === null || x === undefined) return "–";
  switch (unit) {
    case "percent": return axis ? Math.round(100 * x) + " %" : x > .9995 && x < 1 ? ">99.9 %" : x === 0 || x === 1 ? 100 * x + " %" : show.percent(x);
    case "usd": return axis ? "$" + (x >= 1e4 ? x / 1e3 + "k" : x) : show.cost(x);
    case "ms": return show.ms(x);
    case "minutes": return show.ms(x * 60000);
    case "score": return x.toFixed(axis ? 1 : 2);
    case "number": return axis ? String(x) : x.toFixed(1);
    case "tokens": if (!axis) return show.tokens(x);
  }
  for (const [of, name] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (axis && x >= of && (unit === "tokens" || x >= 1e4)) return x / of + name;
  }
  return show.int(x);
}

const dayOf = text => { const [, m, d] = text.split("-"); return Number(d) + " " + months[m - 1]; };
const made = document.querySelector(".fresh time")?.dateTime ?? "";

const running = (chart, i) => new Date(Date.parse(chart.x[i]) + (chart.step === "week" ? 7 : 1) * 864e5).toISOString() > made;

// named says which week or day, and whether it is still running.
const named = (chart, i) => (chart.step === "week" ? "Week of " : "") + dayOf(chart.x[i]) + " " + chart.x[i].slice(0, 4) + (running(chart, i) ? ", so far" : "");

// mark is how a series looks in the key and the tip: a square, or a line with its dashes.
function mark(chart, i) {
  const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg");
  const line = chart.kind === "lines", e = document.createElementNS(ns, line ? "path" : "rect");
  const set = (to, props) => { for (const [k, v] of Object.entries(props)) to.setAttribute(k, v); };
  set(svg, { width: line ? 22 : 10, height: 10, "aria-hidden": "true" });
  set(e, line ? { d: "M0 5H22", "stroke-width": 2.5, "stroke-dasharray": dash(chart, i).join(" "), class: "k" + Math.min(i + 1, 9) }
    : { width: 10, height: 10, rx: 2, class: "k" + number(chart, i) });
  svg.append(e);
  return svg;
}

// number of a series' color: 9 is the gray of what was put together.
const number = (chart, i) => chart.folded && i === chart.series.length - 1 ? 9 : Math.min(i + 1, 9);

class Plot {
  constructor(figure, chart) {
    Object.assign(this, { figure, chart, at: null, bright: null });
    this.box = figure.querySelector(".plot");
    this.title = figure.closest(".panel").querySelector("h2").textContent;
    this.shown = chart.series.map(() => true);
    this.lines = chart.kind === "lines";
    this.colors();
    this.tip = el("div", { class: "tip", hidden: true });
    Object.entries({ tabindex: 0, role: "application", "aria-roledescription": "chart", "aria-label": this.title + ". Arrow keys read the values; the table has them too." })
      .forEach(([k, v]) => this.box.setAttribute(k, v));
    this.u = new uPlot(this.options(), this.data(), this.box);
    this.box.append(this.tip);
    this.legend();
    this.box.addEventListener("keydown", event => this.key(event));
    this.box.addEventListener("blur", () => this.point(null));
    new ResizeObserver(() => this.fit()).observe(this.box);
  }

  colors() {
    const style = getComputedStyle(document.documentElement), of = name => style.getPropertyValue(name).trim();
    this.ink = { text: of("--soft"), line: of("--line"), edge: of("--edge"), card: of("--card"), tint: of("--tint"), pass: of("--good"), fail: of("--bad") };
    this.palette = this.chart.series.map((_, i) => of("--c" + number(this.chart, i)));
  }

  size() { return { width: Math.max(200, this.box.clientWidth), height: Math.max(160, this.box.clientHeight) }; }

  fit() {
    const { width, height } = this.size();
    if (width !== this.u.width || height !== this.u.height) this.u.setSize({ width, height });
  }

  // bottom is where a bar begins: on the shown ones before it, in a stack.
  bottom(s, i) {
    if (this.chart.kind !== "stack") return 0;
    let sum = 0;
    for (let k = 0; k < s; k++) if (this.shown[k]) sum += this.chart.series[k].values[i] ?? 0;
    return sum;
  }

  // data: x, then each series, then for lines the two edges of each band.
  data() {
    const all = this.chart.series, x = this.chart.x.map((_, i) => i);
    const tops = all.map((s, k) => s.values.map((v, i) => v === null ? null : v + (this.lines ? 0 : this.bottom(k, i))));
    const least = this.lines ? this.range()[0] : 0, cut = list => (list || x).map((v, i) => list && v !== null ? Math.max(v, least) : null); // a band ends where the axis does
    const edges = this.lines ? all.flatMap(s => [cut(s.low), cut(s.high)]) : [];
    return [x, ...tops, ...edges];
  }

  range() {
    const { from, to, unit, series } = this.chart;
    const share = this.lines && ["percent", "score"].includes(unit);
    let low = Infinity, high = -Infinity;
    series.forEach((s, k) => {
      if (!this.shown[k]) return;
      s.values.forEach((v, i) => {
        if (v === null) return;
        low = Math.min(low, v, this.lines ? share ? v : s.low?.[i] ?? v : 0);
        high = Math.max(high, this.lines ? s.high?.[i] ?? v : v + this.bottom(k, i));
      });
    });
    if (low === Infinity) [low, high] = [0, 1];
    // Shares begin at the tenth below the lowest value. Intervals are cut off there.
    if (share) return [from ?? Math.max(0, Math.min(.9, Math.floor(low * 10 - .2) / 10)), to ?? Math.min(1, high + .02)];
    if (!this.lines || low >= 0 && low < high * .6) low = 0;
    high = high === low ? low + 1 : high + (high - low) * .06;
    if (unit === "percent") high = Math.min(1, high);
    if (low > 0) low = Math.max(0, low - (high - low) * .06);
    return [from ?? low, to ?? high];
  }

  // ticks are weeks or days as far apart as their names need.
  ticks(u) {
    const n = this.chart.x.length, room = Math.max(2, Math.floor(u.bbox.width / devicePixelRatio / 62));
    const steps = this.chart.step === "week" ? [1, 2, 4, 8, 13, 26, 52] : [1, 2, 7, 14, 28, 91, 182];
    const step = steps.find(s => n / s <= room) || Math.ceil(n / room), out = [];
    for (let i = n - 1; i >= 0; i -= step) out.unshift(i);
    return out;
  }

  options() {
    const { chart } = this, n = chart.x.length, font = "11.5px " + getComputedStyle(document.body).fontFamily;
    const axis = { font, stroke: () => this.ink.text, ticks: { show: false }, gap: 6 };
    const whole = ["count", "tokens"].includes(chart.unit);
    let year = "";
    return {
      ...this.size(), legend: { show: false }, padding: [10, 26, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { show: this.lines, size: 7 }, dataIdx: (u, s, i) => i },
      scales: { x: { time: false, range: () => [-.5, n - .5] }, y: { range: () => this.range() } },
      axes: [
        { ...axis, grid: { show: false }, size: 28, splits: u => this.ticks(u), values: (u, at) => at.map((i, k) => {
          const y = chart.x[i].slice(0, 4), fresh = k && y !== year;
          year = y;
          return fresh ? dayOf(chart.x[i]) + " ’" + y.slice(2) : dayOf(chart.x[i]);
        }) },
        { ...axis, grid: { stroke: () => this.ink.line, width: 1 }, incrs: whole ? [1, 2, 5].flatMap(x => [...Array(13).keys()].map(e => x * 10 ** e)).sort((a, b) => a - b) : undefined,
          size: (u, texts) => Math.max(30, 14 + Math.max(0, ...(texts || []).map(t => String(t).length)) * 6.6), space: 34, values: (u, at) => at.map(x => value(x, chart.unit, true)) },
      ],
      series: [{}, ...chart.series.map((s, k) => this.lines ? this.line(s, k) : this.bar(k)),
        ...(this.lines ? chart.series.flatMap(() => [this.edge(), this.edge()]) : [])],
      hooks: { drawClear: [u => this.soFar(u)], draw: [u => this.marks(u)], setCursor: [() => this.told()] },
      bands: this.lines ? chart.series.map((_, k) => ({ series: [1 + chart.series.length + 2 * k + 1, 1 + chart.series.length + 2 * k], fill: () => this.band(k) })) : undefined,
    };
  }

  // soFar shades the week that is still running.
  soFar(u) {
    const last = this.chart.x.length - 1;
    if (!running(this.chart, last)) return;
    const left = u.valToPos(last - .5, "x", true), right = u.valToPos(last + .5, "x", true);
    u.ctx.fillStyle = this.ink.tint;
    u.ctx.fillRect(left, u.bbox.top, right - left, u.bbox.height);
  }

  // marks draws a line where a series moved to another level, and labels it.
  marks(u) {
    const all = this.chart.marks || [], r = devicePixelRatio, { ctx } = u;
    const rows = []; // the ends of the texts in each row
    ctx.save();
    ctx.font = 600 + " " + 11.5 * r + "px " + getComputedStyle(document.body).fontFamily;
    Object.assign(ctx, { textBaseline: "top", textAlign: "left" });
    for (const m of [...all].sort((a, b) => a.x < b.x ? -1 : 1)) {
      const i = this.chart.x.indexOf(m.x), k = this.chart.series.findIndex(s => s.name === m.series);
      if (i < 0 || k < 0 || !this.shown[k]) continue;
      const x = Math.round(u.valToPos(i, "x", true)), text = (m.good ? "▲ " : "▼ ") + (this.chart.series.length > 1 ? m.series + " " : "") + m.text;
      ctx.strokeStyle = ctx.fillStyle = m.good ? this.ink.pass : this.ink.fail;
      ctx.lineWidth = 1.5 * r;
      ctx.setLineDash([4 * r, 3 * r]);
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
      const width = ctx.measureText(text).width, right = u.bbox.left + u.bbox.width;
      const at = Math.max(u.bbox.left, Math.min(x + 5 * r, right - width)), to = at + width;
      let row = rows.findIndex(list => list.every(([a, b]) => to < a || at > b + 8 * r));
      if (row < 0) row = rows.push([]) - 1;
      rows[row].push([at, to]);
      // below the lines, which are mostly high
      const y = u.bbox.top + u.bbox.height - (16 + 15 * row) * r;
      ctx.globalAlpha = .85;
      ctx.fillStyle = this.ink.card;
      ctx.fillRect(at - 2 * r, y - 2 * r, width + 4 * r, 15 * r);
      ctx.globalAlpha = 1;
      ctx.fillStyle = m.good ? this.ink.pass : this.ink.fail;
      ctx.fillText(text, at, y);
    }
    ctx.restore();
  }

  // marked are the marks of a week, for the tip and the keys.
  marked(i) { return (this.chart.marks || []).filter(m => m.x === this.chart.x[i]).map(m => m.series + " " + m.text); }

  edge() { return { stroke: "transparent", width: 0, points: { show: false }, spanGaps: false }; }

  // band is a light tint, of all lines where there are few, else of the one that is pointed at.
  band(k) {
    if (!this.shown[k] || this.bright === null && this.chart.series.length > 3 || this.bright !== null && this.bright !== k) return "transparent";
    return this.palette[k] + "26";
  }

  line(s, k) {
    const alone = i => s.values[i] !== null && (s.values[i - 1] ?? null) === null && (s.values[i + 1] ?? null) === null;
    return {
      label: s.name, stroke: () => this.palette[k] + (this.bright === null || this.bright === k ? "" : "55"), width: k < most ? 2 : 1, dash: dash(this.chart, k), spanGaps: false,
      // a point alone between gaps would have no line
      points: { show: true, size: 5, fill: () => this.palette[k], filter: (u, i, on) => on ? [...s.values.keys()].filter(i => alone(i) || s.values.length < 14 && s.values[i] !== null) : null },
    };
  }

  bar(k) {
    const { chart } = this, groups = chart.kind === "bars" ? chart.series.length : 1, slot = .76 / groups;
    const left = chart.x.map((_, i) => i - .38 + (groups > 1 ? k * slot : 0));
    return {
      label: chart.series[k].name, fill: () => this.palette[k] + (this.bright === null || this.bright === k ? "" : "55"), stroke: () => this.ink.card, width: chart.x.length > 60 ? 0 : 1, points: { show: false },
      paths: uPlot.paths.bars({ disp: {
        x0: { unit: 1, values: () => left }, size: { unit: 1, values: () => [slot] },
        y0: { unit: 1, values: () => chart.x.map((_, i) => this.bottom(k, i)) },
        y1: { unit: 1, values: () => this.u ? this.u.data[k + 1] : this.data()[k + 1] },
      } }),
    };
  }

  // legend: a button for each series shows and hides it; those beyond the
  // colors have one together.
  legend() {
    const { chart } = this;
    if (chart.series.length < 2) return;
    const item = (name, of) => {
      const button = el("button", { type: "button", "aria-pressed": "true", title: name }, mark(chart, of[0]), el("span", { class: "cut" }, name));
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", on);
        for (const k of of) this.show(k, on);
        this.u.setData(this.data());
      });
      const light = k => () => { if (this.bright !== k) { this.bright = k; this.u.redraw(); } };
      for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, light(of.length === 1 ? of[0] : null));
      for (const kind of ["pointerleave", "blur"]) button.addEventListener(kind, light(null));
      return el("li", {}, button);
    };
    const apart = this.lines && chart.series.length > most ? most : chart.series.length;
    const items = chart.series.slice(0, apart).map((s, k) => item(s.name, [k]));
    if (apart < chart.series.length) items.push(item(chart.series.length - apart + " others", [...chart.series.keys()].slice(apart)));
    this.box.after(el("ul", { class: "key", "aria-label": "Shown in the chart" }, items));
  }

  show(k, on) {
    this.shown[k] = on;
    this.u.setSeries(k + 1, { show: on });
    if (this.lines) for (const edge of [1, 2]) this.u.setSeries(this.chart.series.length + 2 * k + edge, { show: on });
  }

  // point moves the cursor to a week, or away.
  point(i) {
    this.at = i;
    this.u.setCursor(i === null ? { left: -10, top: -10 } : { left: this.u.valToPos(i, "x"), top: 0 });
  }

  key(event) {
    const last = this.chart.x.length - 1, at = this.u.cursor.idx ?? this.at;
    const to = { ArrowLeft: at == null ? last : Math.max(0, at - 1), ArrowRight: at == null ? 0 : Math.min(last, at + 1), Home: 0, End: last }[event.key];
    if (event.key === "Escape") this.point(null);
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.point(to);
    announce(named(this.chart, to) + ": " + ([...this.values(to).map(v => v.name + " " + v.text), ...this.marked(to)].join(", ") || "nothing"));
  }

  // values of a week, the largest first, with their intervals.
  values(i) {
    const { chart } = this, list = [];
    chart.series.forEach((s, k) => {
      const v = s.values[i];
      if (!this.shown[k] || v === null || v === 0 && chart.kind !== "lines" && chart.series.length > 1) return;
      const low = s.low?.[i] ?? null, high = s.high?.[i] ?? null;
      list.push({ k, v, name: s.name, text: value(v, chart.unit) + (low === null || high === null ? "" : " (" + value(low, chart.unit).replace(" %", "") + "–" + value(high, chart.unit) + ")") });
    });
    return list.sort((a, b) => b.v - a.v);
  }

  // told shows the tip at the cursor's week.
  told() {
    if (!this.u) return;
    const i = this.u.cursor.idx, { tip, chart, u } = this;
    tip.hidden = i == null || u.cursor.left < 0;
    if (tip.hidden) return;
    const list = this.values(i), room = 10, rest = list.length - room;
    const total = chart.kind === "stack" && list.length > 1 ? list.reduce((sum, v) => sum + v.v, 0) : null;
    tip.replaceChildren(el("p", {}, named(chart, i)), list.length ? el("dl", {},
      list.slice(0, room).map(v => [mark(chart, v.k), el("dt", {}, v.name), el("dd", {}, v.text)]),
      rest > 0 && [el("span"), el("dt", {}, "and " + rest + " more"), el("dd")],
      total !== null && [el("span"), el("dt", {}, "all"), el("dd", {}, el("b", {}, value(total, chart.unit)))]) : el("span", { class: "soft" }, "nothing"), ...this.marked(i).map(text => el("p", {}, text)));
    const x = u.bbox.left / devicePixelRatio + u.valToPos(i, "x"), w = tip.offsetWidth, left = x + 14 + w <= this.box.clientWidth ? x + 14 : x - 14 - w;
    tip.style.transform = `translate(${Math.round(Math.max(0, Math.min(left, this.box.clientWidth - w)))}px, 4px)`;
  }

  repaint() { this.colors(); this.u.redraw(false); }
}

const charts = pageData(), plots = [];
for (const figure of document.querySelectorAll(".chart")) {
  const plot = new Plot(figure, charts[figure.dataset.panel]);
  plots.push(plot);
}
for (const query of ["(prefers-color-scheme: dark)", "print"]) {
  matchMedia(query).addEventListener("change", () => { for (const plot of plots) plot.repaint(); });
}
