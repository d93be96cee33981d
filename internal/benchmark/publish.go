package benchmark

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

const (
	reportName = "report.json"
	pageName   = "index.html"
	unfinished = ".new-*" // a directory
)

// ErrNotOurs is returned for an output directory that holds something else.
var ErrNotOurs = errors.New("holds files that are not a benchmark's")

// publish writes the scenarios and the report to dir/latest, in place of the
// benchmark before. Only this user can read them.
func publish(dir string, r *Report, scenarios []*scenario) error {
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return err
	}
	removeStale(dir)
	fresh, err := os.MkdirTemp(dir, unfinished) // mode 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	latest := filepath.Join(dir, "latest")
	r.Dir = latest
	for i, sc := range scenarios {
		name := sc.name + ".jsonl"
		r.Scenarios[i].File = name
		if err := atomicfile.WriteFile(filepath.Join(fresh, name), sc.fixture.Bytes(), home.PrivateFile); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.WriteFile(filepath.Join(fresh, reportName), append(data, '\n'), home.PrivateFile); err != nil {
		return err
	}
	page, err := Page(r)
	if err != nil {
		return err
	}
	if err := atomicfile.WriteFile(filepath.Join(fresh, pageName), page, home.PrivateFile); err != nil {
		return err
	}
	if err := removeOurs(latest); err != nil {
		return err
	}
	return os.Rename(fresh, latest)
}

// removeStale removes what benchmarks that were killed left.
func removeStale(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, unfinished))
	for _, name := range names {
		if fi, err := os.Lstat(name); err == nil && time.Since(fi.ModTime()) > time.Hour {
			os.RemoveAll(name)
		}
	}
}

// removeOurs removes the benchmark before, and nothing that is not one.
func removeOurs(latest string) error {
	entries, err := os.ReadDir(latest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	scenarioName := regexp.MustCompile(`^B\d+_\w*\.jsonl$`)
	for _, e := range entries {
		if name := e.Name(); name != reportName && name != pageName && !scenarioName.MatchString(name) {
			return fmt.Errorf("%s %w, such as %s", latest, ErrNotOurs, name)
		}
	}
	return os.RemoveAll(latest)
}
