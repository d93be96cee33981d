package retro

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/git"
)

// A tag that is a version.
type tag struct {
	name   string
	sha    string // the commit
	at     time.Time
	who    *person // who tagged, or of a lightweight tag who wrote the commit
	title  string
	merged ancestry
}

// ancestry says whether the measured commit has a tag's in its history.
type ancestry uint8

const (
	unknown ancestry = iota
	merged
	apart
)

const tagFormat = "--format=%(refname:strip=2)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:raw)%00%(taggername)%00%(taggeremail)%00%(contents:subject)%00%(authorname)%00%(authoremail)%00"

// tags returns the versions, the oldest first.
func (h *History) tags(ctx context.Context) ([]tag, error) {
	if h.tip == "" || h.versions != nil {
		return h.versions, nil
	}
	known := make(map[string]bool, len(h.commits))
	for i := range h.commits {
		known[h.commits[i].sha] = true
	}
	tags := []tag{}
	read := func(r *bufio.Reader) error {
		var field [11]string
		for {
			for i := range field {
				text, err := r.ReadString(0)
				if err == io.EOF && i == 0 && strings.TrimSpace(text) == "" {
					return nil
				}
				if err != nil {
					return io.ErrUnexpectedEOF
				}
				field[i] = text[:len(text)-1]
			}
			name := strings.TrimPrefix(field[0], "\n")
			t := tag{name: name, sha: field[2], title: oneLine(field[8])}
			kind, who, email := field[1], field[9], field[10]
			if kind == "tag" {
				t.sha, kind, who, email = field[4], field[3], field[6], field[7]
			}
			if kind != "commit" || !isVersion(name) {
				continue
			}
			t.who = h.people.asWritten(who, strings.Trim(email, "<>"))
			at, _ := parseDate(field[5])
			t.at = time.Unix(at, 0).UTC()
			switch {
			case known[t.sha]:
				t.merged = merged
			case !h.part:
				t.merged = apart
			}
			tags = append(tags, t)
		}
	}
	err := git.Stream(ctx, h.o.Dir, nil, read, plain("for-each-ref", tagFormat, "refs/tags")...)
	if err == nil {
		err = h.people.mapAll(ctx, h.o.Dir, h.tip)
	}
	slices.SortFunc(tags, func(a, b tag) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return compareVersions(a.name, b.name)
	})
	h.versions = tags
	return tags, err
}

// isVersion reports whether a tag is one: two or more numbers with dots between
// them at its end or before a pre-release, or a v with one: v2, 1.4.0, go1.22.1,
// release-2026.01, pkg/v1.0.0-rc.1, @scope/pkg@3.2.0.
func isVersion(name string) bool {
	name = name[strings.LastIndexAny(name, "/@")+1:]
	at := strings.IndexAny(name, "0123456789")
	if at < 0 {
		return false
	}
	number := name[at:]
	end := strings.IndexFunc(number, func(r rune) bool { return r != '.' && r != '_' && (r < '0' || r > '9') })
	if end >= 0 {
		number = number[:end]
	}
	number = strings.ReplaceAll(strings.Trim(number, "._"), "_", ".")
	return strings.Contains(number, ".") || at > 0 && (name[at-1] == 'v' || name[at-1] == 'V') && (at == 1 || !isLetter(name[at-2]))
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// compareVersions compares names with their numbers as numbers.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, _ := strconv.ParseUint(a[:na], 10, 64)
			y, _ := strconv.ParseUint(b[:nb], 10, 64)
			if x != y {
				if x < y {
					return -1
				}
				return 1
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// versionRange is the last version before a period and the last in it: nil where
// there is none at all, the same twice where nothing was released.
func (h *History) versionRange(ctx context.Context, p period) ([]string, error) {
	tags, err := h.tags(ctx)
	if err != nil {
		return nil, err
	}
	var first, last string // the newest first
	for i := range slices.Backward(tags) {
		t := &tags[i]
		if !t.at.Before(p.to) {
			continue
		}
		if err := h.place(ctx, t); err != nil {
			return nil, err
		}
		if t.merged != merged {
			continue
		}
		first = t.name
		if last == "" {
			last = t.name
		}
		if t.at.Before(p.from) {
			break
		}
	}
	if last == "" {
		return nil, nil
	}
	return []string{oneLine(first), oneLine(last)}, nil
}

// fewTags are asked for one by one; where more have to be, all are at once.
const fewTags = 8

// place finds whether a tag's commit is in the history, where only a part of that
// was read.
func (h *History) place(ctx context.Context, t *tag) error {
	if t.merged != unknown {
		return nil
	}
	if h.placed++; h.placed <= fewTags {
		_, err := git.Run(ctx, h.o.Dir, plain("merge-base", "--is-ancestor", t.sha, h.tip)...)
		if git.Code(err) > 1 || git.Code(err) < 0 {
			return err
		}
		t.merged = merged
		if err != nil {
			t.merged = apart
		}
		return nil
	}
	out, err := git.Output(ctx, h.o.Dir, plain("for-each-ref", "--format=%(refname:strip=2)", "--merged="+h.tip, "refs/tags")...)
	if err != nil {
		return err
	}
	in := map[string]bool{}
	for name := range strings.Lines(string(out)) {
		in[strings.TrimSuffix(name, "\n")] = true
	}
	for i := range h.versions {
		if v := &h.versions[i]; v.merged == unknown {
			v.merged = apart
			if in[v.name] {
				v.merged = merged
			}
		}
	}
	return nil
}
