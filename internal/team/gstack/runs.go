package gstack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/team/eval"
	"cairn/internal/team/record"
	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
)

// findRuns lists the files of results in a directory and those in it.
func (im *importer) findRuns(dir string, unnamed bool, depth int) {
	for _, e := range im.list(Runs, dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && depth > 0:
			im.findRuns(path, unnamed, depth-1)
		case e.IsDir():
			im.report.bad(Runs, path, 0, "too many directories in each other")
		case !strings.HasSuffix(e.Name(), ".json"):
		case strings.HasPrefix(e.Name(), "_partial"):
			im.report.left(Left{Kind: Runs, Path: path, Why: partialWhy})
		default:
			im.add(found{path: path, read: (*importer).readRun, unnamed: unnamed})
		}
	}
}

const partialWhy = "a run that was not over; one that ended has a file of its own"

// countRuns counts files of results without a look into them.
func (im *importer) countRuns(dir string, depth int) (n int) {
	for _, e := range im.list(Runs, dir) {
		switch {
		case e.IsDir() && depth > 0:
			n += im.countRuns(filepath.Join(dir, e.Name()), depth-1)
		case strings.HasSuffix(e.Name(), ".json"):
			n++
		}
	}
	return n
}

// namesake reports whether a project of the repository's name holds what is of
// another one: a-b/c and a/b-c have one name.
func (im *importer) namesake(project string) bool {
	data, err := atomicfile.ReadRegular(filepath.Join(project, "greptile-history.md"), mostFile)
	if err != nil {
		return false // what is wrong with it is told when it is read
	}
	list, _, _ := record.Verdicts(data, record.Context{})
	return slices.ContainsFunc(list, func(v record.Verdict) bool {
		return strings.Contains(v.Repo, "/") && !strings.EqualFold(v.Repo, im.src.Repo.Name) && im.slugs.mine(v.Repo)
	})
}

func (im *importer) readRun(f found) {
	data, ok := im.read(Runs, f.path, result.MaxBytes)
	if !ok {
		return
	}
	im.readRunOf(f, data, timeInName(f.path))
}

// readRunOf reads the run in data.
func (im *importer) readRunOf(f found, data []byte, at time.Time) {
	const name = "run"
	file, err := reader.Read(name, data)
	if errors.Is(err, reader.ErrPartial) {
		im.report.left(Left{Kind: Runs, Path: f.path, Why: partialWhy})
		return
	}
	if err != nil {
		line, why := explain(err)
		im.report.bad(Runs, f.path, line, strings.TrimPrefix(why, name+": "))
		return
	}
	if at.IsZero() {
		at = im.modified(f.path)
	}
	for _, run := range file.Runs {
		if run.Repo == "" && !im.owns(f, run.GitSHA) {
			continue
		}
		(eval.Context{Repo: im.src.Repo.Name, Time: at}).Fill(run)
		eval.Strip(run)
		if err := run.Check(); err != nil {
			im.report.broken(Runs, f.path, 0, err)
			continue
		}
		im.run(run)
	}
	for _, w := range file.Warnings {
		im.report.Notes = append(im.report.Notes, Left{Kind: Runs, Path: f.path, Why: w})
	}
}

// owns reports whether a run that names no repository is of Repo. One that is
// not is left out.
func (im *importer) owns(f found, sha string) bool {
	repo := im.src.Repo
	why := ""
	switch {
	case repo.Name == "":
		why = "names no repository; run this in the one that it is of"
	case !f.unnamed || im.src.Unnamed || sha != "" && repo.HasCommit != nil && repo.HasCommit(sha):
		return true
	default:
		why = fmt.Sprintf("names no repository, and %s does not have its commit; --unnamed takes it all the same", repo.Name)
	}
	im.report.left(Left{Kind: Runs, Path: f.path, Why: why})
	return false
}

// timeInName is the minute at the end of a name, such as
// 1.68.3.0-main-e2e-2026-08-15-1030.json.
func timeInName(path string) time.Time {
	const layout = "2006-01-02-1504"
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	at, _ := time.Parse(layout, name[max(0, len(name)-len(layout)):])
	return at
}

func (im *importer) modified(path string) time.Time {
	fi, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime()
}
