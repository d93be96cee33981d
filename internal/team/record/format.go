package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/result"
	"cairn/internal/team/table"
)

// A Kind is a kind of record.
type Kind uint8

const (
	Retro Kind = iota + 1
	QA
	Ship
	Triage
	Transcript
	Plan
	Usage
	Spend
)

// A format is how a kind of record is written down: an object whose members are
// the table's columns, or are called as older tools call them.
type format struct {
	table   string
	noun    string
	aliases [][2]string // member, column; the first that is there counts
	wants   []string    // columns that must be given
	check   func(columns, *object) error
	title   func(columns) string
	isOurs  func(*object) bool // nil takes every object
}

// formats are those of the kinds.
var formats = [...]format{
	Retro: {
		table: "retro_snapshots", noun: "retro",
		aliases: [][2]string{{"window", "period"}, {"timestamp", "occurred_at"}, {"repo", "repo_slug"}},
		wants:   []string{"date", "metrics"}, check: checkRetro,
		title: func(c columns) string { return c.string("date") + " " + c.string("period") },
	},
	QA: {
		table: "qa_reports", noun: "QA report",
		aliases: [][2]string{{"healthScore", "health_score"}, {"categoryScores", "category_scores"}, {"report", "report_markdown"},
			{"timestamp", "occurred_at"}, {"date", "occurred_at"}, {"repo", "repo_slug"}},
		wants: []string{"url"}, check: checkQA,
		title: func(c columns) string { return c.string("url") },
	},
	Ship: {
		table: "ship_logs", noun: "ship",
		aliases: [][2]string{{"timestamp", "occurred_at"}, {"ts", "occurred_at"}, {"repo", "repo_slug"}},
		check:   checkShip, isOurs: isShip,
		title: func(c columns) string {
			return strings.TrimSpace(c.string("version") + " " + c.string("branch"))
		},
	},
	Transcript: {
		table: "session_transcripts", noun: "session",
		aliases: [][2]string{{"repo", "repo_slug"}},
		wants:   []string{"session_id", "messages"}, check: checkTranscript,
		title: func(c columns) string { return c.string("session_id") },
	},
	Plan: {
		table: "plan_snapshots", noun: "plan snapshot",
		wants: []string{"phases", "phases_done"}, check: checkNothing,
		title: func(c columns) string { return c.string("milestone") + " " + c.string("workstream") },
	},
	Usage: {
		table: "usage_days", noun: "day of usage",
		wants: []string{"date", "agent"}, check: checkUsage,
		title: func(c columns) string { return c.string("date") + " " + c.string("agent") },
	},
	Spend: {
		table: "spend_days", noun: "day of spend",
		wants: []string{"day", "source", "agent"}, check: checkNothing,
		title: func(c columns) string { return c.string("day") + " " + c.string("agent") },
	},
	Triage: {
		table: "greptile_triage", noun: "verdict",
		aliases: [][2]string{{"type", "triage_type"}, {"pattern", "file_pattern"}, {"timestamp", "occurred_at"}, {"repo", "repo_slug"}},
		wants:   []string{"date", "triage_type", "file_pattern"}, check: checkTriage,
		title: func(c columns) string { return c.string("triage_type") + " " + c.string("file_pattern") },
	},
}

// Noun is what one record of the kind is called.
func (k Kind) Noun() string { return formats[k].noun }

// Table is where they are kept.
func (k Kind) Table() string { return formats[k].table }

// Read reads a file of records: an object, a list of them, or one a line.
// Verdicts may also be lines with pipes.
func Read(k Kind, data []byte, when Context) (File, error) {
	if k == Triage && !isJSON(data) {
		return readPipes(data, when)
	}
	list, err := objects(data)
	if err != nil {
		return File{}, err
	}
	f := formats[k]
	var out File
	seen := ordinals{}
	for _, o := range list {
		if f.isOurs != nil && !f.isOurs(&o) {
			continue
		}
		c, warnings, err := f.columns(&o, when)
		if err != nil {
			return File{}, err
		}
		out.Warnings = append(out.Warnings, warnings...)
		ordinal := 1
		if k == Triage { // the same verdict twice is two verdicts; elsewhere it is a repeat
			ordinal = seen.next(c)
		}
		row, err := c.row(table.Find(f.table), when, ordinal, strings.TrimSpace(f.title(c)))
		if err != nil {
			return File{}, err
		}
		out.Rows = append(out.Rows, row)
	}
	if len(out.Rows) < len(list) {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d of %d lines tell of no %s", len(list)-len(out.Rows), len(list), f.noun))
	}
	return out, nil
}

// columns takes the members of an object.
func (f format) columns(o *object, when Context) (columns, []string, error) {
	if o.text("type") == "global" {
		return nil, nil, result.Problem{Line: o.line, Path: "type", What: "it is of all projects; send the " + f.noun + " of one repository"}
	}
	tab := table.Find(f.table)
	c := columns{}
	var unknown []string
	for i := range o.members {
		m := &o.members[i]
		name := m.name
		for _, a := range f.aliases {
			if a[0] == name {
				name = a[1]
			}
		}
		col := tab.Column(name)
		if name == "date" && col == nil || !given(name) {
			col = nil
		}
		switch {
		case name != m.name && o.find(name) != nil || c[name] != nil:
			// both names stand there: the column's own counts, else the first
		case col == nil:
			unknown = append(unknown, result.Shown(m.name))
		default:
			if err := c.set(col, m, result.Shown(m.name)); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, want := range f.wants {
		if c[want] == nil || c.string(want) == "" && c[want].Kind() == '"' {
			return nil, nil, result.Problem{Line: o.line, Path: f.called(want), What: "missing; " + f.noun + "s need it"}
		}
	}
	if err := f.check(c, o); err != nil {
		return nil, nil, err
	}
	f.defaults(c, when)
	slices.Sort(unknown)
	var warnings []string
	if len(unknown) > 0 && o.find("skill") == nil { // of a log of skills little is meant for us
		warnings = append(warnings, fmt.Sprintf("line %d: nothing is known of %s, left out", o.line, strings.Join(unknown, ", ")))
	}
	return c, warnings, nil
}

// given reports whether a record may tell a column: not who sends it.
func given(column string) bool {
	return !slices.Contains([]string{"team_id", "id", "user_id", "created_at", "ingest_key"}, column)
}

// called is a column's name as older tools write it, with its own.
func (f format) called(column string) string {
	if i := slices.IndexFunc(f.aliases, func(a [2]string) bool { return a[1] == column }); i >= 0 {
		return column + " (or " + f.aliases[i][0] + ")"
	}
	return column
}

// defaults adds what the context knows. A record that tells a day happened on it.
func (f format) defaults(c columns, when Context) {
	if day, err := time.Parse(time.DateOnly, c.string("date")); err == nil && c["occurred_at"] == nil {
		c.time("occurred_at", day)
	}
	if f.table == "ship_logs" && c["branch"] == nil && when.Branch != "" {
		c.text("branch", when.Branch)
	}
}

// ordinals counts rows of the same content.
type ordinals map[string]int

func (o ordinals) next(c columns) int {
	key := ""
	for _, name := range []string{"occurred_at", "date", "repo_slug", "triage_type", "file_pattern", "category"} {
		key += c.string(name) + "\x00"
	}
	o[key]++
	return o[key]
}

func checkRetro(c columns, o *object) error {
	if m := o.find("period", "window"); c["period"] != nil && !isDays(c.string("period")) {
		return result.Problem{Line: m.line, Path: m.name, What: fmt.Sprintf("must be days, such as 7d, 14d or 30d, not %q", result.Shown(c.string("period")))}
	}
	for _, is := range [...]struct{ name, of string }{{"metrics", "a number for each measure"}, {"authors", "a member for each person"}} {
		if v := c[is.name]; v != nil && v.Kind() != '{' {
			return result.Problem{Line: o.find(is.name).line, Path: is.name, What: "must be an object with " + is.of}
		}
	}
	return checkNumbers(o.find("metrics"), measures[:])
}

// measures are those that are added up and drawn; others are kept as they are.
var measures = [...]string{
	"commits", "contributors", "prs_merged", "insertions", "deletions", "net_loc", "test_loc", "test_ratio", "active_days",
	"sessions", "deep_sessions", "avg_session_minutes", "loc_per_session_hour", "feat_pct", "fix_pct", "peak_hour", "ai_assisted_commits",
}

func isDays(period string) bool {
	days, ok := strings.CutSuffix(period, "d")
	n, err := strconv.Atoi(days)
	return ok && err == nil && n > 0 && strconv.Itoa(n) == days
}

func checkNothing(columns, *object) error { return nil }

func checkUsage(_ columns, o *object) error { return checkNumbers(o.find("tools"), nil) }

func checkQA(c columns, o *object) error {
	m := o.find("health_score", "healthScore")
	if v := c["health_score"]; v != nil {
		if score, err := strconv.ParseFloat(string(v), 64); err != nil || score < 0 || score > 100 {
			return result.Problem{Line: m.line, Path: m.name, What: string(v) + "; it is from 0 to 100"}
		}
	}
	return checkNumbers(o.find("category_scores", "categoryScores"), nil)
}

func isShip(o *object) bool {
	if o.find("skill") == nil {
		return true
	}
	outcome := o.text("outcome")
	return o.text("skill") == "ship" && o.text("event") == "completed" && (outcome == "" || outcome == "success")
}

func checkShip(c columns, o *object) error {
	if o.find("skill") == nil && c["version"] == nil && c["branch"] == nil && c["pr_url"] == nil {
		return result.Problem{Line: o.line, What: "it has no release: version, branch or pr_url is missing"}
	}
	return nil
}

func checkTriage(c columns, o *object) error {
	if verdict := c.string("triage_type"); !isVerdict(verdict) {
		m := o.find("triage_type", "type")
		return result.Problem{Line: m.line, Path: m.name, What: wantVerdict(verdict)}
	}
	return nil
}

func isVerdict(text string) bool { return text == "fp" || text == "fix" || text == "already-fixed" }

func wantVerdict(text string) string {
	return fmt.Sprintf("must be fp, fix or already-fixed, not %q", result.Shown(text))
}

// checkNumbers looks whether members of an object are numbers or null: those
// named, or all.
func checkNumbers(m *member, names []string) error {
	if m == nil || m.value.Kind() != '{' {
		return nil
	}
	list, err := objects(m.value)
	if err != nil || len(list) != 1 {
		return err
	}
	for _, in := range list[0].members {
		if kind := in.value.Kind(); kind != '0' && kind != 'n' && (names == nil || slices.Contains(names, in.name)) {
			return result.Problem{Line: m.line + in.line - 1, Path: m.name + "." + result.Shown(in.name), What: "must be a number, not " + result.KindName(kind)}
		}
	}
	return nil
}
