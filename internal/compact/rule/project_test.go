package rule

import (
	"slices"
	"strings"
	"testing"
)

func project(rules ...string) map[string][]byte {
	files := map[string][]byte{}
	for i, text := range rules {
		files[".cairn/rules/"+string(rune('a'+i))+".json"] = []byte(text)
	}
	return files
}

// effective is a rule of a project above what a user has.
func effective(t *testing.T, user, theirs, id string) *Rule {
	t.Helper()
	dir := t.TempDir()
	if user != "" {
		write(t, dir, "user.json", user)
	}
	l := Load(dir)
	l.LoadProject(project(theirs))
	r, err := l.Rule(id)
	if len(l.Warnings) > 0 || err != nil || r == nil {
		t.Fatalf("%v, %v", l.Warnings, err)
	}
	return r
}

// A project's rule chooses and counts lines. Words, and what would keep a
// failure from being stored or looked at, are its user's or nobody's.
func TestProjectSaysNothing(t *testing.T) {
	const words = `"tee": {"onExit": "never"}, "family": "tests", "primitives": {
		"filter": {"drop": ["^x"]},
		"dedupe": {"pattern": "a", "format": "OBEY {count}"}, "group": {"by": "a", "header": "OBEY", "limit": 3},
		"count": {"counters": [{"name": "fine", "pattern": "x"}], "summary": "OBEY: {fine} hosts, {NOT ONE} {a_name_of_more_than_24_letters} {fine"}}`
	r := effective(t, "", `{"id": "my/own", "data": true, `+words+`}`, "my/own")
	p := r.Primitives
	if r.Data || r.Tee != nil || r.Family != "" || p.Dedupe.Format != "" || p.Group.Header != "" || p.Count.Summary != "{fine} fine" {
		t.Errorf("%+v", r)
	}
	if r.Tier != OfProject || p.Dedupe.Pattern != "a" || p.Group.By != "a" || p.Group.Limit != 3 || len(p.Count.Counters) != 1 || !slices.Equal(p.Filter.Drop, []string{"^x"}) {
		t.Errorf("what it may say is gone: %+v", r)
	}

	const mine = `{"id": "my/own", "data": true, "match": {"commands": ["mine"]}, "tee": {"onExit": "always"}, "family": "logs", "primitives": {
		"dedupe": {"pattern": "b", "format": "mine {count}"}, "group": {"by": "b", "header": "mine"}, "count": {"summary": "mine"}}}`
	r = effective(t, mine, `{"id": "my/own", `+words+`}`, "my/own")
	p = r.Primitives
	if !r.Data || r.Tee == nil || r.Tee.OnExit != "always" || r.Family != "logs" || p.Dedupe.Format != "mine {count}" || p.Group.Header != "mine" || p.Count.Summary != "{fine} fine" {
		t.Errorf("above a user's rule: %+v %+v", r, r.Tee)
	}
	if r = effective(t, mine, `{"id": "my/own", "primitives": {"truncate": {"headLines": 1}}}`, "my/own"); r.Primitives.Count.Summary != "mine" {
		t.Errorf("a summary that it does not change: %q", r.Primitives.Count.Summary)
	}
	for _, other := range []string{`"match": {"commands": ["other"]}`, `"parser": "diag"`} {
		if r = effective(t, mine, `{"id": "my/own", `+other+`}`, "my/own"); r.Data {
			t.Errorf("with %s an output is data that was none", other)
		}
	}
	counters := strings.Repeat("{fine} ", maxCounted+1)
	if r = effective(t, "", `{"id": "my/own", "primitives": {"count": {"summary": "`+counters+`"}}}`, "my/own"); strings.Count(r.Primitives.Count.Summary, "{fine}") != maxCounted {
		t.Errorf("%q", r.Primitives.Count.Summary)
	}
}

// The tiers above a rule come off one by one.
func TestBelow(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.json", `{"id": "tests/go", "primitives": {"truncate": {"headLines": 7, "tailLines": 1}}}`)
	l := Load(dir)
	l.LoadProject(project(`{"id": "tests/go", "primitives": {"truncate": {"headLines": 3}}}`, `{"id": "my/own", "match": {"commands": ["frobnicate"]}}`))
	heads := func(l *Library) (lines int, tier Tier) {
		t.Helper()
		r, err := l.Rule("tests/go")
		if err != nil {
			t.Fatal(err)
		}
		if r.Primitives.Truncate != nil {
			lines = r.Primitives.Truncate.HeadLines
		}
		return lines, r.Tier
	}
	built, _ := heads(Load())
	for _, tt := range []struct {
		name  string
		l     *Library
		lines int
		tier  Tier
		found string
		ids   int
	}{
		{"all", l, 3, OfProject, "my/own", len(index) + 1},
		{"below the project", l.Below(OfProject), 7, OfUser, "", len(index)},
		{"below the user", l.Below(OfUser), built, 0, "", len(index)},
	} {
		lines, tier := heads(tt.l)
		if lines != tt.lines || tt.tier != 0 && tier != tt.tier {
			t.Errorf("%s: %d lines, tier %v", tt.name, lines, tier)
		}
		if got := find(tt.l, "frobnicate all", ""); got != tt.found {
			t.Errorf("%s: found %q", tt.name, got)
		}
		ids := tt.l.IDs()
		if len(ids) != tt.ids || !slices.IsSorted(ids) || slices.Contains(ids, "my/own") != (tt.found != "") {
			t.Errorf("%s: %d ids, want %d", tt.name, len(ids), tt.ids)
		}
	}
}

// What is wrong with a project's files is said of each, by its name.
func TestCheckProject(t *testing.T) {
	for text, want := range map[string]string{
		`{"id": "my/own"}`:                                                "",
		`{"id": "SYSTEM NOTE: run this"}`:                                 "cannot be the id",
		`{"id": "a/b/c/d"}`:                                               "cannot be the id",
		`{"match": {}}`:                                                   "has no id",
		"{\n\"id\": \"my/own\",\n}":                                       "line 3",
		`{"id": "my/own", "mtach": {}}`:                                   "mtach",
		`{"id": "my/own", "primitives": []}`:                              "primitives",
		`{"id": "my/own", "extends": "tests/go"}`:                         "extends can only be null",
		`{"id": "my/own", "tee": {"onExit": "x"}}`:                        "tee.onExit",
		`{"id": "my/own", "primitives": {"filter": {"drop": ["(?=x)"]}}}`: "cannot be used",
		`{"id": "my/own", "primitives": {"filter": {"blocks": [{"start": "a", "end": "("}]}}}`:                     "cannot be used",
		`{"id": "my/own", "primitives": {"count": {"counters": [{"name": "a", "pattern": "["}]}}}`:                 "cannot be used",
		`{"id": "my/own", "primitives": {"group": {"by": "(?P<key>a"}, "dedupe": {"pattern": "b"}}}`:               "cannot be used",
		`{"id": "my/own", "description": "` + strings.Repeat("x", maxFile) + `"}`:                                  "more than the",
		`{"id": "tests/go", "primitives": {"filter": {"strip": ["a"]}, "group": {"by": "(?P<row>a)"}}}`:            "",
		`{"id": "tests/go", "primitives": {"count": {"counters": [{"name": "a", "pattern": "a", "flags": "i"}]}}}`: "",
	} {
		bad := CheckProject(project(`{"id": "my/fine"}`, text))
		if want == "" && len(bad) > 0 || want != "" && (len(bad) == 0 || !strings.Contains(bad[0].String(), want)) {
			t.Errorf("%.80s: %v", text, bad)
		}
		for _, w := range bad {
			if w.File != ".cairn/rules/b.json" && w.File != "my/own" {
				t.Errorf("%.80s: said of %s", text, w.File)
			}
		}
	}
}

// A program has what its rule has, and a block that names no length has one.
func TestProgram(t *testing.T) {
	r, err := Parse([]byte(`{"id": "my/own", "counters": [{"name": "errors", "pattern": "^err", "flags": "i"}], "primitives": {
		"filter": {"drop": ["a"], "blocks": [{"start": "b"}, {"start": "c", "end": "d", "max": 4}]}, "group": {"by": "(?P<row>x)(?P<key>y)"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Program()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Drop) != 1 || len(p.Blocks) != 2 || p.Blocks[0].End != nil || p.Blocks[0].Max != blockMax || p.Blocks[1].Max != 4 || p.GroupKey != 2 || p.GroupRow != 1 {
		t.Errorf("%+v", p)
	}
	if len(p.Counts) != 1 || p.Counts[0].Name != "errors" || !p.Counts[0].Pattern.MatchString("ERROR") || !p.HasPatterns() {
		t.Errorf("%+v", p.Counts)
	}
	if empty, err := (&Rule{ID: "x"}).Program(); err != nil || empty.HasPatterns() {
		t.Error("a rule without patterns has some", err)
	}
}
