package compact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/rule"
	"cairn/test/cairntest"
)

// fronts are what runners put before a line, invented: at is the number of the
// line, r what differs from output to output.
var fronts = map[string]func(r *rand.Rand) func(at int) string{
	"time": func(r *rand.Rand) func(int) string {
		return func(at int) string { return clock(at) + ".1234567Z " }
	},
	"time in brackets": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "[" + clock(at)[11:] + "] " }
	},
	"time of ctime": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "Wed Mar  4 " + clock(at)[11:] + " 2026 " }
	},
	"seconds since 1970": func(r *rand.Rand) func(int) string {
		return func(at int) string { return fmt.Sprintf("%d.%03d ", 1772618400+at/7, at%7*140) }
	},
	"seconds since the start": func(r *rand.Rand) func(int) string {
		return func(at int) string { return fmt.Sprintf("[%9.3f] ", float64(at)*0.31) }
	},
	"minutes since the start": func(r *rand.Rand) func(int) string {
		return func(at int) string { return fmt.Sprintf("%02d:%02d ", at/60, at%60) }
	},
	"time and stream": func(r *rand.Rand) func(int) string {
		return func(at int) string { return clock(at) + ".123456789Z " + pick(r, "stdout", "stderr") + " F " }
	},
	"time and code": func(r *rand.Rand) func(int) string {
		code := fmt.Sprintf(" %02dO ", r.IntN(4))
		return func(at int) string { return clock(at) + ".123456Z" + code }
	},
	"time, thread, level": func(r *rand.Rand) func(int) string {
		return func(at int) string {
			return strings.Replace(clock(at), "T", " ", 1) + ",123 [main] INFO  c.example.Runner - "
		}
	},
	"host and process": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "Mar  4 " + clock(at)[11:] + " build-7 ci-runner[4711]: " }
	},
	"name in brackets": func(r *rand.Rand) func(int) string {
		name := pick(r, "test", "0", "pod/web-1/app", "build:unit", "3/7")
		return func(int) string { return "[" + name + "] " }
	},
	"name and bar": func(r *rand.Rand) func(int) string {
		name := pick(r, "web-1", "integration-tests-1", "app")
		return func(int) string { return name + "   | " }
	},
	"coloured name and bar": func(r *rand.Rand) func(int) string {
		return func(int) string { return "\x1b[36mweb-1  |\x1b[0m " }
	},
	"name and colon": func(r *rand.Rand) func(int) string {
		name := pick(r, "@shop/web", "packages/app test", "//web:unit", "web:test", "node1.example.com")
		return func(int) string { return name + ": " }
	},
	"job, step and time": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "unit (1.26)\tRun the tests\t" + clock(at) + ".1234567Z " }
	},
	"name, then time": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "web-1  | " + clock(at) + ".123456789Z " }
	},
	"time, then name": func(r *rand.Rand) func(int) string {
		return func(at int) string { return clock(at)[11:] + " [web] " }
	},
}

func clock(at int) string {
	return fmt.Sprintf("2026-03-04T%02d:%02d:%02d", 10+at/3600, at/60%60, at%60)
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// What survives without a prefix survives with one, whatever it looks like, and
// the result is hardly longer.
func TestPrefixCostsNothing(t *testing.T) {
	cairntest.Long(t)
	lib := rule.Load()
	for _, name := range fixtures(t) {
		f := readFixture(t, name)
		bare := f.Envelope
		bare.Command = "./ci.sh"
		if f.Tool != "" || strings.Count(f.CombinedText, "\n") < 20 || strings.Contains(f.CombinedText, "\r") {
			continue
		}
		want := Compact(bare, Options{Level: Normal, Library: lib})
		for shape, front := range fronts {
			r := rand.New(rand.NewPCG(1, uint64(len(name)+len(shape))))
			with := front(r)
			env := bare
			var b strings.Builder
			for i, l := range strings.Split(strings.TrimSuffix(f.CombinedText, "\n"), "\n") {
				b.WriteString(with(i) + l + "\n")
			}
			env.CombinedText = b.String()
			got := Compact(env, Options{Level: Normal, Library: lib})
			lost := 0
			flat := squeeze(got.Reduced)
			for l := range strings.Lines(want.Reduced) {
				if l = strings.TrimSpace(l); lines.Classify(l) >= lines.Failure && strings.Contains(f.CombinedText, l) && !strings.Contains(flat, squeeze(l)) {
					if lost++; lost == 1 {
						t.Errorf("%s, %s: lost %q", name, shape, l)
					}
				}
			}
			if room := len(want.Reduced)*13/10 + 400; len(got.Reduced) > room && !want.Meta.Unchanged {
				t.Errorf("%s, %s: %d bytes, %d without the prefix; %s, %s", name, shape, len(got.Reduced), len(want.Reduced), got.Meta.Rule, want.Meta.Rule)
			}
		}
	}
}
