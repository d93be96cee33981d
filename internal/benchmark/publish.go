package benchmark

import (
	"cmp"
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
	atomicfile.RemoveOlder(dir, time.Hour, func(e fs.DirEntry) bool { // what benchmarks that were killed left
		ours, _ := filepath.Match(unfinished, e.Name())
		return ours
	})
	fresh, err := os.MkdirTemp(dir, unfinished) // mode 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	latest := filepath.Join(dir, "latest")
	r.Dir = latest
	write := func(name string, data []byte) {
		if err == nil {
			err = atomicfile.WriteFile(filepath.Join(fresh, name), data, home.PrivateFile)
		}
	}
	for i, sc := range scenarios {
		r.Scenarios[i].File = sc.Name + ".jsonl"
		write(r.Scenarios[i].File, sc.fixture.Bytes())
	}
	data, jsonErr := json.MarshalIndent(r, "", "  ")
	write(reportName, append(data, '\n'))
	page, pageErr := Page(r)
	write(pageName, page)
	if err = cmp.Or(err, jsonErr, pageErr); err != nil {
		return err
	}
	if err := removeOurs(latest); err != nil {
		return err
	}
	return os.Rename(fresh, latest)
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
