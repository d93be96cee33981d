// Package cover reads what tools of coverage write: Go's profiles, the lcov that the
// tools of Python, JavaScript and Rust can write, and the raw coverage of V8, which
// every Node.js writes when it is asked to.
//
// Package proof imports it. It runs nothing, and knows no project.
package cover

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Lines says of a file's lines, from 1, how often each ran; a line without code is not
// there.
type Lines map[int]int

// Files are the lines of files by their names, as the tool gives them.
type Files map[string]Lines

func (f Files) add(name string, line, count int) {
	if f[name] == nil {
		f[name] = Lines{}
	}
	f[name][line] = max(f[name][line], count)
}

// Join adds what another run covered.
func (f Files) Join(other Files) {
	for name, lines := range other {
		for line, count := range lines {
			f.add(name, line, count)
		}
	}
}

// Go reads a profile of go test: `pkg/file.go:10.2,12.3 2 1`.
func Go(profile string) Files {
	f := Files{}
	for line := range strings.Lines(profile) {
		name, rest, ok := cutLast(strings.TrimSpace(line), ":")
		field := strings.FieldsFunc(rest, func(r rune) bool { return r == '.' || r == ',' || r == ' ' })
		if !ok || len(field) != 6 {
			continue
		}
		from, _ := strconv.Atoi(field[0])
		to, _ := strconv.Atoi(field[2])
		column, _ := strconv.Atoi(field[3])
		count, _ := strconv.Atoi(field[5])
		if column <= 2 && to > from { // it ends before what stands in that line
			to--
		}
		for n := from; n <= to; n++ {
			f.add(name, n, count)
		}
	}
	return f
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// LCOV reads the records SF and DA.
func LCOV(text string) Files {
	f := Files{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if file, ok := strings.CutPrefix(line, "SF:"); ok {
			name = file
		}
		data, ok := strings.CutPrefix(line, "DA:")
		at, count, two := strings.Cut(data, ",")
		if !ok || !two || name == "" {
			continue
		}
		count, _, _ = strings.Cut(count, ",")
		n, err := strconv.Atoi(at)
		c, _ := strconv.ParseFloat(count, 64)
		if err == nil {
			f.add(name, n, int(c))
		}
	}
	return f
}

// V8 reads one file of NODE_V8_COVERAGE. text returns the text of a file that ran, and
// false for one that does not matter. Blocks that ran are larger than those in them
// that did not: the innermost counts.
func V8(data []byte, text func(name string) (string, bool)) (Files, error) {
	var doc struct {
		Result []struct {
			URL       string
			Functions []struct {
				Ranges []struct{ StartOffset, EndOffset, Count int }
			}
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	f := Files{}
	for _, r := range doc.Result {
		u, err := url.Parse(r.URL)
		if err != nil || u.Scheme != "file" {
			continue
		}
		name := filepath.FromSlash(u.Path)
		source, ok := text(name)
		if !ok {
			continue
		}
		starts := []int{0}
		for i := range len(source) {
			if source[i] == '\n' {
				starts = append(starts, i+1)
			}
		}
		type span struct{ from, to, count int }
		var spans []span
		for _, fn := range r.Functions {
			for _, s := range fn.Ranges {
				spans = append(spans, span{s.StartOffset, s.EndOffset, s.Count})
			}
		}
		sort.SliceStable(spans, func(i, j int) bool { return spans[i].to-spans[i].from > spans[j].to-spans[j].from })
		ascii := offsets(source)
		for n, start := range starts {
			end := len(source)
			if n+1 < len(starts) {
				end = starts[n+1]
			}
			at := start
			for at < end && strings.IndexByte(" \t\r\n{}()[];,", source[at]) >= 0 {
				at++
			}
			if at >= end {
				continue
			}
			count, found := 0, false
			for _, s := range spans {
				if s.from <= ascii(at) && ascii(at) < s.to {
					count, found = s.count, true
				}
			}
			if found {
				f.add(name, n+1, count)
			}
		}
	}
	return f, nil
}

// offsets turns offsets in bytes into those of UTF-16, which V8 counts.
func offsets(source string) func(int) int {
	plain := true
	for i := range len(source) {
		plain = plain && source[i] < 0x80
	}
	if plain {
		return func(at int) int { return at }
	}
	units := make([]int, len(source)+1)
	n := 0
	for i, r := range source {
		units[i] = n
		n++
		if r > 0xffff {
			n++
		}
	}
	units[len(source)] = n
	return func(at int) int { return units[at] }
}
