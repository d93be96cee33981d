package gstack

import (
	"cmp"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/must"
	"cairn/internal/team/record"
)

const (
	reportBegin = "qa-report-"
	baseline    = "baseline.json"
)

func (im *importer) findQA(dir string) {
	for _, e := range im.list(QA, dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == baseline:
			im.add(found{path: path, read: (*importer).readBaseline})
		case strings.HasPrefix(e.Name(), reportBegin) && strings.HasSuffix(e.Name(), ".md"):
			im.add(found{path: path, read: (*importer).readReport})
		case !strings.HasPrefix(e.Name(), "."):
			im.report.left(Left{Kind: Others, Path: path, Why: "no report; screenshots and the like stay where they are"})
		}
	}
}

// readBaseline reads the figures of the last report; each replaced the one before.
func (im *importer) readBaseline(f found) {
	if data, err := atomicfile.ReadRegular(f.path, mostFile); err == nil {
		im.measured = baselineOf(data)
	}
	im.readRecords(QA, record.QA, f)
}

// qaReport is a report as package record reads one.
type qaReport struct {
	URL      string   `json:"url"`
	At       string   `json:"occurred_at,omitzero"`
	Score    *float64 `json:"health_score,omitzero"`
	Markdown string   `json:"report_markdown"`
}

// readReport reads a report in Markdown, which is kept as it is. The baseline
// holds the last report's score as a figure: that one is not counted twice.
func (im *importer) readReport(f found) {
	data, ok := im.read(QA, f.path, mostReport)
	if !ok {
		return
	}
	if !utf8.Valid(data) {
		im.report.bad(QA, f.path, 0, "not UTF-8")
		return
	}
	text := string(data)
	domain, day := nameOfReport(f.path)
	r := qaReport{URL: urlOfReport(domain, text), Score: scoreOf(text), Markdown: text}
	if !day.IsZero() {
		r.At = day.Format(time.DateOnly)
		if im.measured == (measured{hostOf(r.URL), r.At}) {
			r.Score = nil
		}
	}
	body := must.Get(json.Marshal(&r))
	im.record(QA, record.QA, f.path, 0, body, im.context(f.path))
}

const mostReport = 1 << 20 // bytes

// measured is what a score is of.
type measured struct{ host, day string }

// baselineOf is what the baseline's score is of.
func baselineOf(data []byte) measured {
	var in struct {
		Date, URL string
		Score     *float64 `json:"healthScore"`
	}
	if json.Unmarshal(data, &in, json.MatchCaseInsensitiveNames(true)) != nil || in.Score == nil {
		return measured{}
	}
	return measured{hostOf(in.URL), in.Date}
}

func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return cmp.Or(u.Hostname(), text)
}

// nameOfReport takes qa-report-staging.acme.test-2026-08-14.md apart.
func nameOfReport(path string) (domain string, day time.Time) {
	name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), reportBegin), ".md")
	if at := len(name) - len(time.DateOnly); at >= 0 {
		if day, err := time.Parse(time.DateOnly, name[at:]); err == nil {
			return strings.TrimSuffix(name[:at], "-"), day
		}
	}
	return name, time.Time{}
}

// urlOfReport is the first address in a report that is of the domain in its
// name, which may have dashes for dots; else one made of that.
func urlOfReport(domain, text string) string {
	for rest := text; ; {
		at := strings.Index(rest, "http")
		if at < 0 {
			break
		}
		rest = rest[at:]
		end := strings.IndexAny(rest, " \t\r\n)>]\"'`|*,")
		if end < 0 {
			end = len(rest)
		}
		word := strings.TrimRight(rest[:end], ".;:")
		if u, err := url.Parse(word); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil &&
			(letters(u.Host) == letters(domain) || letters(u.Hostname()) == letters(domain)) {
			return word
		}
		rest = rest[min(len(rest), 4):]
	}
	if strings.Contains(domain, ".") {
		return "https://" + domain
	}
	return domain
}

// scoreOf is the figure that follows the words "health score" on a line.
func scoreOf(text string) *float64 {
	for line := range strings.Lines(text) {
		_, after, ok := strings.Cut(strings.ToLower(line), "health score")
		if !ok {
			continue
		}
		digit := func(r rune) bool { return r >= '0' && r <= '9' }
		at := strings.IndexFunc(after, digit)
		if at < 0 || at > 0 && after[at-1] == '-' {
			continue
		}
		after = after[at:]
		end := strings.IndexFunc(after, func(r rune) bool { return !digit(r) && r != '.' })
		if end < 0 {
			end = len(after)
		}
		if n, err := strconv.ParseFloat(strings.TrimRight(after[:end], "."), 64); err == nil && n <= 100 {
			return &n
		}
	}
	return nil
}
