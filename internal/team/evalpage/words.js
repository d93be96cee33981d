"use strict";
// words marks in each of two texts what the other lacks. It returns two lists of
// texts and marks, which joined are the two texts.
//
// What both begin and end with is set aside; of the rest it takes the longest
// common subsequence of words, between lines that stand once in both where there
// are too many words. Two texts that share too little are left unmarked: marks
// would only be noise.
function words(a, b) {
  if (!a || !b || a === b) return [[a], [b]];
  const most = 4e6; // places of the table: 8 MB, some ten milliseconds
  const split = text => text.match(/\s+|[\p{L}\p{N}_]+|./gsu) || [];
  const out = [[], []];
  const put = (side, text, only) => {
    const list = out[side], last = list[list.length - 1];
    if (!text) return;
    if (last && last.only === only) last.text += text;
    else list.push({ text, only });
  };
  let shared = 0;
  const both = text => { shared += text.length; put(0, text, false); put(1, text, false); };
  // align calls same for what two lists share, in their order, and other for the
  // stretches between; false where they are too long.
  const align = (x, y, same, other) => {
    let from = 0, to = 0;
    while (from < x.length && from < y.length && x[from] === y[from]) from++;
    while (to < x.length - from && to < y.length - from && x[x.length - 1 - to] === y[y.length - 1 - to]) to++;
    const n = x.length - from - to, m = y.length - from - to, w = m + 1;
    if (n * m > most || Math.min(n, m) > 65535) return false;
    const longest = new Uint16Array((n + 1) * w);
    for (let i = n - 1; i >= 0; i--)
      for (let j = m - 1; j >= 0; j--)
        longest[i * w + j] = x[from + i] === y[from + j] ? longest[(i + 1) * w + j + 1] + 1 : Math.max(longest[(i + 1) * w + j], longest[i * w + j + 1]);
    for (let k = 0; k < from; k++) same(x[k]);
    let i = 0, j = 0, left = [], right = [];
    const flush = () => { if (left.length || right.length) other(left, right); left = []; right = []; };
    while (i < n || j < m) {
      if (i < n && j < m && x[from + i] === y[from + j]) { flush(); same(x[from + i]); i++; j++; }
      else if (j >= m || i < n && longest[(i + 1) * w + j] >= longest[i * w + j + 1]) left.push(x[from + i++]);
      else right.push(y[from + j++]);
    }
    flush();
    for (let k = x.length - to; k < x.length; k++) same(x[k]);
    return true;
  };
  const apart = (left, right) => { put(0, left.join(""), true); put(1, right.join(""), true); };
  const byWords = (left, right) => { if (!align(split(left.join("")), split(right.join("")), both, apart)) apart(left, right); };
  // byLines is for texts of many lines: those that stand once in both and in the
  // same order are fixed points, and what lies between two of them is compared.
  const byLines = (x, y) => {
    const once = list => {
      const at = new Map();
      list.forEach((line, i) => at.set(line, at.has(line) ? -1 : i));
      return at;
    };
    const there = once(y), piles = [], back = [];
    const pairs = [...once(x)].filter(([line, i]) => i >= 0 && there.get(line) >= 0).map(([line, i]) => [i, there.get(line)]);
    pairs.forEach((p, k) => { // the longest rising sequence
      let lo = 0, hi = piles.length;
      while (lo < hi) { const mid = lo + hi >> 1; if (pairs[piles[mid]][1] < p[1]) lo = mid + 1; else hi = mid; }
      back[k] = lo ? piles[lo - 1] : -1;
      piles[lo] = k;
    });
    const fixed = [];
    for (let k = piles.length ? piles[piles.length - 1] : -1; k >= 0; k = back[k]) fixed.unshift(pairs[k]);
    let i = 0, j = 0;
    for (const [p, q] of [...fixed, [x.length, y.length]]) {
      if (i < p || j < q) byWords(x.slice(i, p), y.slice(j, q));
      if (p < x.length) both(x[p]);
      i = p + 1; j = q + 1;
    }
  };
  const lines = text => text.match(/[^\n]*\n|[^\n]+/g) || [];
  if (!align(split(a), split(b), both, apart)) byLines(lines(a), lines(b));
  if (shared * 3 < Math.min(a.length, b.length)) return [[a], [b]];
  return out.map(list => list.map(p => p.only && p.text.trim() ? el("mark", { class: "only" }, p.text) : p.text));
}
