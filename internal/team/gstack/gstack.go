// Package gstack finds what the tool of that name left on a disk and makes of
// it what cairn keeps: runs of evals, retrospectives, QA reports, ships,
// verdicts on review comments, settings. What cannot become anything is told
// with a reason. docs/migrate-gstack.md has each format.
//
// It reads and never writes: what it makes goes to a Keeper, one at a time, and
// the older tool's files stay as they are. Signs of a person (auth.json) are not
// even opened. It knows no settings and no server of ours; cli imports it.
package gstack

import (
	"context"

	"cairn/internal/must"
	"cairn/internal/team/record"
	"cairn/internal/team/result"
)

// A Source says where to look, and what is known from outside.
type Source struct {
	State   string   // the tool's directory, ~/.gstack
	Dev     string   // ~/.gstack-dev, "" for none
	Evals   string   // $GSTACK_EVAL_DIR, "" for none
	Temp    []string // where it may have left the last ship
	History string   // Claude Code's history.jsonl, "" for none
	Slug    string   // $GSTACK_PROJECT_SLUG: how the tool calls Repo
	Repo    Repo     // the repository that one is in
	Unnamed bool     // what names no repository is of Repo
	Bar     Progress // nil for none
}

// A Repo is the repository that records without a name of one are of.
type Repo struct {
	Dir       string                // its top, "" for no repository
	Name      string                // owner/name, or the directory's name without a remote
	HasCommit func(sha string) bool // whether a commit, which may be short, is in it
}

// Progress is told how many files there are, and of each that is done.
type Progress interface {
	BeginCount(label string, total int64)
	Add(n int64)
	End()
}

// A Keeper takes what was read. fresh is false for what was there before; a run
// gets its ingest key. A setting that cannot be taken has a reason. An error ends
// the import.
type Keeper interface {
	Run(run *result.Run) (fresh bool, err error)
	Row(row record.Row) (fresh bool, err error)
	Setting(key, value string) (fresh bool, why string, err error)
}

// Import reads everything and gives it to keep. What is wrong with a file is in
// the report, and the others are read all the same; nothing of a file's record
// is kept unless all of that record can be read. The error is keep's, or the
// context's: then the report tells what was done until then.
func Import(ctx context.Context, src Source, keep Keeper) (*Report, error) {
	im := &importer{src: src, keep: keep, report: newReport(), seen: map[string]bool{}, ran: map[int64]bool{}}
	im.slugs = newSlugs(src)
	im.find()
	if src.Bar != nil {
		src.Bar.BeginCount("reading", int64(len(im.found)))
		defer src.Bar.End()
	}
	for _, f := range im.found {
		if err := ctx.Err(); err != nil {
			return im.report, err
		}
		if err := must.Catch(func() { f.read(im, f) }); err != nil {
			return im.report, err
		}
		if src.Bar != nil {
			src.Bar.Add(1)
		}
	}
	return im.report, nil
}

// importer is one run of Import, which ends with an error of keep.
type importer struct {
	src    Source
	keep   Keeper
	report *Report
	slugs  slugs
	found  []found
	seen   map[string]bool // ingest keys of what was kept: a copy of a file is no second record
	ran    map[int64]bool  // when runs were made, in milliseconds

	measured measured // what the baseline of QA is of
}

// found is a file, or several that are read together.
type found struct {
	path    string
	read    func(*importer, found)
	unnamed bool // nothing says which repository it is of
	logs    []string
}

func (im *importer) add(f found) { im.found = append(im.found, f) }

// row keeps a row and counts it.
func (im *importer) row(kind Kind, row record.Row) {
	fresh := false
	if !im.seen[row.IngestKey] {
		fresh = must.Get(im.keep.Row(row))
		im.seen[row.IngestKey] = true
	}
	im.report.kept(kind, fresh)
}

// run keeps a run and counts it.
func (im *importer) run(run *result.Run) {
	fresh := must.Get(im.keep.Run(run))
	im.report.kept(Runs, fresh && !im.seen[run.IngestKey])
	im.seen[run.IngestKey] = true
	im.ran[run.Timestamp.UnixMilli()] = true
}
