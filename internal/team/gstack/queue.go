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
func (im *importer) readQueue(f found) {
	data, ok := im.read(Others, f.path, result.MaxBytes)
	if !ok {
		return
	}
	var list []queued
	if err := json.Unmarshal(data, &list); err != nil {
		im.report.broken(Others, f.path, 0, result.Explain(data, err))
		return
	}
	for i, q := range list {
		if l := im.queued(f, q); l.Why != "" {
			l.Path, l.Name = f.path, fmt.Sprintf("record %d", i+1)
			im.report.left(l)
		}
	}
}

// queued keeps a record of the queue, or says why it is left out.
func (im *importer) queued(f found, q queued) Left {
	if q.Table == "eval_runs" {
		return im.queuedRun(f, q)
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
		return Left{Kind: Others, Why: "sessions are shared only by cairn sync push-transcript"}
	default:
		return Left{Kind: Others, Why: "of the table " + result.Shown(q.Table) + ", which cairn has no use for"}
	}
	data, whose := im.named(q.Data)
	switch {
	case whose == others:
		return Left{Kind: kind, Why: "of another repository"}
	case im.src.Repo.Name == "":
		return Left{Kind: kind, Why: "run this in the repository that it is of"}
	case whose == nobodys && !im.src.Unnamed:
		return Left{Kind: kind, Why: "names no repository; --unnamed takes it all the same"}
	}
	file, err := record.Read(as, data, record.Context{Repo: im.src.Repo.Name, Time: q.Time.Time})
	if err != nil {
		_, why := explain(err)
		return Left{Kind: kind, Why: why, Bad: true}
	}
	file.Warnings = nil // it has columns of the older tool's tables
	im.rows(kind, f.path, file)
	return Left{}
}

func (im *importer) queuedRun(f found, q queued) Left {
	var in struct {
		Tests   jsontext.Value `json:"tests"`
		Results jsontext.Value `json:"all_results"`
		Time    result.Time    `json:"timestamp"`
	}
	if err := json.Unmarshal(q.Data, &in); err != nil {
		_, why := explain(result.Explain(q.Data, err))
		return Left{Kind: Runs, Why: why, Bad: true}
	}
	data, whose := im.named(q.Data)
	switch {
	case in.Tests.Kind() != '[' && in.Results.Kind() != '[':
		return Left{Kind: Runs, Why: "a run without results"}
	case whose == others:
		return Left{Kind: Runs, Why: "of another repository"}
	case im.ran[in.Time.UnixMilli()] && !in.Time.IsZero():
		im.report.kept(Runs, false) // its file has been read
		return Left{}
	}
	f.unnamed = whose == nobodys
	if _, err := reader.Read("run", data); err != nil {
		_, why := explain(err)
		return Left{Kind: Runs, Why: strings.TrimPrefix(why, "run: "), Bad: true}
	}
	im.readRunOf(f, data, q.Time.Time)
	return Left{}
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
