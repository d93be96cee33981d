package up

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// weeksShown is how many weeks the pages show, with the running one.
const weeksShown = 12

// A history is what git says of the weeks that are shown: numbers as pages
// write them, by what stands at the head of their rows.
type history struct {
	commits      map[string]int    // by week
	lines        map[string][2]int // added and removed, by week
	people       map[string][3]int // commits, added and removed
	ships, pulls int
	last         string         // the newest week with a commit
	hot          map[string]int // commits of the last week by file
	renamed      map[string]bool
}

func monday(at time.Time) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month(), at.Day()-(int(at.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
}

// git asks for numbers with plain commands; nothing of cairn is asked.
func (m machine) git() history {
	m.t.Helper()
	h := history{commits: map[string]int{}, lines: map[string][2]int{}, people: map[string][3]int{}, hot: map[string]int{}, renamed: map[string]bool{}}
	first := monday(time.Now()).AddDate(0, 0, -7*(weeksShown-1))
	log := func(args ...string) []string {
		args = append([]string{"-c", "core.quotePath=false", "log", "--encoding=UTF-8"}, args...)
		return strings.Split(m.run("git", args...), "\n")
	}
	week, who, counted := "", "", false
	for _, line := range log("--no-merges", "--format=commit %ct %aN", "--numstat", "--root", "-M") {
		if rest, ok := strings.CutPrefix(line, "commit "); ok {
			at, name, _ := strings.Cut(rest, " ")
			seconds, _ := strconv.ParseInt(at, 10, 64)
			begin := monday(time.Unix(seconds, 0))
			week, who = begin.Format(time.DateOnly), name
			if counted = !begin.Before(first) && !strings.HasSuffix(name, "[bot]"); counted {
				h.commits[week]++
				h.people[who] = add(h.people[who], 1, 0, 0)
				h.last = max(h.last, week)
			}
			continue
		}
		if field := strings.SplitN(line, "\t", 3); counted && len(field) == 3 {
			added, _ := strconv.Atoi(field[0])
			removed, _ := strconv.Atoi(field[1])
			l := h.lines[week]
			h.lines[week] = [2]int{l[0] + added, l[1] + removed}
			h.people[who] = add(h.people[who], 0, added, removed)
		}
	}
	for _, line := range log("--no-merges", "--format=commit %ct %aN", "--name-status", "--root", "-M") {
		if rest, ok := strings.CutPrefix(line, "commit "); ok {
			at, name, _ := strings.Cut(rest, " ")
			seconds, _ := strconv.ParseInt(at, 10, 64)
			counted = monday(time.Unix(seconds, 0)).Format(time.DateOnly) == h.last && !strings.HasSuffix(name, "[bot]")
			continue
		}
		field := strings.Split(line, "\t")
		if !counted || len(field) < 2 {
			continue
		}
		h.hot[field[len(field)-1]]++
		if len(field) == 3 {
			h.renamed[field[1]], h.renamed[field[2]] = true, true
		}
	}
	pulls := map[string]bool{}
	number := regexp.MustCompile(`^(?:Merge pull request #|.*\(#)(\d+)\b`)
	for _, line := range log("--format=%ct %s") {
		at, subject, _ := strings.Cut(line, " ")
		seconds, _ := strconv.ParseInt(at, 10, 64)
		if match := number.FindStringSubmatch(subject); match != nil && seconds >= first.Unix() {
			pulls[match[1]] = true
		}
	}
	h.pulls = len(pulls)
	for _, line := range strings.Fields(m.run("git", "for-each-ref", "--format=%(creatordate:unix)", "refs/tags/v*")) {
		if seconds, _ := strconv.ParseInt(line, 10, 64); seconds >= first.Unix() {
			h.ships++
		}
	}
	h.ships += h.pulls
	if len(h.commits) == 0 {
		m.t.Fatalf("git knows no commit since %s", first)
	}
	return h
}

func add(to [3]int, commits, added, removed int) [3]int {
	return [3]int{to[0] + commits, to[1] + added, to[2] + removed}
}

// shown is a number as pages write it: 1,234.
func shown(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func sum[K comparable](of map[K]int) (all int) {
	for _, n := range of {
		all += n
	}
	return all
}

func texts(values ...any) (out []string) {
	for _, v := range values {
		if n, ok := v.(int); ok {
			v = shown(n)
		}
		out = append(out, fmt.Sprint(v))
	}
	return out
}
