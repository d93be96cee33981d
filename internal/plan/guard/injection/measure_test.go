package injection

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestMeasure scans the text files below the directories of CAIRN_INJECTION_DIRS and
// tells what it found: how the figures for sets too large for a repository are made.
func TestMeasure(t *testing.T) {
	dirs := os.Getenv("CAIRN_INJECTION_DIRS")
	if dirs == "" {
		t.Skip("CAIRN_INJECTION_DIRS is not set")
	}
	for _, dir := range filepath.SplitList(dirs) {
		files, flagged, high, base, bytes, spent := 0, 0, 0, 0, 0, time.Duration(0)
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil || len(data) < 20 || len(data) > 300<<10 || !utf8.Valid(data) || strings.IndexByte(string(data), 0) >= 0 {
				return err
			}
			files++
			bytes += len(data)
			start := time.Now()
			found := Scan(string(data))
			spent += time.Since(start)
			if os.Getenv("CAIRN_INJECTION_BASELINE") != "" && baselineFlags(string(data)) {
				base++
			}
			if found != nil {
				flagged++
				if Severity(found) == "high" {
					high++
				}
				t.Logf("FLAG %s", name)
				for _, f := range found {
					t.Logf("   %d %s: %s", f.Line, f.Pattern, f.Excerpt)
				}
			} else if os.Getenv("CAIRN_INJECTION_MISSED") != "" {
				t.Logf("MISS %s", name)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		t.Logf("TOTAL %s: %d files, %d flagged (%.2f %%), %d high, %d by the baseline (%.2f %%), %.0f MB/s", filepath.Base(dir), files, flagged,
			100*float64(flagged)/float64(max(files, 1)), high, base, 100*float64(base)/float64(max(files, 1)), float64(bytes)/1e6/max(spent.Seconds(), 1e-9))
	}
}
