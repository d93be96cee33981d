package record

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

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
	others := 0
	prose, err := eachPipe(data, when, func(v Verdict) error {
		switch {
		case !sameRepo(v.Repo, when.Repo):
			others++
		case v.Wrong != "":
			return result.Problem{Line: v.Line, What: v.Wrong}
		default:
			out.Rows = append(out.Rows, v.Row)
		}
		return nil
	})
	if err != nil {
		return File{}, err
	}
	if prose > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("lines that are no verdict: %d", prose))
	}
	if others > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("verdicts on other repositories than %s, not the team's: %d", when.Repo, others))
	}
	return out, nil
}

// A Verdict is a line of a history with pipes.
type Verdict struct {
	Row   Row
	Line  int    // from 1
	Repo  string // as the line names it, "" where it names none
	Wrong string // why there is no Row, "" where there is one
}

// Verdicts reads a history with pipes line by line, of all repositories: what is
// wrong with one line keeps no other from being read. A line that names no
// repository is of when.Repo. prose counts lines that are no verdict.
func Verdicts(data []byte, when Context) (list []Verdict, prose int, err error) {
	prose, err = eachPipe(data, when, func(v Verdict) error {
		list = append(list, v)
		return nil
	})
	return list, prose, err
}

// eachPipe calls do for each line that is a verdict, or is meant to be one.
func eachPipe(data []byte, when Context, do func(Verdict) error) (prose int, err error) {
	seen := ordinals{}
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		line := strings.TrimSpace(text)
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
		v := Verdict{Line: n, Repo: cells[1]}
		var c columns
		if c, v.Wrong = pipeColumns(cells, day); v.Wrong == "" {
			if v.Row, err = c.row(table.Find(Triage.Table()), when, seen.next(c), cells[2]+" "+cells[3]); err != nil {
				return prose, err
			}
		}
		if err := do(v); err != nil {
			return prose, err
		}
	}
	return prose, nil
}

// pipeColumns are the columns of a line, or what is wrong with it.
func pipeColumns(cells []string, day time.Time) (c columns, wrong string) {
	if len(cells) < 4 || len(cells) > 5 {
		return nil, "must be DAY | OWNER/REPO | fp, fix or already-fixed | FILE | CATEGORY"
	}
	if !isVerdict(cells[2]) {
		return nil, wantVerdict(cells[2])
	}
	if cells[3] == "" {
		return nil, "the file is missing"
	}
	if all := strings.Join(cells, ""); strings.ContainsRune(all, 0) || !utf8.ValidString(all) {
		return nil, "it is no text: a zero character, or not UTF-8"
	}
	c = columns{}
	c.text("date", cells[0])
	c.time("occurred_at", day)
	for k, name := range []string{"repo_slug", "triage_type", "file_pattern", "category"} {
		if k+1 < len(cells) && cells[k+1] != "" {
			c.text(name, cells[k+1])
		}
	}
	return c, ""
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
