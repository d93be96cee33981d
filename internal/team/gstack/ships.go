package gstack

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/eval"
	"cairn/internal/team/record"
	"cairn/internal/team/result"
)

const (
	timeline   = "timeline.jsonl"
	reviewsEnd = "reviews.jsonl" // what stands before is the branch
	eventsWhy  = "events that tell of no ship"
)

// findLogs lists the logs of skills of a project.
func (im *importer) findLogs(project string) (logs []string) {
	for _, e := range im.list(Ships, project) {
		if e.Name() == timeline || strings.HasSuffix(e.Name(), reviewsEnd) {
			logs = append(logs, filepath.Join(project, e.Name()))
		}
	}
	return logs
}

// findUsage adds the log of all projects to those of the repository's.
func (im *importer) findUsage(state string, logs []string) {
	if dir, ok := im.dir(Ships, state, "analytics"); ok {
		if path, ok := im.file(dir, "skill-usage.jsonl"); ok {
			logs = append(logs, path)
		}
	}
	if len(logs) > 0 {
		im.add(found{path: state, read: (*importer).readShips, logs: logs})
	}
}

// event is a line of a log of skills, of what matters here.
type event struct {
	Skill     string      `json:"skill"`
	Event     string      `json:"event"`
	Outcome   string      `json:"outcome"`
	Branch    string      `json:"branch"`
	Session   string      `json:"session"`
	SessionID string      `json:"session_id"`
	Repo      string      `json:"repo"`
	TS        result.Time `json:"ts"`
	Timestamp result.Time `json:"timestamp"`

	Critical      *int `json:"critical"`
	Informational *int `json:"informational"`
}

func (e *event) at() time.Time {
	if !e.TS.IsZero() {
		return e.TS.Time
	}
	return e.Timestamp.Time
}

func (e *event) session() string { return cmp.Or(e.Session, e.SessionID) }

// shipped reports whether it tells that a ship succeeded, not that one began.
func (e *event) shipped() bool {
	return e.Skill == "ship" && (e.Event == "completed" && e.Outcome == "" || e.Outcome == "success")
}

// findings is what a review found, and when.
type findings struct {
	branch string
	at     time.Time
	body   jsontext.Value
}

// ship is a line that tells of one.
type ship struct {
	event
	path string
	line int
	text jsontext.Value
}

// readShips reads the logs of skills together: a ship gets the findings of the
// last review of its branch before it, and one that two logs tell of is one.
func (im *importer) readShips(f found) {
	var ships []ship
	var reviews []findings
	for _, path := range f.logs {
		others := 0
		im.lines(Ships, path, func(n int, line []byte) {
			var e event
			if err := json.Unmarshal(line, &e, jsontext.AllowDuplicateNames(true)); err != nil {
				_, why := explain(result.Explain(line, err))
				im.report.bad(Ships, path, n, why)
				return
			}
			switch {
			case strings.HasSuffix(path, reviewsEnd) && e.Critical != nil:
				branch := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), reviewsEnd), "-")
				reviews = append(reviews, findings{cmp.Or(e.Branch, branch), e.at(), foundBy(e)})
				others++
			case !e.shipped():
				others++
			case filepath.Base(path) != timeline && !im.slugs.named(e.Repo):
				im.report.left(Left{Kind: Ships, Path: path, Line: n, Why: "of another repository, or of one it does not name"})
			default:
				ships = append(ships, ship{e, path, n, bytes.Clone(line)})
			}
		})
		if others > 0 {
			im.report.left(Left{Kind: Others, Path: path, Count: others, Why: eventsWhy})
		}
	}
	for i, s := range ships {
		if slices.ContainsFunc(ships[:i], s.same) {
			im.report.kept(Ships, false)
			continue
		}
		im.ship(s, reviewOf(s, ships, reviews))
	}
}

// same reports whether two lines of different logs tell of one ship.
func (s ship) same(o ship) bool {
	if s.path == o.path {
		return false
	}
	if s.session() != "" && o.session() != "" {
		return s.session() == o.session()
	}
	return s.at().Sub(o.at()).Abs() < time.Minute
}

func foundBy(e event) jsontext.Value {
	informational := 0
	if e.Informational != nil {
		informational = *e.Informational
	}
	return jsontext.Value(fmt.Sprintf(`{"critical":%d,"informational":%d}`, *e.Critical, informational))
}

// reviewOf is what the last review of a ship's branch found before it and after
// the ship before, nil for none.
func reviewOf(s ship, ships []ship, reviews []findings) jsontext.Value {
	var before time.Time
	for _, o := range ships {
		if o.Branch == s.Branch && o.at().Before(s.at()) && o.at().After(before) && !s.same(o) {
			before = o.at()
		}
	}
	var last findings
	for _, r := range reviews {
		if s.Branch != "" && letters(r.branch) == letters(s.Branch) && !r.at.After(s.at()) && r.at.After(before) && !r.at.Before(last.at) {
			last = r
		}
	}
	return last.body
}

// ship keeps one.
func (im *importer) ship(s ship, review jsontext.Value) {
	if s.at().IsZero() {
		im.report.bad(Ships, s.path, s.line, "ts: missing; a ship needs it")
		return
	}
	var members map[string]jsontext.Value
	must.OK(json.Unmarshal(s.text, &members, jsontext.AllowDuplicateNames(true)))
	delete(members, "repo") // it is Repo, however the log calls it
	delete(members, "repo_slug")
	members["event"] = jsontext.Value(`"completed"`)
	if review != nil && members["review_findings"] == nil {
		members["review_findings"] = review
	}
	body := must.Get(json.Marshal(members, json.Deterministic(true)))
	im.record(Ships, record.Ship, s.path, s.line, body, im.context(s.path))
}

// readShipLog reads the one ship that was left in a file of its own.
func (im *importer) readShipLog(f found) {
	data, ok := im.read(Ships, f.path, mostFile)
	if !ok {
		return
	}
	if !mineByOwner(f.path) {
		im.report.left(Left{Kind: Ships, Path: f.path, Why: "another user's file"})
		return
	}
	var in struct {
		URL string `json:"pr_url"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		im.report.broken(Ships, f.path, 0, result.Explain(data, err))
		return
	}
	when := im.context(f.path)
	when.Repo = repoOf(in.URL)
	switch {
	case strings.EqualFold(when.Repo, im.src.Repo.Name), when.Repo == "" && im.src.Unnamed:
		when.Repo = im.src.Repo.Name
	}
	if when.Repo == "" {
		im.report.left(Left{Kind: Ships, Path: f.path, Why: "names no repository; --unnamed takes it all the same"})
		return
	}
	im.record(Ships, record.Ship, f.path, 0, data, when)
}

// repoOf is owner/name of a pull request's address.
func repoOf(address string) string {
	for _, end := range [...]string{"/pull/", "/-/merge_requests/", "/pulls/"} {
		if remote, _, ok := strings.Cut(address, end); ok {
			return eval.RepoSlug(remote)
		}
	}
	return ""
}
