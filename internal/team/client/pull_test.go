package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
)

// large answers for a team in which rows have texts of so many bytes.
func large(t *testing.T, sizes []int) *Client {
	d := newDouble(t)
	m := newMember(t, d)
	text := bytes.Repeat([]byte("x"), slices.Max(sizes))
	d.fail(func(w http.ResponseWriter, r *http.Request) {
		name, q := strings.TrimPrefix(r.URL.Path, wire.Rest), r.URL.Query()
		w.Header().Set("Content-Range", "*/*")
		switch {
		case name == "teams":
			answer(w, 200, `[{"id":"`+teamID+`","slug":"acme"}]`)
			return
		case strings.HasPrefix(name, "rpc/"):
			answer(w, 200, `[{"runs":0}]`)
			return
		case name != "eval_runs" && name != "daily_evals":
			answer(w, 200, `[]`)
			return
		}
		limit, _ := strconv.Atoi(q.Get("limit"))
		at, _ := strconv.Atoi(q.Get("offset"))
		if after := q.Get("or"); after != "" {
			fmt.Sscanf(after[strings.Index(after, "id.gt.")+len("id.gt."):], "%d", &at)
			at++
		}
		w.Header().Set("Content-Type", "application/json")
		between := "["
		for end := min(len(sizes), at+limit); at < end; at++ {
			fmt.Fprintf(w, `%s{"id":"%04d","created_at":"2026-11-20T10:00:00Z","day":"2026-11-20","label":"`, between, at)
			w.(http.Flusher).Flush()
			if q.Get("select") != "created_at,id" {
				_, _ = w.Write(text[:sizes[at]])
			}
			io.WriteString(w, `"}`)
			between = ","
		}
		if between == "[" {
			io.WriteString(w, "[")
		}
		io.WriteString(w, "]")
	})
	c, err := Open(Options{URL: d.URL, AnonKey: "anon", Home: m.home, Log: OpenLog(m.home)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Rows that are large are asked for few at a time, and one that is larger than
// any answer stops nobody's pull: it is named and left out.
func TestPullOfLargeRows(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	sizes := make([]int, 20)
	for i := range sizes {
		sizes[i] = 1 << 20
	}
	sizes[7], sizes[19] = 17<<20, 17<<20
	c := large(t, sizes)
	cache := OpenCache(project.Open("", home.Repo(t.TempDir())))
	meta, _, err := c.Pull(t.Context(), cache)
	if err != nil || meta.Tables["eval_runs"].Rows != 18 || meta.Tables["daily_evals"].Rows != 18 {
		t.Fatalf("%+v, %v", meta, err)
	}
	if all := strings.Join(meta.Skipped, "\n"); !strings.Contains(all, "eval_runs is left out, it has more than 16 MB: 0007") || !strings.Contains(all, "0019") || !strings.Contains(all, "daily_evals") {
		t.Errorf("left out: %q", all)
	}
	all, err := pages[row](t.Context(), large(t, make([]int, 2500)), "eval_runs", url.Values{})
	if err != nil || len(all) != 2500 || all[2499].ID != "2499" {
		t.Errorf("%d rows, %v", len(all), err)
	}
}

// An answer that is too large, or comes too slowly, is asked for in smaller
// pieces; what is wrong otherwise is not asked again.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		err    error
		fits   int
		asked  string
		failed bool
	}{
		{nil, 1000, "[1000]", false}, {errTooSlow, 20, "[1000 125 15]", false}, {errTooMuch, 1, "[1000 125 15 1]", false},
		{errTooMuch, 0, "[1000 125 15 1]", true}, {&Error{Kind: ErrRefused, Status: 413}, 200, "[1000 125]", false}, {ErrBusy, 1, "[1000]", true},
	} {
		var w Window
		var asked []int
		more, err := w.Fetch(func(limit int) (int, error) {
			asked = append(asked, limit)
			if limit > c.fits {
				return 0, c.err
			}
			return limit, nil
		})
		if fmt.Sprint(asked) != c.asked || (err != nil) != c.failed || more == c.failed {
			t.Errorf("%v until %d: asked for %v, %v, more %v", c.err, c.fits, asked, err, more)
		}
	}
}
