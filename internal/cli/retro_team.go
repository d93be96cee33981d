package cli

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/client"
)

// A teamRetro is a retrospective of the team's, with the numbers that are shown.
// They are read as numbers of any kind: other tools write them, too.
type teamRetro struct {
	Repo    string    `json:"repo_slug"`
	Date    string    `json:"date"`
	Period  string    `json:"period"`
	At      time.Time `json:"occurred_at"`
	Metrics struct {
		Commits           float64 `json:"commits"`
		Contributors      float64 `json:"contributors"`
		PRsMerged         float64 `json:"prs_merged"`
		Insertions        float64 `json:"insertions"`
		Deletions         float64 `json:"deletions"`
		TestRatio         float64 `json:"test_ratio"`
		AIAssistedCommits float64 `json:"ai_assisted_commits"`
	} `json:"metrics"`
}

// cachedRetros are what a pull brought.
type cachedRetros struct {
	pulse  string
	newest []teamRetro // one of each repository, the newest first
}

func readRetros(cache *client.Cache) (cachedRetros, error) {
	var out cachedRetros
	var pulses []client.Pulse
	var all []teamRetro
	if err := cmp.Or(cache.Rows(client.Pulses, &pulses), cache.Rows("retro_snapshots", &all)); err != nil {
		return out, err
	}
	if len(pulses) == 1 {
		out.pulse = pulses[0].String()
	}
	slices.SortStableFunc(all, func(a, b teamRetro) int {
		return cmp.Or(strings.Compare(b.Date, a.Date), b.At.Compare(a.At))
	})
	for _, r := range all {
		if !slices.ContainsFunc(out.newest, func(have teamRetro) bool { return have.Repo == r.Repo }) {
			out.newest = append(out.newest, r)
		}
	}
	return out, nil
}

// skipLine leaves out the first line: the headings of a table that has none.
func skipLine(w io.Writer) io.Writer { return &lineSkipper{w: w} }

type lineSkipper struct {
	w    io.Writer
	past bool
}

func (s *lineSkipper) Write(p []byte) (int, error) {
	n := len(p)
	if !s.past {
		at := bytes.IndexByte(p, '\n')
		if at < 0 {
			return n, nil
		}
		p, s.past = p[at+1:], true
	}
	_, err := s.w.Write(p)
	return n, err
}
