package retro

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"cairn/internal/git"
)

// A History is what was read of the commits: everything but what they changed,
// which is asked only for those that count.
type History struct {
	o       Options
	tip     string   // "" in a repository without a commit
	commits []commit // the newest first
	newest  int64    // when the newest was committed
	shallow map[string]bool
	people  people

	part   bool    // the oldest commits were not read
	enough *enough // when to stop reading, nil for never

	versions []tag // once they were asked for; not nil
	placed   int   // how many of them git was asked about
}

// A commit as it was read. Times are seconds since 1970.
type commit struct {
	sha      string
	first    string // its first parent
	second   string // and what it merged
	parents  int
	at       int64 // committed: what decides the period and the day
	authored int64
	offset   int // of the author's zone, seconds east
	author   *person
	co       []*person
	kind     kind
	pull     *pull
	cut      bool // its parents are not in this clone
}

// plain is what git is told so that nobody's settings change a number.
func plain(args ...string) []string {
	return append([]string{
		"--no-replace-objects", "-c", "log.showSignature=false", "-c", "log.follow=false", "-c", "log.excludeDecoration=",
		"-c", "mailmap.file=", "-c", "core.attributesFile=", "-c", "core.quotePath=false",
	}, args...)
}

// fields of a commit, as git log prints them; none can hold the zero byte that
// ends each.
const format = "--format=%H%x00%P%x00%ct%x00%ad%x00%aN%x00%aE%x00%B"

// Read reads the history once. A repository without a commit has an empty one.
func Read(ctx context.Context, o Options) (*History, error) { return read(ctx, o, nil) }

// read reads until it is enough.
func read(ctx context.Context, o Options, until *enough) (*History, error) {
	h := &History{o: o, enough: until}
	if err := h.open(ctx); err != nil || h.tip == "" {
		return h, err
	}
	args := plain("-c", "mailmap.blob="+h.tip+":.mailmap", "log", "-z", "--no-patch", "--no-color", "--encoding=UTF-8", "--date=raw", "--use-mailmap", format)
	if o.Path != "" {
		args = append(args, "--full-history")
	}
	args = append(args, h.tip, "--")
	if o.Path != "" {
		args = append(args, pathspec(o.Path))
	}
	err := git.Stream(ctx, o.Dir, nil, h.read, args...)
	if errors.Is(err, errEnough) {
		h.part, err = true, nil
	}
	if err == nil {
		err = h.people.mapAll(ctx, o.Dir, h.tip)
	}
	for i := range h.commits {
		h.commits[i].settle()
	}
	h.credit()
	return h, err
}

// credit finds who wrote the pull requests: of a squashed one the author of the
// commit, of a merged one the author of the branch's last commit, for the merge is
// of who pressed the button.
func (h *History) credit() {
	merged := map[string]*pull{}
	for i := range h.commits {
		c := &h.commits[i]
		if c.pull == nil {
			continue
		}
		c.pull.author = c.author
		if c.isMerge() {
			merged[c.second] = c.pull
		}
	}
	for i := range h.commits {
		if p := merged[h.commits[i].sha]; p != nil {
			p.author = h.commits[i].author
		}
	}
}

func pathspec(dir string) string { return ":(top,literal)" + dir }

// open finds the commit that is measured.
func (h *History) open(ctx context.Context) error {
	if _, err := git.Run(ctx, h.o.Dir, "rev-parse", "--git-dir"); err != nil {
		var failed *git.Error
		if errors.As(err, &failed) && strings.Contains(failed.Stderr, "not a git repository") {
			return ErrNoRepository
		}
		return err
	}
	rev := cmp.Or(h.o.Rev, "HEAD")
	if strings.HasPrefix(rev, "-") {
		return fmt.Errorf("%q names no commit", rev)
	}
	tip, err := git.Run(ctx, h.o.Dir, plain("rev-parse", "--verify", "--quiet", rev+"^{commit}")...)
	switch {
	case err == nil:
		h.tip = tip
	case git.Code(err) != 1:
		return err
	case h.o.Rev != "":
		return fmt.Errorf("%q names no commit", rev)
	}
	return h.readShallow(ctx)
}

// readShallow notes the commits whose parents a shallow clone has not.
func (h *History) readShallow(ctx context.Context) error {
	name, err := git.Run(ctx, h.o.Dir, "rev-parse", "--path-format=absolute", "--git-path", "shallow")
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	h.shallow = map[string]bool{}
	for sha := range strings.FieldsSeq(string(data)) {
		h.shallow[sha] = true
	}
	return err
}

// read takes what git log prints.
func (h *History) read(r *bufio.Reader) error {
	var field [7]string
	for {
		for i := range field {
			text, err := r.ReadString(0)
			if err == io.EOF && i == 0 && text == "" {
				return nil
			}
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return err
			}
			field[i] = text[:len(text)-1]
		}
		h.add(field)
		if h.enough != nil && h.enough.with(&h.commits[len(h.commits)-1]) {
			return errEnough
		}
	}
}

func (h *History) add(field [7]string) {
	c := commit{sha: field[0], cut: h.shallow[field[0]]}
	parents := strings.Fields(field[1])
	if c.parents = len(parents); c.parents > 0 {
		c.first = parents[0]
	}
	if c.parents > 1 {
		c.second = parents[1]
	}
	c.at, _ = strconv.ParseInt(field[2], 10, 64)
	c.authored, c.offset = parseDate(field[3])
	if len(h.commits) == 0 || c.at > h.newest {
		h.newest = c.at
	}
	c.author = h.people.mapped(field[4], field[5])
	subject, body := splitMessage(field[6])
	c.kind = kindOf(subject)
	c.pull = pullOf(subject, body, c.parents > 1)
	for name, email := range coAuthors(body) {
		c.co = append(c.co, h.people.asWritten(name, email))
	}
	h.commits = append(h.commits, c)
}

// parseDate reads a date as git prints it raw: 1700000000 +0530. A zone that no
// place on Earth has is UTC.
func parseDate(raw string) (at int64, offset int) {
	seconds, zone, _ := strings.Cut(raw, " ")
	at, _ = strconv.ParseInt(seconds, 10, 64)
	n, err := strconv.Atoi(zone)
	if err != nil || n < -1400 || n > 1400 || n%100 >= 60 || n%100 <= -60 {
		return at, 0
	}
	return at, n/100*3600 + n%100*60
}

// settle makes of co-authors each once, without the author, as .mailmap has them.
func (c *commit) settle() {
	c.author = c.author.real()
	var kept []*person
next:
	for _, p := range c.co {
		p = p.real()
		if p.name == c.author.name {
			continue
		}
		for _, k := range kept {
			if k.name == p.name {
				continue next
			}
		}
		kept = append(kept, p)
	}
	c.co = kept
}

// assisted reports whether an agent wrote the commit or helped to.
func (c *commit) assisted() bool {
	if c.author.sort == agent {
		return true
	}
	for _, p := range c.co {
		if p.sort == agent {
			return true
		}
	}
	return false
}

// counts reports whether a commit is work of people and agents: no merge, and of
// no bot.
func (c *commit) counts() bool { return !c.isMerge() && c.author.sort != bot }

// isMerge reports a commit that joins lines of work: what it joins is counted
// where it was written.
func (c *commit) isMerge() bool { return c.parents > 1 }
