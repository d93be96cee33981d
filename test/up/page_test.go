package up

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/test/browsertest"
)

// A site is the pages of the machine's team, with somebody signed in.
type site struct {
	*browsertest.Tab
	base string // http://127.0.0.1:1234/t/acme/
}

// enter opens the address that cairn up printed.
func (m machine) enter(said string) site {
	m.t.Helper()
	match := regexp.MustCompile(`✓ dashboard +(http://\S+)`).FindStringSubmatch(said)
	if match == nil {
		m.t.Fatalf("no address of pages in:\n%s", said)
	}
	tab := browsertest.Open(m.t, match[1], browsertest.View{})
	tab.Wait(`document.readyState === "complete" && document.querySelector("dl.figures")`)
	var at string
	tab.Eval("location.href", &at)
	if u, err := url.Parse(at); err != nil || u.RawQuery != "" || !strings.HasPrefix(u.Path, "/t/") {
		m.t.Fatalf("the ticket leads to %s", at)
	}
	return site{tab, at}
}

// open opens a view and shows all rows of its tables, as a person does.
func (s site) open(view string) {
	// Where it is the view that is open already, the old page must not be taken for the new one.
	s.Eval(fmt.Sprintf("window.old = true; setTimeout(() => location.assign(%q))", s.base+view), nil)
	s.Wait(fmt.Sprintf(`!window.old && location.href === %q && document.readyState === "complete" && document.querySelector("section.panel")`, s.base+view))
	s.Eval(`{ document.querySelectorAll("details.values:not([open]) > summary").forEach(s => s.click());
		document.querySelectorAll("button.all").forEach(b => b.click()); }`, nil)
}

// figure is a number at the top of the first page.
func (s site) figure(title string) (text string) {
	s.Eval(fmt.Sprintf(`[...document.querySelectorAll("dl.figures .figure")].find(f => f.querySelector("dt").innerText.trim() === %q)?.querySelector("dd b").innerText ?? "(none)"`, title), &text)
	return text
}

// some is a figure of the first page, which leaves out those that are 0 and were.
func some(n int) string {
	if n == 0 {
		return "(none)"
	}
	return shown(n)
}

// rows are the cells of a panel's table as they are shown.
func (s site) rows(panel string) (rows [][]string) {
	s.Eval(fmt.Sprintf(`[...document.querySelectorAll("#%s tbody tr")].filter(r => r.offsetParent).map(r => [...r.cells].map(c => c.innerText.trim()))`, panel), &rows)
	return rows
}

// compare reads the pages as they are shown.
func (m machine) compare(s site, want history) {
	m.t.Helper()
	same := func(what string, got, want any) {
		m.t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			m.t.Errorf("%s: the page shows\n%v\nand git says\n%v", what, got, want)
		}
	}
	s.open("")
	same("commits", s.figure("Commits"), shown(sum(want.commits)))
	same("releases", s.figure("Releases"), some(want.ships))
	same("pull requests", s.figure("Pull requests"), some(want.pulls))
	same("people", s.figure("People active"), shown(len(want.people)))

	s.open("velocity")
	var commits, lines [][]string
	for _, week := range slices.Backward(slices.Sorted(maps.Keys(want.commits))) {
		commits = append(commits, texts(week, want.commits[week]))
		lines = append(lines, texts(week, want.lines[week][0], want.lines[week][1]))
	}
	got := s.rows("commits-by-week")
	for i := range got {
		got[i] = []string{got[i][0], got[i][2]}
	}
	same("commits by week", got, commits)
	same("lines by week", s.rows("lines-by-week"), lines)
	var people []string
	for name, p := range want.people {
		people = append(people, fmt.Sprint(texts(name, p[0], p[1], p[2])))
	}
	var shownPeople []string
	for _, row := range s.rows("committers") {
		shownPeople = append(shownPeople, fmt.Sprint(row[:4]))
	}
	slices.Sort(people)
	slices.Sort(shownPeople)
	same("people", shownPeople, people)

	s.open("code")
	hot := s.rows("hotspots")
	if len(hot) == 0 {
		m.t.Error("no file is hot")
	}
	least := 1 << 30
	for _, row := range hot {
		n, _ := strconv.Atoi(strings.ReplaceAll(row[2], ",", ""))
		if least = min(least, n); !want.renamed[row[0]] {
			same("commits of "+row[0], n, want.hot[row[0]])
		}
	}
	for name, n := range want.hot {
		if n > least && !want.renamed[name] && !slices.ContainsFunc(hot, func(row []string) bool { return row[0] == name }) {
			m.t.Errorf("%s has %d commits and is not among the files with %d", name, n, least)
		}
	}
	for _, bad := range s.Problems() {
		m.t.Errorf("the browser complains: %s", bad)
	}
}
