package proof

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/plan/proof/mutant"
	"cairn/internal/plan/proof/record"
)

// hunk is a change of code that was there before.
type hunk struct {
	file     string
	from, to int // its lines at HEAD
	old      string
	key      string
}

var hunkHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`) })

// hunks are changes within code that is older than the phase and keeps its meaning
// without them: of feat and fix, in no function that is switched off as a whole. What
// only takes lines away, or is comments, is none.
func (j *judge) hunks(files []string, points []mutant.Point) (out []hunk, err error) {
	if j.from == "" {
		return nil, nil
	}
	behavior := map[string]bool{}
	for _, c := range j.judged() {
		if c.Kind == "feat" || c.Kind == "fix" || c.Kind == "" {
			for _, f := range c.Files {
				behavior[f] = true
			}
		}
	}
	for _, name := range files {
		if !behavior[name] || !j.old(name) {
			continue
		}
		diff, err := git.Output(j.ctx, j.top, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "-U0", j.from, "HEAD", "--", name)
		if err != nil {
			return nil, err
		}
		mine := j.lines(name)
		for part := range strings.SplitSeq("\n"+string(diff), "\n@@ ") {
			m := hunkHead().FindStringSubmatch("@@ " + part)
			if m == nil || m[3] == "0" {
				continue
			}
			h := hunk{file: name}
			h.from, _ = strconv.Atoi(m[2])
			n := 1
			if m[3] != "" {
				n, _ = strconv.Atoi(m[3])
			}
			h.to = h.from + n - 1
			if !j.reverts(&h, part, mine, points) {
				continue
			}
			h.key = record.Hash(name, fmt.Sprint(h.from), h.old)[:8]
			out = append(out, h)
		}
	}
	return sample(j.tree, out, mostHunks, func(h hunk) string { return h.key }), nil
}

func (j *judge) reverts(h *hunk, part string, mine []int, points []mutant.Point) bool {
	s := j.sources[h.file]
	says := false
	for n := h.from; n <= h.to; n++ {
		if _, ok := j.owns(h.file, n); !ok {
			return false
		}
		says = says || slices.Contains(mine, n)
	}
	f, inside := s.In(h.from)
	if !says || !inside || slices.ContainsFunc(points, func(p mutant.Point) bool { return p.File == h.file && p.Function.Line == f.Line }) {
		return false
	}
	var old, now strings.Builder
	_, body, _ := strings.Cut(part, "\n")
	for line := range strings.Lines(body) {
		switch line[0] {
		case '-':
			old.WriteString(line[1:])
		case '+':
			now.WriteString(line[1:])
		}
	}
	h.old = old.String()
	a, b := mark.Read(h.file, h.old), mark.Read(h.file, now.String())
	return strings.Join(strings.Fields(a.Code), "") != strings.Join(strings.Fields(b.Code), "") || literalsOf(a.Text) != literalsOf(b.Text)
}

func literalsOf(s string) string { return strings.Join(literalRE().FindAllString(s, -1), "\x00") }

// revert puts each of the changes back, one at a time, and asks the tests.
func (j *judge) revert(b bench, hunks []hunk, seen map[string]record.Without, key func(hunk) string) error {
	if len(hunks) == 0 {
		return nil
	}
	j.trees.Forget("head")
	dir, err := j.at("head", j.head)
	if err != nil {
		return err
	}
	for _, h := range hunks {
		if _, ok := seen[h.key]; ok || j.left(mostOf) == 0 {
			continue
		}
		j.Step(fmt.Sprintf("%s:%d as it was", h.file, h.from))
		name := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(h.file, j.prefix)))
		lines := strings.SplitAfter(j.sources[h.file].Text, "\n")
		text := strings.Join(lines[:h.from-1], "") + h.old + strings.Join(lines[h.to:], "")
		if err := os.WriteFile(name, []byte(text), home.SharedFile); err != nil {
			return err
		}
		w, err := b.reverted(h.file)
		late := errors.Is(err, errLate)
		if err != nil && !late {
			return stopped(err)
		}
		if err := os.WriteFile(name, []byte(j.sources[h.file].Text), home.SharedFile); err != nil {
			return err
		}
		if late {
			continue
		}
		w.File, w.What = h.file, fmt.Sprintf("lines %d-%d", h.from, h.to)
		if err := j.saw(seen, h.key, key(h), w); err != nil {
			return err
		}
	}
	return nil
}
