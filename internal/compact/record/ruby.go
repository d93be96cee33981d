package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// rubyOwn is how many own frames are kept of a Ruby backtrace, innermost
// first.
const rubyOwn = 2

// thinRuby splits lines with Ruby backtraces in them into those to keep and
// the frames to leave out: the first own frames stay, and the last one if it
// is in another file, as a test that calls the program. Of a backtrace
// without any the first frame stays.
func thinRuby(ls []Line) (keep, drop []Line) {
	for i := 0; i < len(ls); {
		if !rubyFrame(ls[i].Text) {
			keep = append(keep, ls[i])
			i++
			continue
		}
		end := i + 1
		for end < len(ls) && rubyFrame(ls[end].Text) {
			end++
		}
		wanted := rubyWanted(ls[i:end])
		for n, l := range ls[i:end] {
			if wanted[n] {
				keep = append(keep, l)
			} else {
				drop = append(drop, l)
			}
		}
		i = end
	}
	return keep, drop
}

// rubyWanted chooses the frames of one backtrace that are kept.
func rubyWanted(frames []Line) map[int]bool {
	wanted, places, files := map[int]bool{}, map[string]bool{}, map[string]bool{}
	last := -1
	for i, l := range frames {
		if rubyForeign(l.Text) {
			continue
		}
		last = i
		place := lines.Location(l.Text)
		if files[rubyFile(place)] && rubyLoop(l.Text) {
			places[place] = true
		}
		if len(wanted) < rubyOwn && !places[place] {
			wanted[i], places[place], files[rubyFile(place)] = true, true, true
		}
	}
	switch {
	case last < 0:
		wanted[0] = true
	case !files[rubyFile(lines.Location(frames[last].Text))]:
		wanted[last] = true
	}
	return wanted
}

// rubyLoop reports whether a frame is the call of a method of Ruby's own that
// ran the block above it.
func rubyLoop(t string) bool {
	_, method, _ := strings.Cut(t, ":in ")
	method = method[strings.LastIndexByte(method, '#')+1:] // Ruby 3.4 says 'Array#each'
	return oneOf(strings.Trim(method, "`'"), "each", "each_with_index", "each_pair", "each_with_object", "map", "flat_map", "times", "tap", "then", "loop", "upto", "step")
}

func rubyFile(place string) string {
	file, _, _ := strings.Cut(place, ".rb:")
	return file
}

// rubyFrame reports whether t is a line of a backtrace: "file.rb:3:in `m'",
// perhaps indented, behind "# " or "from ", or without the method.
func rubyFrame(t string) bool {
	t = strings.TrimLeft(t, " \t")
	t, hash := strings.CutPrefix(t, "# ")
	t = strings.TrimPrefix(t, "from ")
	place, _, in := strings.Cut(t, ":in ")
	if !in && !hash || strings.Contains(place, " ") {
		return false
	}
	file := strings.TrimRight(place, "0123456789")
	return len(file) > 1 && file != place && strings.HasSuffix(file, ":")
}

func rubyForeign(t string) bool {
	return hasAny(t, "/gems/", "/lib/ruby/", "<internal:", "/bundler/", "/bin/rspec", "/bin/bundle")
}

// rubyKey is what a failure says and the first place in the project, without
// its name.
func rubyKey(ls []Line) string {
	var b strings.Builder
	for _, l := range ls {
		if !rubyFrame(l.Text) {
			b.WriteString(strings.TrimSpace(l.Text) + "\n")
		}
	}
	return b.String() + rubyPlace(ls)
}

// rubyPlace is the first place of a backtrace in the project.
func rubyPlace(ls []Line) string {
	for _, l := range ls {
		if rubyFrame(l.Text) && !rubyForeign(l.Text) {
			return lines.Location(l.Text)
		}
	}
	return ""
}

// emitRuby emits a failure whose first line names it.
func emitRuby(ls []Line, r *reasons, emit Emit) {
	keep, drop := thinRuby(ls)
	site := strings.TrimSpace(keep[0].Text)
	if file, ok := strings.CutPrefix(site, "An error occurred while loading "); ok {
		site = strings.TrimSuffix(file, ".")
	}
	key := r.key(rubyKey(keep[1:]))
	emit(Record{Class: Failure, Key: key, Site: r.where(key, site, rubyPlace(keep[1:])), Lines: keep})
	named := map[string]bool{}
	for _, l := range keep {
		named[rubyFile(lines.Location(l.Text))] = true
	}
	for _, l := range drop {
		emit.line(Good.unless(!rubyForeign(l.Text) && named[rubyFile(lines.Location(l.Text))], Folded), l) // another line of a file that is there
	}
}

// rubyNumber reads the number of an entry in a list, "  12) …" or "  2.1) …",
// and gives what follows.
func rubyNumber(t string) (rest string, ok bool) {
	s := strings.TrimLeft(t, " ")
	n := 0
	for n < len(s) && (isDigit(s[n]) || n > 0 && s[n] == '.') {
		n++
	}
	if n == 0 || s == t {
		return "", false
	}
	return strings.CutPrefix(s[n:], ") ")
}

// rubyDots reports whether t is progress, a character for a test.
func rubyDots(t string) bool {
	return t != "" && strings.Trim(t, ".FE*SPON") == ""
}

// rubyTotals reports whether t is a runner's totals: "14 examples, 4
// failures, 1 pending", "9 runs, 9 assertions, 2 failures, 0 errors".
func rubyTotals(t string) bool {
	if t == "" || !isDigit(t[0]) {
		return false
	}
	_, rest, _ := strings.Cut(t, " ")
	return hasPrefix(rest, "example, ", "examples, ", "runs, ", "run, ", "tests, ", "test, ") && hasAny(rest, " failure", " assertion")
}
