package record

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever a parser is given, every line comes out of it in exactly one
// record: outputs of all tools, cut, doubled and shortened at random.
func TestNoLineIsLost(t *testing.T) {
	names, err := filepath.Glob("../testdata/fixtures/*/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	rnd := rand.New(rand.NewSource(1))
	parsers := []string{"describe", "dotnet", "fetch", "gh", "gradle", "kubectl", "log", "manifest", "payload", "php", "phpunit", "pip", "ruby", "swift", "xml"}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Split(string(data), "\n")
		for _, parser := range parsers {
			from := rnd.Intn(len(all))
			some := append([]string(nil), all[from:min(len(all), from+1+rnd.Intn(120))]...)
			for range 4 {
				i := rnd.Intn(len(some))
				some[i] = [...]string{some[rnd.Intn(len(some))], "", some[i][:len(some[i])/2], "  " + some[i]}[rnd.Intn(4)]
			}
			wholeLines(t, parser, some, name)
		}
	}
}

func wholeLines(t *testing.T, parser string, in []string, name string) {
	t.Helper()
	times := make([]int, len(in))
	p := New(parser)
	emit := func(r Record) {
		if r.Instead || r.Spare {
			return
		}
		for _, l := range r.Lines {
			times[l.N]++
		}
	}
	for i, s := range in {
		p.Line(Line{N: i, Text: s}, emit)
	}
	p.Close(emit)
	for i, n := range times {
		if n != 1 {
			t.Errorf("%s on %s: line %d comes out %d times: %q", parser, name, i, n, in[i])
			return
		}
	}
}
