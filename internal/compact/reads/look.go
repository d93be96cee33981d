package reads

import (
	"slices"
	"strings"
)

// A View is what a Read would show of a file.
type View struct {
	First int    // number of the first line, from 1
	Total int    // lines of the file; 0: not known
	Text  string // the lines, without a final line feed
}

// A Look is one Read, against what the agent knows of the file.
type Look struct {
	ledger *Ledger
	path   string
	known  *file
	view   View
	lines  []uint64
	place  []int  // of each line in known, or -1; what was shown too long ago is -1
	moved  bool   // the file is not what the agent last knew
	gap    []bool // something is missing before this line that the agent was shown
	clock  uint32
}

// Look compares what a Read would show with what the agent knows. It is nil
// where nothing is kept of such a text.
func (l *Ledger) Look(path string, v View) *Look {
	if l == nil || path == "" || v.First < 1 {
		return nil
	}
	known := l.load(path)
	whole := v.First == 1
	if known == nil && len(v.Text) < Least && whole && v.Total <= strings.Count(v.Text, "\n")+1 {
		return nil
	}
	k := &Look{ledger: l, path: path, known: known, view: v, lines: hashes(v.Text), clock: l.clock()}
	if known != nil {
		k.compare()
	}
	return k
}

// ID tells the file of this agent from all others, as long as the account of
// what was left out is kept.
func (k *Look) ID() string { return "read-" + name(k.ledger.dir+"\x00"+k.path) }

// First and Last are the numbers of the lines that the Read would show. What
// stands after a last line feed is no line.
func (k *Look) First() int { return k.view.First }
func (k *Look) Last() int {
	if strings.HasSuffix(k.view.Text, "\n") {
		return k.last() - 1
	}
	return k.last()
}

func (k *Look) last() int { return k.view.First + len(k.lines) - 1 }

// whole reports whether the Read shows the file from its first line to its last.
func (k *Look) whole() bool {
	return k.view.First == 1 && (k.view.Total == 0 || k.last() >= k.view.Total)
}

// compare finds the lines that the agent knows.
func (k *Look) compare() {
	old := k.known.lines
	k.gap = make([]bool, len(k.lines)+1)
	if k.whole() {
		k.place = align(old, k.lines)
		before := -1 // place of the line before
		for i, p := range k.place {
			if p >= 0 && (i == 0 || k.place[i-1] >= 0) {
				k.gap[i] = p != before+1
			}
			before = p
		}
		if n := len(k.lines); n > 0 && k.place[n-1] >= 0 && k.place[n-1] != len(old)-1 {
			k.gap[n] = true
		}
	} else {
		// A part says nothing of what moved: the lines must be where they were.
		k.place = make([]int, len(k.lines))
		for i, h := range k.lines {
			at := k.view.First - 1 + i
			k.place[i] = -1
			if len(old) == k.view.Total && at < len(old) && old[at].hash == h {
				k.place[i] = at
			}
		}
	}
	k.moved = k.changed()
	for i, p := range k.place {
		if p >= 0 && k.clock-old[p].at > Far {
			k.place[i] = -1
		}
	}
}

// changed reports whether lines that the agent knew are others now, or at
// another place.
func (k *Look) changed() bool {
	old := k.known.lines
	if total := max(k.view.Total, k.last()); len(old) != total {
		return true
	}
	for i, p := range k.place {
		if at := k.view.First - 1 + i; p != at && old[at].hash != 0 {
			return true
		}
	}
	return false
}

// Insists reports whether the agent asks once more for lines of which it did
// not get all the last time, though nothing has changed since: then it gets them.
func (k *Look) Insists() bool {
	return k != nil && k.known != nil && k.known.to > 0 && !k.moved && k.view.First <= k.known.to && k.last() >= k.known.from
}

// around is how many lines are shown with a change on either side of it.
const around = 3

// News returns the lines, by their numbers in the file, that the agent does not
// know, from the first to the last with a few around them; from is 0 when it
// knows all. Where a short answer is not worth it, or not safe, ok is false.
func (k *Look) News() (from, to int, ok bool) {
	if k == nil || k.known == nil || k.Insists() || len(k.view.Text) < Least {
		return 0, 0, false
	}
	first, last := -1, -1
	for i, p := range k.place {
		if p < 0 || k.gap[i] {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if n := len(k.lines); k.gap[n] {
		if first < 0 {
			first = n - 1
		}
		last = n - 1
	}
	if first < 0 {
		return 0, 0, true
	}
	first, last = max(0, first-around), min(len(k.lines)-1, last+around)
	if first == 1 { // a line that says so would stand in its place
		first = 0
	}
	if k.size(first, last) > len(k.view.Text)/2 {
		return 0, 0, false
	}
	return k.view.First + first, k.view.First + last, true
}

// size is how many bytes the lines from first to last take.
func (k *Look) size(first, last int) int { return len(k.part(first, last)) }

func (k *Look) part(first, last int) string {
	lines := strings.Split(k.view.Text, "\n")
	return strings.Join(lines[first:last+1], "\n")
}

// Lines is the text of some lines, by their numbers in the file.
func (k *Look) Lines(from, to int) string {
	return k.part(from-k.view.First, to-k.view.First)
}

// Was is the number that a line which the agent knows had when it was shown, or
// after the agent's own changes.
func (k *Look) Was(n int) int { return k.place[n-k.view.First] + 1 }

// Edited reports whether the agent changed the file since it was last shown any
// of it.
func (k *Look) Edited() bool { return k.known != nil && k.known.edited }

// Show keeps that the model was shown the lines from one to another, and knows
// the others of the Read as it did before. from is 0 for none of them.
func (k *Look) Show(from, to int) error {
	if k == nil {
		return nil
	}
	total := max(k.view.Total, k.last())
	if total > mostLines {
		return k.ledger.forget(k.path)
	}
	f := &file{lines: make([]line, total)}
	if k.known != nil {
		f.edited = k.known.edited
		if !k.whole() && len(k.known.lines) == total {
			copy(f.lines, k.known.lines)
		}
	}
	if from > 0 {
		f.edited = false
	}
	short := false
	for i, h := range k.lines {
		n := k.view.First + i
		switch {
		case from > 0 && n >= from && n <= to:
			f.lines[n-1] = line{h, k.clock}
		case k.place != nil && k.place[i] >= 0:
			f.lines[n-1] = k.known.lines[k.place[i]]
			short = true
		default:
			f.lines[n-1] = line{}
			short = true
		}
	}
	if short {
		f.from, f.to = k.view.First, k.last()
	}
	return k.ledger.save(k.path, f)
}

// ShowAll is Show of all that was asked for.
func (k *Look) ShowAll() error {
	if k == nil {
		return nil
	}
	return k.Show(k.view.First, k.last())
}

// Changed keeps that the agent itself made after of before, which is not known
// to hold what the agent knew; of a new file before is "".
func (l *Ledger) Changed(path, before, after string, all bool) error {
	if l == nil {
		return nil
	}
	known := l.load(path)
	if known == nil && (!all || len(after) < Least) {
		return nil
	}
	next := hashes(after)
	if len(next) > mostLines {
		return l.forget(path)
	}
	f := &file{lines: make([]line, len(next)), edited: true}
	mine := line{at: l.clock()}
	if all {
		for i, h := range next {
			mine.hash = h
			f.lines[i] = mine
		}
		return l.save(path, f)
	}
	base := known.upTo(hashes(before))
	place := align(base, next)
	for i := 0; i < len(next); {
		if p := place[i]; p >= 0 {
			f.lines[i] = base[p]
			if f.lines[i].at == unseen {
				f.lines[i] = line{}
			}
			i++
			continue
		}
		// Lines that the change made. The agent knows them if it knew those in
		// whose place they stand, and those beside these: what is left of a
		// line that was never shown is no knowledge.
		to := i
		for to < len(next) && place[to] < 0 {
			to++
		}
		from, end := 0, len(base)
		if i > 0 {
			from = place[i-1]
		}
		if to < len(next) {
			end = place[to] + 1
		}
		if !slices.ContainsFunc(base[from:end], func(ln line) bool { return ln.at == unseen }) {
			for ; i < to; i++ {
				mine.hash = next[i]
				f.lines[i] = mine
			}
		}
		i = to
	}
	return l.save(path, f)
}

// unseen marks a line whose hash is known and which the agent was not shown.
const unseen = ^uint32(0)

// upTo is the file with this content: the lines that the agent knows of it as
// they are known, the others marked.
func (f *file) upTo(content []uint64) []line {
	base := make([]line, len(content))
	place := align(f.lines, content)
	for i, h := range content {
		base[i] = line{hash: h, at: unseen}
		if p := place[i]; p >= 0 {
			base[i] = f.lines[p]
		} else if i < len(f.lines) && f.lines[i].hash == h {
			base[i] = f.lines[i]
		}
	}
	return base
}
