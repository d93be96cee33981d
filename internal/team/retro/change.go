package retro

import (
	"bufio"
	"context"
	"io"
	"runtime"
	"strconv"
	"strings"

	"cairn/internal/git"
)

// A change is what a commit did to a file. A binary file has no lines.
type change struct {
	path    string
	was     string // its name before, where it was renamed
	added   int
	deleted int
}

// A request is a commit whose changes are wanted.
type request struct {
	commit *commit
	merge  bool // against its first parent: what it brought
}

// perProcess is how many commits one git compares: enough that starting it costs
// little, few enough that all processors have work until the end.
const perProcess = 1500

// changes asks git what commits changed and hands it on in their order. The
// comparisons are spread over processes: one git uses one processor.
func (h *History) changes(ctx context.Context, list []request, take func(*commit, []change)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		changes [][]change
		err     error
	}
	workers := min(runtime.GOMAXPROCS(0), 8)
	size := max(1, min(perProcess, (len(list)+workers-1)/workers))
	free := make(chan struct{}, workers)
	answers := make(chan chan answer, workers) // in order; its length bounds what is held
	go func() {
		defer close(answers)
		for begin := 0; begin < len(list); begin += size {
			part := list[begin:min(begin+size, len(list))]
			done := make(chan answer, 1)
			select {
			case answers <- done:
			case <-ctx.Done():
				return
			}
			free <- struct{}{}
			go func() {
				got, err := h.compare(ctx, part)
				<-free
				done <- answer{got, err}
			}()
		}
	}()
	at := 0
	for done := range answers {
		got := <-done
		if got.err != nil {
			return got.err
		}
		for _, changed := range got.changes {
			take(list[at].commit, changed)
			at++
		}
	}
	return ctx.Err()
}

// compare runs one git over commits. Renames are followed and nothing of a
// user's settings decides what a line is.
func (h *History) compare(ctx context.Context, list []request) ([][]change, error) {
	var in strings.Builder
	for _, r := range list {
		in.WriteString(r.commit.sha)
		if r.merge {
			in.WriteString(" " + r.commit.first)
		}
		in.WriteByte('\n')
	}
	args := plain("diff-tree", "--stdin", "--always", "-r", "-z", "--root", "--numstat", "-M", "-l1000", "--diff-algorithm=myers",
		"--no-textconv", "--no-ext-diff", "--ignore-submodules=none", "--")
	if h.o.Path != "" {
		args = append(args, pathspec(h.o.Path))
	}
	out := make([][]change, len(list))
	err := git.Stream(ctx, h.o.Dir, strings.NewReader(in.String()), func(r *bufio.Reader) error { return readChanges(r, out) }, args...)
	return out, err
}

// readChanges reads what diff-tree prints: for each commit its name, then a line
// "added TAB deleted TAB path" for each file; of a renamed one the path is empty
// and both names follow. Each ends with a zero byte.
func readChanges(r *bufio.Reader, out [][]change) error {
	at := -1
	for {
		text, err := r.ReadString(0)
		if err == io.EOF && text == "" {
			if at != len(out)-1 {
				return io.ErrUnexpectedEOF
			}
			return nil
		}
		if err != nil {
			return err
		}
		text = text[:len(text)-1]
		added, rest, isChange := strings.Cut(text, "\t")
		if !isChange {
			if at++; at == len(out) {
				return io.ErrUnexpectedEOF
			}
			continue
		}
		if at < 0 {
			return io.ErrUnexpectedEOF
		}
		deleted, name, _ := strings.Cut(rest, "\t")
		c := change{path: name}
		if name == "" {
			if c.was, err = readName(r); err == nil {
				c.path, err = readName(r)
			}
			if err != nil {
				return err
			}
		}
		c.added, _ = strconv.Atoi(added) // "-" of a binary file is none
		c.deleted, _ = strconv.Atoi(deleted)
		out[at] = append(out[at], c)
	}
}

func readName(r *bufio.Reader) (string, error) {
	name, err := r.ReadString(0)
	if err != nil {
		return "", io.ErrUnexpectedEOF
	}
	return name[:len(name)-1], nil
}
