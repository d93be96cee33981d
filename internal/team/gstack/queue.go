package gstack

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/record"
	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
)

// queued is a record that the tool never delivered.
type queued struct {
	Table string         `json:"table"`
	Data  jsontext.Value `json:"data"`
	Time  result.Time    `json:"timestamp"` // when it was put there
}

// readQueue reads what waited for the tool's server. Most of it lies in files,
// too, and is known by then.
func (im *importer) readQueue(f found) error {
	data, ok := im.read(Others, f.path, result.MaxBytes)
	if !ok {
		return nil
	}
	var list []queued
	if err := json.Unmarshal(data, &list); err != nil {
		im.report.broken(Others, f.path, 0, result.Explain(data, err))
		return nil
	}
	for i, q := range list {
		if err := im.queued(f, i+1, q); err != nil {
			return err
		}
	}
	return nil
}

// queued keeps the n-th record of the queue.
func (im *importer) queued(f found, n int, q queued) error {
	left := func(kind Kind, bad bool, format string, args ...any) error {
		im.report.left(Left{Kind: kind, Path: f.path, Name: fmt.Sprintf("record %d", n), Why: fmt.Sprintf(format, args...), Bad: bad})
		return nil
	}
	if q.Table == "eval_runs" {
		return im.queuedRun(f, q, left)
	}
	var kind Kind
	var as record.Kind
	switch q.Table {
	case "retro_snapshots":
		kind, as = Retros, record.Retro
	case "qa_reports":
		kind, as = QA, record.QA
	case "ship_logs":
		kind, as = Ships, record.Ship
	case "greptile_triage":
		kind, as = Verdicts, record.Triage
	case "session_transcripts":
		return left(Others, false, "sessions are shared only by cairn sync push-transcript")
	default:
		return left(Others, false, "of the table %s, which cairn has no use for", result.Shown(q.Table))
	}
	data, whose := im.named(q.Data)
	switch {
	case whose == others:
		return left(kind, false, "of another repository")
	case im.src.Repo.Name == "":
		return left(kind, false, "run this in the repository that it is of")
	case whose == nobodys && !im.src.Unnamed:
		return left(kind, false, "names no repository; --unnamed takes it all the same")
	}
	file, err := record.Read(as, data, record.Context{Repo: im.src.Repo.Name, Time: q.Time.Time})
	if err != nil {
		_, why := explain(err)
		return left(kind, true, "%s", why)
	}
	file.Warnings = nil // it has columns of the older tool's tables
	return im.rows(kind, f.path, file)
}

func (im *importer) queuedRun(f found, q queued, left func(Kind, bool, string, ...any) error) error {
	var in struct {
		Tests   jsontext.Value `json:"tests"`
		Results jsontext.Value `json:"all_results"`
		Time    result.Time    `json:"timestamp"`
	}
	if err := json.Unmarshal(q.Data, &in); err != nil {
		_, why := explain(result.Explain(q.Data, err))
		return left(Runs, true, "%s", why)
	}
	data, whose := im.named(q.Data)
	switch {
	case in.Tests.Kind() != '[' && in.Results.Kind() != '[':
		return left(Runs, false, "a run without results")
	case whose == others:
		return left(Runs, false, "of another repository")
	case im.ran[in.Time.UnixMilli()] && !in.Time.IsZero():
		im.report.kept(Runs, false) // its file has been read
		return nil
	}
	f.unnamed = whose == nobodys
	if _, err := reader.Read("run", data); err != nil {
		_, why := explain(err)
		return left(Runs, true, "%s", strings.TrimPrefix(why, "run: "))
	}
	return im.readRunOf(f, data, q.Time.Time)
}

// Whose a record is that waited.
type whose uint8

const (
	nobodys whose = iota // it names no repository
	ours
	others
)

// named tells of what repository a queued record is. What it named Repo by is
// taken out: the tool's name of it is not ours.
func (im *importer) named(data jsontext.Value) (out jsontext.Value, whose whose) {
	var members map[string]jsontext.Value
	if json.Unmarshal(data, &members) != nil {
		return data, nobodys
	}
	var name string
	if json.Unmarshal(members["repo_slug"], &name) != nil || name == "" {
		return data, nobodys
	}
	if !im.slugs.mine(name) {
		return data, others
	}
	delete(members, "repo_slug")
	if out, err := json.Marshal(members, json.Deterministic(true)); err == nil {
		return out, ours
	}
	return data, ours
}
