// The command bigrepo makes a repository with a long history, the same one on
// every machine: docs/retro.md says how long cairn and another tool take for it.
//
//	go run ./scripts/bigrepo -commits 100000 DIR
//
// Ten years of 60 people in 2,000 files: pull requests, squashed and merged,
// co-authors, agents, bots and versions.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"

	"cairn/internal/must"
)

func main() {
	commits := flag.Int("commits", 100_000, "how many commits, merges included")
	flag.Parse()
	if err := must.Catch(func() { run(flag.Arg(0), *commits) }); err != nil {
		fmt.Fprintln(os.Stderr, "bigrepo:", err)
		os.Exit(1)
	}
}

func run(dir string, commits int) {
	if dir == "" {
		must.Fail(errors.New("a directory is wanted"))
	}
	if _, err := os.Stat(dir); err == nil {
		must.Fail(fmt.Errorf("%s is there", dir))
	}
	must.OK(exec.Command("git", "init", "-q", "-b", "main", dir).Run())
	cmd := exec.Command("git", "fast-import", "--quiet", "--done", "--depth=20")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in := must.Get(cmd.StdinPipe())
	must.OK(cmd.Start())
	err := must.Catch(func() { write(in, commits) })
	must.OK(errors.Join(err, in.Close(), cmd.Wait()))
	reset := exec.Command("git", "reset", "-q", "--hard")
	reset.Dir = dir
	must.OK(reset.Run())
}

const (
	people = 60
	files  = 2000
	begin  = 1_467_590_400 // Monday, 2016-07-04
	days   = 521 * 5       // until 2026-06-26, without weekends
)

// timeOf is when a commit of so many is written: in ten hours of a working day.
func timeOf(commit, commits int) int64 {
	at := float64(commit) * days / float64(commits)
	day := int64(at)
	return begin + (day/5*7+day%5)*86400 + 8*3600 + int64((at-float64(day))*10*3600)
}

// A history is written from its first commit to its last.
type history struct {
	w       *bufio.Writer
	rand    *rand.Rand
	names   [files]string
	lines   [files][]int // a file is numbers, one a line
	mark    int
	main    int // marks of the two ends
	side    int
	number  int // of pull requests
	version int
}

func write(out io.Writer, commits int) {
	h := &history{w: bufio.NewWriterSize(out, 1<<20), rand: rand.New(rand.NewPCG(1, 2))}
	for i := range h.names {
		h.names[i] = fmt.Sprintf("%s/part%02d/file%04d%s", [...]string{"core", "web", "api", "docs", "tools"}[i%5], i/5%40, i, [...]string{".go", ".ts", "_test.go", ".md"}[i%4])
	}
	onSide := 0 // commits still to come on the branch that is open
	for h.mark < commits {
		at := timeOf(h.mark, commits)
		switch {
		case onSide > 0:
			h.side = h.commit(at, h.side, 0, h.message())
			if onSide--; onSide == 0 {
				h.number++
				h.main = h.commit(at+60, h.main, h.side, fmt.Sprintf("Merge pull request #%d from acme/work-%d\n\nWork %d", h.number, h.number, h.number))
			}
		case h.rand.IntN(12) == 0:
			onSide, h.side = 1+h.rand.IntN(6), h.main
		default:
			message := h.message()
			if h.rand.IntN(3) == 0 {
				h.number++
				message = fmt.Sprintf("Work of one commit (#%d)", h.number)
			}
			h.main = h.commit(at, h.main, 0, message)
		}
		if h.mark/1000 > h.version {
			h.version = h.mark / 1000
			fmt.Fprintf(h.w, "tag v%d.%d.0\nfrom :%d\ntagger Person 0 <p0@example.com> %d +0000\ndata 7\nVersion\n", h.version/10, h.version%10, h.main, at+120)
		}
	}
	fmt.Fprintf(h.w, "reset refs/heads/main\nfrom :%d\n\ndone\n", h.main)
	must.OK(h.w.Flush())
}

func (h *history) message() string {
	message := [...]string{"feat(web): something new", "fix: what was wrong", "docs: say it", "Change a thing"}[h.rand.IntN(4)]
	switch h.rand.IntN(10) {
	case 0:
		message += "\n\nCo-authored-by: Claude <noreply@anthropic.com>"
	case 1:
		message += fmt.Sprintf("\n\nCo-authored-by: Person %d <p%d@example.com>", h.rand.IntN(people), h.rand.IntN(people))
	}
	return message
}

// commit writes one; a merge repeats what its branch has.
func (h *history) commit(at int64, from, merge int, message string) int {
	h.mark++
	who := h.rand.IntN(people)
	author := fmt.Sprintf("Person %d <p%d@example.com>", who, who)
	if h.rand.IntN(20) == 0 && merge == 0 {
		author = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>"
	}
	zone := [...]string{"+0000", "+0100", "-0500", "+0530", "+0900"}[who%5]
	fmt.Fprintf(h.w, "commit refs/heads/work\nmark :%d\nauthor %s %d %s\ncommitter %s %d %s\ndata %d\n%s\n", h.mark, author, at, zone, author, at, zone, len(message), message)
	if from > 0 {
		fmt.Fprintf(h.w, "from :%d\n", from)
	}
	if merge > 0 {
		fmt.Fprintf(h.w, "merge :%d\n", merge)
		for i := range h.lines { // the tree is the branch's: both have the same files
			if h.lines[i] != nil && h.rand.IntN(400) == 0 {
				h.file(i)
			}
		}
		return h.mark
	}
	for range 1 + h.rand.IntN(4) {
		h.change(int(float64(files) * h.rand.Float64() * h.rand.Float64())) // some change often
	}
	return h.mark
}

// change edits a file, or begins it.
func (h *history) change(i int) {
	lines := h.lines[i]
	if lines == nil {
		for range 40 + h.rand.IntN(120) {
			lines = append(lines, h.rand.IntN(1_000_000))
		}
	}
	for range 1 + h.rand.IntN(8) {
		lines[h.rand.IntN(len(lines))] = h.rand.IntN(1_000_000)
	}
	for range h.rand.IntN(6) {
		lines = append(lines, h.rand.IntN(1_000_000))
	}
	h.lines[i] = lines[max(0, len(lines)-400):]
	h.file(i)
}

func (h *history) file(i int) {
	var b strings.Builder
	for _, n := range h.lines[i] {
		fmt.Fprintf(&b, "\tvalue = compute(%d)\n", n)
	}
	fmt.Fprintf(h.w, "M 100644 inline %s\ndata %d\n%s\n", h.names[i], b.Len(), b.String())
}
