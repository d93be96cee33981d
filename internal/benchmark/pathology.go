package benchmark

import (
	"slices"
	"strings"

	"cairn/internal/compact"
	"cairn/internal/compact/shell"
)

// A plant is a failure as tools print it: the lines that explain it, with
// {tool} for the name of the command that is planted into.
type plant struct {
	kind  string
	lines []string
	own   bool // the tool's own complaint, which may stand in a listing or a file's content as well
}

// The stack frame is the one of the requirements; the others are what people
// say their compactor lost, in the words of node, rustc, pytest, Java, the
// coreutils and bash.
var kinds = []plant{
	{"stack frame", []string{"TypeError: Cannot read properties of undefined (reading 'rate')", "    at priceOf (src/billing/price.ts:42:17)"}, false},
	{"compiler error", []string{"src/ledger/entry.rs:88:21: error[E0308]: mismatched types"}, false},
	{"assertion", []string{"tests/test_tariff.py:57: AssertionError: expected 1200, got 1150"}, false},
	{"cause", []string{"Caused by: java.net.ConnectException: Connection refused (db.internal:5432)"}, false},
	{"permission", []string{"{tool}: cannot open '/srv/app/config.yml': Permission denied"}, true},
	{"killed", []string{"bash: line 1:  4711 Killed                  {tool}"}, true},
}

const plantLines = 200 // of real output that is planted into

// places are where a failure is put into n lines: at line 4, where a window
// ends, and in the middle, which every window leaves out.
func places(n int) []int {
	return []int{min(3, n), n / 3, n / 2, max(0, n-25)}
}

// plants is what came of a scenario's planted failures.
type plants struct {
	planted int
	lost    []Lost
	frames  int // stack frames planted, and how many of them came through
	framed  int
}

// Lost is a planted line that a scenario's rule and the guard let go.
type Lost struct {
	Scenario string `json:"scenario"`
	Kind     string `json:"kind"`
	Line     string `json:"line"`
	At       int    `json:"at"` // its line in the output, from 1
	Of       int    `json:"of"` // lines of the output
	Rule     string `json:"rule"`
}

// taskOutput shows what a command in the background has printed.
const taskOutput = "TaskOutput"

// plant puts every kind of failure at every place into the scenario's real
// output and compacts that as the output of a failing command. Only the output
// of commands is planted into: other tools report a failure by itself, and no
// hook touches that.
func (o Options) plant(sc *scenario) (p plants) {
	if sc.tool != bash && sc.tool != taskOutput || len(sc.text) == 0 {
		return p
	}
	how := o.settings(sc.dir, o.Level)
	name, exit := "cairn", new(1)
	if call, ok := shell.Parse(sc.command).Last(); ok && call.Name != "" {
		name = call.Name
	}
	for _, k := range kinds {
		for _, at := range places(len(sc.text)) {
			failure := strings.Split(strings.ReplaceAll(strings.Join(k.lines, "\n"), "{tool}", name), "\n")
			text := strings.Join(slices.Concat(sc.text[:at], failure, sc.text[at:]), "\n") + "\n"
			res := compact.Compact(compact.Envelope{Tool: sc.tool, Command: sc.command, CombinedText: text, ExitCode: exit, Cwd: sc.dir}, how)
			if r, err := how.Library.Rule(res.Meta.Rule); err == nil && r != nil && r.Data && !k.own {
				continue // the words of a file's content say nothing about a failure
			}
			whole, reduced := true, squeeze(res.Reduced)
			for i, line := range failure {
				p.planted++
				if !strings.Contains(reduced, squeeze(line)) {
					whole = false
					p.lost = append(p.lost, Lost{sc.Name, k.kind, line, at + i + 1, len(sc.text) + len(failure), res.Meta.Rule})
				}
			}
			if k.kind == kinds[0].kind {
				p.frames++
				if whole {
					p.framed++
				}
			}
		}
	}
	return p
}

// squeeze leaves one space of each run: a table may lose its padding.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
