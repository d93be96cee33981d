package record

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
)

// A jsonColumn is what the values in one place of all rows have in common. The
// entries of a list, or of a map, are rows; what has the same keys above it in
// all of them is one column, at any depth.
type jsonColumn struct {
	n      int
	kinds  map[byte]int
	values frequency // scalars as written, how long lists are
	forms  frequency // strings with their numbers alike
	shapes frequency // strings with their words alike
	nums   spread    // numbers, and those that strings begin with
	lens   spread    // bytes of strings
	worse  int       // strings that speak of trouble

	of    map[string]*jsonColumn // of an object's keys
	order []string
	each  *jsonColumn // of the entries of a list or a map
	as    byte        // 'r' when objects here are records, 'm' when they are maps; 't' when lists are tuples
	flags [reasonCount]int
}

// what can be odd
const (
	byKind = iota
	byValue
	byForm
	byShape
	byNumber
	bySign
	byPeak
	byLength
	byTrouble
	byMissing
	byExtra
	reasonCount
)

const (
	columnValues = 256  // distinct values counted
	columnText   = 120  // bytes of a value that is counted
	columnKeys   = 200  // keys of an object that have a column
	mapKeys      = 6    // keys of an object that may be a map of containers
	mapScalars   = 24   // the same of scalars
	tupleMost    = 60   // entries of a list that may be a tuple
	rowsFew      = 4    // rows of which none is odd
	spreadSample = 512  // values remembered of a spread
	fewValues    = 8    // of a column, of which each is shown once
	exemplar     = 1e-6 // how odd a row is that shows one of them
	rareWord     = 12   // bytes of a word for a state
	usualTrouble = .05  // how odd trouble is where most rows tell of it
	troubleBonus = 1000 // what a word of trouble is worth beside rarity
)

// rare is how many of n rows are few.
func rare(n int) int { return max(1, min(n/10, 25)) }

// A frequency counts texts, so many different ones.
type frequency struct {
	of     tally
	n      int
	common int // how many were of common values
	asked  int // when so many were counted
}

// add counts s and reports whether it is new.
func (f *frequency) add(s string) (first bool) {
	if len(s) > columnText {
		s = s[:columnText]
	}
	f.n++
	if _, known := f.of[s]; known {
		f.of[s]++
		return false
	}
	if len(f.of) < columnValues {
		f.of.next(strings.Clone(s))
	}
	return true
}

func (f *frequency) count(s string) int {
	if len(s) > columnText {
		s = s[:columnText]
	}
	return f.of[s]
}

// top is the share of the most common value.
func (f *frequency) top() float64 {
	most := 0
	for _, n := range f.of {
		most = max(most, n)
	}
	return float64(most) / float64(max(f.n, 1))
}

// usual is how many values are of those that come often.
func (f *frequency) usual() int {
	if f.asked == f.n {
		return f.common
	}
	f.common, f.asked = 0, f.n
	for _, n := range f.of {
		if n > rare(f.n) {
			f.common += n
		}
	}
	return f.common
}

// settled reports whether nearly all values are of a few, so that another one
// is odd.
func (f *frequency) settled(share float64) bool {
	return f.n >= rowsFew && float64(f.usual()) >= share*float64(f.n)
}

// A spread is how numbers are distributed: a sample of them and the extremes.
type spread struct {
	n          int
	sum        float64
	sample     []float64
	most, next float64 // the largest and the one after it
	least      float64
	last       float64
	falls      int    // numbers that are less than the one before
	signs      [3]int // numbers below, at and above zero
	seed       uint64
	low, high  float64
	ranged     int // of how many the bounds were computed
}

func (s *spread) add(v float64) {
	s.n++
	s.sum += v
	switch {
	case s.n == 1:
		s.most, s.next, s.least = v, math.Inf(-1), v
	case v > s.most:
		s.most, s.next = v, s.most
	case v > s.next:
		s.next = v
	}
	if s.n > 1 && v < s.last {
		s.falls++
	}
	s.last, s.least = v, min(s.least, v)
	s.signs[sign(v)]++
	if len(s.sample) < spreadSample {
		s.sample = append(s.sample, v)
		return
	}
	s.seed = s.seed*6364136223846793005 + 1442695040888963407
	if i := int((s.seed >> 33) % uint64(s.n)); i < spreadSample {
		s.sample[i] = v
	}
}

func sign(v float64) int {
	switch {
	case v < 0:
		return 0
	case v == 0:
		return 1
	}
	return 2
}

// bounds are what most numbers lie between; floor is how much they differ at
// least, as a share of the middle one.
func (s *spread) bounds(floor, least float64) (low, high float64) {
	if s.ranged == s.n {
		return s.low, s.high
	}
	sorted := slices.Sorted(slices.Values(s.sample))
	q := func(share float64) float64 { return sorted[int(share*float64(len(sorted)-1))] }
	width := max(q(.75)-q(.25), floor*math.Abs(q(.5)), least)
	s.low, s.high, s.ranged = q(.25)-3*width, q(.75)+3*width, s.n
	return s.low, s.high
}

// column returns that of a key, or of the entries.
func (c *jsonColumn) column(in, kid *jsonNode) *jsonColumn {
	key := kid.key
	if in.kind == '[' {
		if c.as != 't' {
			return c.entries()
		}
		key = strconv.Itoa(kid.at)
	} else if c.as == 'm' {
		return c.entries()
	}
	col := c.of[key]
	if col == nil {
		if len(c.of) >= columnKeys {
			return c.entries()
		}
		if c.of == nil {
			c.of = map[string]*jsonColumn{}
		}
		col = &jsonColumn{}
		c.of[key] = col
		c.order = append(c.order, key)
	}
	return col
}

func (c *jsonColumn) entries() *jsonColumn {
	if c.each == nil {
		c.each = &jsonColumn{}
	}
	return c.each
}

// learn counts what node says. Of an open container the entries count that
// have come.
func (c *jsonColumn) learn(n *jsonNode) {
	if !n.known && !n.open {
		n.known = true
		c.count(n)
	}
	if !n.container() {
		return
	}
	c.decide(n)
	half := n.open && n.kind == '{' && c.as != 'm' // other rows have all their keys
	for _, kid := range n.kids {
		if !kid.known && (!half || kid.open || kid.n > jsonFirst) {
			c.column(n, kid).learn(kid)
		}
	}
}

// decide tells maps from records and tuples from lists, once.
func (c *jsonColumn) decide(n *jsonNode) {
	switch {
	case n.kind == '{' && c.as == 0 && len(n.kids) > 0 && c.of == nil:
		if c.as = 'r'; mapped(n) {
			c.as = 'm'
		}
	case n.kind == '{' && c.as == 'r' && len(c.of) > 0 && c.kinds['{'] < rowsFew && !sameKeys(c.of, n) && mapped(n):
		c.as = 'm'
	case n.kind == '[' && c.as == 0 && c.each == nil && len(n.kids) > 1 && !n.open && len(n.kids) <= tupleMost && mixed(n):
		c.as = 't'
	}
}

// mapped reports whether the keys of an object are names of alike entries.
func mapped(n *jsonNode) bool {
	kinds, keys, objects := map[byte]int{}, tally{}, 0
	for _, kid := range n.kids {
		kinds[kid.kind]++
		if kid.kind == '{' && len(kid.kids) > 0 {
			objects++
			for _, k := range kid.kids {
				keys.next(k.key)
			}
		}
	}
	all := len(n.kids)
	if objects == 0 {
		for _, of := range kinds {
			if of*10 >= all*9 {
				return all >= mapScalars
			}
		}
		return false
	}
	alike := 0
	for _, kid := range n.kids {
		if slices.ContainsFunc(kid.kids, func(k *jsonNode) bool { return kid.kind == '{' && keys[k.key]*2 > objects }) {
			alike++
		}
	}
	return all >= mapKeys && objects*10 >= all*8 && alike*10 >= objects*8
}

func sameKeys(of map[string]*jsonColumn, n *jsonNode) bool {
	same := 0
	for _, kid := range n.kids {
		if of[kid.key] != nil {
			same++
		}
	}
	return same*2 >= len(n.kids)
}

// mixed reports whether the entries of a list are of different kinds, as those
// of a row are.
func mixed(n *jsonNode) bool {
	for _, kid := range n.kids[1:] {
		if kid.kind != n.kids[0].kind {
			return true
		}
	}
	return false
}

func (n *jsonNode) get(key string) *jsonNode {
	for _, kid := range n.kids {
		if kid.key == key {
			return kid
		}
	}
	return nil
}

// sort is the kind of a value, where a container that is empty, and a number
// with a fraction, is another kind.
func (n *jsonNode) sort() byte {
	switch {
	case n.container() && n.n == 0:
		return 'e'
	case n.kind == '0' && strings.Contains(n.text, "."):
		return '.'
	case n.text == `""`:
		return 'e'
	}
	return n.kind
}

func (c *jsonColumn) count(n *jsonNode) {
	c.n++
	if c.kinds == nil {
		c.kinds = map[byte]int{}
	}
	c.kinds[n.sort()]++
	n.first = c.values.add(n.value())
	switch n.kind {
	case '0':
		if v, err := strconv.ParseFloat(n.text, 64); err == nil {
			c.nums.add(v)
		}
	case '"':
		s := n.text[1 : len(n.text)-1]
		c.forms.add(lines.Template(s[:min(len(s), columnText)]))
		c.shapes.add(shapeOf(s))
		c.lens.add(float64(len(s)))
		if v, ok := numberOf(s); ok {
			c.nums.add(v)
		}
		if troubled(s) {
			c.worse++
		}
	}
}

// value is what of a node is counted: of a list how long it is.
func (n *jsonNode) value() string {
	switch n.kind {
	case '[':
		return "[" + strconv.Itoa(n.n)
	case '{':
		return "{"
	}
	return n.text
}

// shapeOf is a string with its words alike: what is left are marks and spaces.
func shapeOf(s string) string {
	var b [48]byte
	out, word := b[:0], false
	for i := 0; i < len(s) && len(out) < len(b); i++ {
		c := s[i]
		is := isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
		if !is {
			out = append(out, c)
		} else if !word {
			out = append(out, 'x')
		}
		word = is
	}
	return string(out)
}

// numberOf is the number that a string begins with: of a time stamp all
// of its digits are one.
func numberOf(s string) (float64, bool) {
	if s == "" || !isDigit(s[0]) && (s[0] != '-' || len(s) < 2 || !isDigit(s[1])) {
		return 0, false
	}
	var digits [24]byte
	out := digits[:0]
	stamp := len(s) > 9 && (s[4] == '-' || s[4] == '/') && isDigit(s[1]) && isDigit(s[2]) && isDigit(s[3])
	for i := 0; i < len(s) && len(out) < 15; i++ {
		c := s[i]
		switch {
		case isDigit(c), !stamp && (c == '.' || c == '-' && i == 0):
			out = append(out, c)
		case !stamp:
			i = len(s)
		}
	}
	v, err := strconv.ParseFloat(string(out), 64)
	return v, err == nil
}

// troubled reports whether a string speaks of trouble.
func troubled(s string) bool {
	if len(s) > 2000 {
		s = s[:2000]
	}
	if lines.Classify(s) >= lines.Trouble {
		return true
	}
	if len(s) > 40 {
		return false
	}
	return hasAny(strings.ToLower(s), "fail", "error", "fatal", "crit", "panic", "crash", "broken", "denied", "timeout", "timedout", "unhealthy", "evicted", "abort", "exception", "backoff", "oomkilled", "degraded", "unreachable", "rejected")
}

// judge marks what is odd in node and returns how odd the worst of it is. The
// first pass counts how many are odd for one reason; the second makes a reason
// that holds for many no reason at all.
func (c *jsonColumn) judge(n *jsonNode, final bool) float64 {
	n.self = 0
	if !n.open {
		for _, r := range c.reasons(n) {
			c.weigh(n, r, final)
		}
	}
	if n.odd = n.self; n.odd == 0 && n.first && !n.container() && len(c.values.of) <= fewValues && c.values.settled(.75) {
		n.odd = exemplar
	}
	if n.container() {
		for _, kid := range n.kids {
			col := c.column(n, kid)
			odd := col.judge(kid, final)
			if n.kind == '{' && c.as != 'm' && c.kinds['{'] >= rowsFew && col.n <= rare(c.kinds['{']) {
				before := kid.self
				c.weigh(kid, byExtra, final)
				kid.odd += kid.self - before
				odd = kid.odd
			}
			n.odd += odd
		}
	}
	return n.odd
}

// judgeAll learns what has come of a list, and marks what is odd in it.
func (c *jsonColumn) judgeAll(root *jsonNode) {
	c.learn(root)
	c.reset()
	c.judge(root, false)
	c.judge(root, true)
}

// reset forgets what an earlier judgement counted.
func (c *jsonColumn) reset() {
	if c == nil {
		return
	}
	c.flags = [reasonCount]int{}
	for _, key := range c.order {
		c.of[key].reset()
	}
	c.each.reset()
}

// weigh counts a reason, or makes it the node's.
func (c *jsonColumn) weigh(n *jsonNode, reason int, final bool) {
	if !final {
		c.flags[reason]++
		return
	}
	few := max(3, rare(c.n))
	if reason == byTrouble {
		few = max(3, c.n*6/10)
	}
	w := 1 / float64(max(1, c.flags[reason]))
	switch many := c.flags[reason] > few; {
	case many && reason == byTrouble && len(n.text) < 2*rareWord: // the usual here is trouble
		w = usualTrouble
	case many && reason != byPeak:
		return
	case reason == byTrouble:
		w += troubleBonus
	}
	n.self += w
}

// reasons are why a value of the column is odd.
func (c *jsonColumn) reasons(n *jsonNode) (why []int) {
	if c.n < rowsFew {
		return nil
	}
	few := rare(c.n)
	if c.kinds[n.sort()] <= few {
		why = append(why, byKind)
	}
	if c.values.settled(.75) && !(n.kind == '0' && c.nums.n == c.n && c.nums.falls == 0 && len(c.values.of) > 2) { // a clock is never odd
		if c.values.count(n.value()) <= few {
			why = append(why, byValue)
		}
	} else if n.kind == '"' {
		s := n.text[1 : len(n.text)-1]
		if c.forms.settled(.75) && c.forms.count(lines.Template(s[:min(len(s), columnText)])) <= few {
			why = append(why, byForm)
		} else if c.shapes.settled(.85) && c.shapes.count(shapeOf(s)) <= few {
			why = append(why, byShape)
		}
	}
	switch n.kind {
	case '0':
		if v, err := strconv.ParseFloat(n.text, 64); err == nil {
			why = append(why, c.far(v)...)
		}
	case '"':
		s := n.text[1 : len(n.text)-1]
		low, high := c.lens.bounds(.25, 4)
		if l := float64(len(s)); l < low || l > high {
			why = append(why, byLength)
		}
		if v, ok := numberOf(s); ok && c.nums.n*10 >= c.n*9 {
			why = append(why, c.far(v)...)
		}
		if troubled(s) {
			why = append(why, byTrouble)
		}
	case '{':
		for key, col := range c.of {
			if c.as != 'm' && col.n < c.kinds['{'] && col.n >= c.kinds['{']-few && n.get(key) == nil {
				why = append(why, byMissing)
				break
			}
		}
	}
	return why
}

// far tells whether a number is far from the others.
func (c *jsonColumn) far(v float64) (why []int) {
	if c.nums.n < rowsFew {
		return nil
	}
	if low, high := c.nums.bounds(.02, 0); v < low || v > high {
		why = append(why, byNumber)
		if v == c.nums.most && c.nums.next > 0 && v > 2*c.nums.next {
			why = append(why, byPeak)
		}
	}
	if c.nums.signs[sign(v)] <= rare(c.nums.n) {
		why = append(why, bySign)
	}
	return why
}
