//go:build unix

// Hookbench is the measuring part of scripts/bench.sh. It imports nothing of
// ours: it sees only whole processes.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"
)

func main() {
	lines := flag.Int("log", 0, "print a log of this many lines")
	queries := flag.String("queries", "", "a directory: run each line of stdin there as cairn …, in turn with the binary that does nothing")
	timed := flag.Bool("time", false, "run a command; print its seconds and its largest resident size in KB")
	flag.Parse()
	switch {
	case *lines > 0:
		printLog(*lines)
	case *timed:
		u := run(flag.Args(), nil)
		fmt.Printf("%.3f %d\n", u.wall.Seconds(), u.rss)
	case *queries != "":
		if err := os.Chdir(*queries); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			compareQuery(flag.Arg(0), flag.Arg(1), strings.Fields(in.Text()))
		}
	default:
		compare(flag.Args())
	}
}

// compareQuery runs one command of cairn and a binary that does nothing in
// turn.
func compareQuery(cairn, none string, args []string) {
	var took, nothing []time.Duration
	argv := append([]string{cairn}, args...)
	for i := range pairs/3 + warmup {
		a, b := run(argv, nil), run([]string{none}, nil)
		if i >= warmup {
			took, nothing = append(took, a.wall), append(nothing, b.wall)
		}
	}
	p50 := ms(took, .5)
	fmt.Printf("  %-34s p50 %.2f ms (%.2f × nothing)\n", shown(args), p50, p50/ms(nothing, .5))
}

const (
	pairs  = 300
	warmup = 20
	usual  = 20 << 10 // bytes of an output

	session = "hookbench"
)

// compare runs a hook by each binary in turn, so that all see the same
// machine. The last one does nothing.
func compare(binaries []string) {
	compareIn("outside of a project", "", usual, binaries)
	ours := []string{binaries[0], binaries[len(binaries)-1]}
	for _, size := range []int{1 << 10, 100 << 10} {
		compareIn("outside of a project", "", size, ours)
	}
	// What a plan's part adds: in a repository, and in a project that asks for
	// all of it.
	repo, err := os.MkdirTemp("", "hookbench")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.RemoveAll(repo)
	os.Setenv("TMPDIR", repo) // for notes of a session, as a plan's guard makes them
	dir := filepath.Join(repo, "src", "deep")
	write(filepath.Join(repo, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(filepath.Join(dir, "main.go"), "package main\n")
	compareIn("in a repository", dir, usual, ours)
	write(filepath.Join(repo, ".planning", "config.json"), `{"hooks":{"community":true,"workflow_guard":true}}`)
	write(filepath.Join(repo, ".planning", "STATE.md"), "# State\n\nPhase: 2 of 5 (API)\nStatus: In progress\n")
	compareIn("in a project with a plan", dir, usual, ours)
}

func write(name, text string) {
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compareIn is compare for a call in a directory; "" is that for temporary files. Of
// the time of the processors less is by chance than of that on the clock, where other
// programs run.
func compareIn(where, dir string, size int, binaries []string) {
	event := envelope(size, dir)
	took, busy := make([][]time.Duration, len(binaries)), make([][]time.Duration, len(binaries))
	most := make([]int64, len(binaries))
	for i := range pairs + warmup {
		for k, b := range binaries {
			own := fmt.Appendf(nil, "%s-%d-%d-%d", session, size, i, k) // what a session has seen before is not stored again
			u := run([]string{b, "hook", "claude"}, bytes.Replace(event, []byte(session), own, 1))
			if i >= warmup {
				took[k], busy[k], most[k] = append(took[k], u.wall), append(busy[k], u.cpu), max(most[k], u.rss)
			}
		}
	}
	fmt.Printf("cairn hook, %d KB event %s, %d times:\n", size>>10, where, pairs)
	none, idle := ms(took[len(took)-1], .5), ms(busy[len(busy)-1], .5)
	for k, b := range binaries {
		p50, cpu := ms(took[k], .5), ms(busy[k], .5)
		fmt.Printf("  %-10s p50 %.2f ms (%.2f × nothing), p99 %.2f ms, CPU %.2f ms (%.2f ×), %.1f MB RSS\n",
			filepath.Base(b), p50, p50/none, ms(took[k], .99), cpu, cpu/idle, float64(most[k])/1024)
	}
}

func ms(d []time.Duration, q float64) float64 {
	sort.Slice(d, func(i, j int) bool { return d[i] < d[j] })
	return d[int(float64(len(d)-1)*q)].Seconds() * 1000
}

// A usage is what a process took.
type usage struct {
	wall, cpu time.Duration
	rss       int64 // KB, at most
}

func run(argv []string, stdin []byte) usage {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin = bytes.NewReader(stdin)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	wall := time.Since(start)
	ps := cmd.ProcessState
	return usage{wall, ps.UserTime() + ps.SystemTime(), ps.SysUsage().(*syscall.Rusage).Maxrss}
}

// envelope is a Claude Code event of a passing test run of about n bytes.
func envelope(n int, dir string) []byte {
	at := cmp.Or(dir, os.TempDir())
	transcript := filepath.Join(at, "session.jsonl")
	if dir != "" {
		line := `{"type":"assistant","message":{"usage":{"input_tokens":9,"cache_read_input_tokens":90000,"output_tokens":20}}}` + "\n"
		write(transcript, strings.Repeat(line+`{"type":"user","text":"`+strings.Repeat("x", 3000)+"\"}\n", 300))
	}
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "=== RUN   TestThing/case_%d\n--- PASS: TestThing/case_%d (0.00s)\n", i, i)
	}
	b.WriteString("PASS\nok  \texample.com/thing\t0.42s\n")
	event, _ := json.Marshal(map[string]any{
		"session_id": session, "cwd": at, "transcript_path": transcript, "hook_event_name": "PostToolUse", "tool_name": "Bash",
		"tool_input":    map[string]any{"command": "go test -v ./..."},
		"tool_response": map[string]any{"stdout": b.String(), "stderr": "", "interrupted": false, "isImage": false},
	})
	return event
}

// printLog prints the log of a service: a few statements with other numbers
// each time, and now and then an error.
func printLog(n int) {
	w := bufio.NewWriter(os.Stdout)
	defer func() {
		if err := w.Flush(); err != nil {
			os.Exit(1)
		}
	}()
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for i := range n {
		at = at.Add(7 * time.Millisecond)
		stamp := at.Format("2006-01-02T15:04:05.000Z")
		switch {
		case i%997 == 0:
			fmt.Fprintf(w, "%s ERROR payment failed: order=%d gateway timeout after 3000ms\n", stamp, i)
		case i%3 == 0:
			fmt.Fprintf(w, "%s INFO  GET /api/orders/%d 200 %dms user=%x\n", stamp, i, i%90, i*31)
		case i%3 == 1:
			fmt.Fprintf(w, "%s DEBUG cache hit key=order:%d shard=%d ttl=%ds\n", stamp, i, i%16, i%600)
		default:
			fmt.Fprintf(w, "%s INFO  worker-%d finished job %d in %dms\n", stamp, i%8, i, i%400)
		}
	}
}

// shown is a command as its figures are listed: files by their names.
func shown(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = filepath.Base(arg)
	}
	return strings.Join(words, " ")
}
