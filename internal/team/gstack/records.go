package gstack

import (
	"path/filepath"
	"strings"

	"cairn/internal/must"
	"cairn/internal/team/record"
)

func (im *importer) findRetros(dir string) {
	for _, e := range im.list(Retros, dir) {
		path := filepath.Join(dir, e.Name())
		if strings.HasSuffix(e.Name(), ".json") {
			im.add(found{path: path, read: (*importer).readRetro})
		} else if !strings.HasPrefix(e.Name(), ".") {
			im.report.left(Left{Kind: Others, Path: path, Why: "no retrospective as JSON"})
		}
	}
}

// context is what is known of a record in a file of the repository.
func (im *importer) context(path string) record.Context {
	return record.Context{Repo: im.src.Repo.Name, Time: im.modified(path)}
}

func (im *importer) readRetro(f found) { im.readRecords(Retros, record.Retro, f) }

// readRecords reads a file of records: all of them, or none.
func (im *importer) readRecords(kind Kind, as record.Kind, f found) {
	data, ok := im.read(kind, f.path, mostFile)
	if !ok {
		return
	}
	im.record(kind, as, f.path, 0, data, im.context(f.path))
}

// record keeps the records of a file, or of a line of one.
func (im *importer) record(kind Kind, as record.Kind, path string, line int, data []byte, when record.Context) {
	file, err := record.Read(as, data, when)
	if err != nil {
		im.report.broken(kind, path, line, err)
		return
	}
	im.rows(kind, path, file)
}

func (im *importer) rows(kind Kind, path string, file record.File) {
	for _, row := range file.Rows {
		im.row(kind, row)
	}
	for _, w := range file.Warnings {
		im.report.Notes = append(im.report.Notes, Left{Kind: kind, Path: path, Why: w})
	}
}

// readVerdicts reads a history with pipes. The same history may lie in two
// places: the n-th verdict of one content is one verdict.
func (im *importer) readVerdicts(f found) {
	data, ok := im.read(Verdicts, f.path, mostHistory)
	if !ok {
		return
	}
	when := im.context(f.path)
	if f.unnamed {
		when.Repo = ""
	}
	list, prose := must.Get2(record.Verdicts(data, when))
	for _, v := range list {
		switch {
		case v.Wrong != "":
			im.report.bad(Verdicts, f.path, v.Line, v.Wrong)
		case v.Repo == "" && when.Repo == "":
			im.report.left(Left{Kind: Verdicts, Path: f.path, Line: v.Line, Why: "names no repository"})
		default:
			im.row(Verdicts, v.Row)
		}
	}
	if prose > 0 {
		im.report.left(Left{Kind: Others, Path: f.path, Count: prose, Why: "lines that are no verdict"})
	}
}

const mostHistory = 64 << 20 // bytes of verdicts
