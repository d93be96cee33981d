package record

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"cairn/internal/team/result"
	"cairn/internal/team/table"
)

func isJSON(data []byte) bool {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// readPipes reads verdicts as a history of them has them, one a line:
//
//	2026-08-13 | acme/app | fp | app/services/auth.rb | race-condition
//
// A line that does not begin with a day is prose and left out. Such a history is
// of all repositories of its user; only the lines of this one are the team's.
func readPipes(data []byte, when Context) (File, error) {
	var out File
	var seen ordinals
	prose, others := 0, 0
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(strings.TrimSuffix(line, "\r"))
		cells := strings.Split(line, "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		day, err := time.Parse(time.DateOnly, cells[0])
		if len(cells) < 2 || err != nil {
			if line != "" && !strings.HasPrefix(line, "#") {
				prose++
			}
			continue
		}
		if len(cells) < 4 || len(cells) > 5 {
			return File{}, result.Problem{Line: i + 1, What: "DAY | OWNER/REPO | fp, fix or already-fixed | FILE | CATEGORY is wanted"}
		}
		if !sameRepo(cells[1], when.Repo) {
			others++
			continue
		}
		c := columns{}
		c.text("date", cells[0])
		c.time("occurred_at", day)
		for k, name := range []string{"repo_slug", "triage_type", "file_pattern", "category"} {
			if k+1 < len(cells) && cells[k+1] != "" {
				c.text(name, cells[k+1])
			}
		}
		if !isVerdict(c.string("triage_type")) {
			return File{}, result.Problem{Line: i + 1, What: wantVerdict(cells[2])}
		}
		if c["file_pattern"] == nil {
			return File{}, result.Problem{Line: i + 1, What: "the file is missing"}
		}
		row, err := c.row(table.Find(Triage.Table()), when, seen.next(c), cells[2]+" "+cells[3])
		if err != nil {
			return File{}, err
		}
		out.Rows = append(out.Rows, row)
	}
	if prose > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("lines that are no verdict: %d", prose))
	}
	if others > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("verdicts on other repositories than %s, not the team's: %d", when.Repo, others))
	}
	return out, nil
}

// sameRepo compares owner/name; a repository without a remote is known by its name only.
func sameRepo(named, here string) bool {
	if named == "" || here == "" {
		return true
	}
	if !strings.Contains(here, "/") {
		named = named[strings.LastIndexByte(named, '/')+1:]
	}
	return strings.EqualFold(named, here)
}
