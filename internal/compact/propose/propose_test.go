package propose

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cairn/internal/compact/rule"
)

func shipit() string {
	var b strings.Builder
	b.WriteString("shipit: rolling out release 41\n")
	for i := range 30 {
		fmt.Fprintf(&b, "[web-%d] connected in %d ms\n[web-%d] unpacking /srv/app-%d.tar\nFetching %s from the store\n", i, i*7, i, i, strings.Repeat("x", i+1))
	}
	b.WriteString("error: web-7 has no space left on its device\n\nrolled out to 29 of 30 hosts\n")
	return b.String()
}

func TestRule(t *testing.T) {
	r := Rule("cd x && shipit up --fast", shipit())
	if r.ID != "local/shipit-up" || !slices.Equal(r.Match.Commands, []string{"shipit up"}) {
		t.Errorf("%s for %q", r.ID, r.Match.Commands)
	}
	want := []string{`^\S+\s+connected\s+in\s+\S+\s+ms$`, `^\S+\s+unpacking\s+\S+$`, `^Fetching\s+\S+\s+from\s+the\s+store$`}
	if !slices.Equal(r.Primitives.Filter.Drop, want) {
		t.Errorf("drops %q", r.Primitives.Filter.Drop)
	}
	if r.Primitives.Count.Summary != "{connected} connected, {unpacking} unpacking, {fetching} fetching" {
		t.Errorf("summary %q", r.Primitives.Count.Summary)
	}
	if !slices.Equal(r.Primitives.Filter.Keep, []string{`^rolled\s+out\s+to\s+\S+\s+of\s+\S+\s+hosts$`}) {
		t.Errorf("keeps %q", r.Primitives.Filter.Keep)
	}
	for _, p := range r.Primitives.Filter.Drop {
		if _, err := r.Compile(p); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"error: web-7 has no space left on its device", "rolled out to 29 of 30 hosts"}; !slices.Equal(Keep(shipit()), want) {
		t.Errorf("keep %q", Keep(shipit()))
	}
}

// Lines without a common word, and lines of trouble, are not dropped.
func TestRuleDropsNoData(t *testing.T) {
	var numbers, trouble strings.Builder
	for i := range 100 {
		fmt.Fprintf(&numbers, "%d %d\n", i, i*i)
		fmt.Fprintf(&trouble, "error: file %d is broken\n", i)
	}
	for _, out := range []string{"", "\n\n", numbers.String(), trouble.String(), "one\ntwo\n"} {
		if r := Rule("tool", out); len(r.Primitives.Filter.Drop) > 0 {
			t.Errorf("%.40q: drops %q", out, r.Primitives.Filter.Drop)
		}
	}
}

// What is of a kind but for one word is no step of that kind: it says what went another way.
func TestRuleDropsNoOddLine(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "test case_%d ... ok\nDeploying srv-%d to ring%d\nThe lamp %d is lit\n", i, i, i, i)
	}
	odd := []string{"test case_41 ... ignored", "test case_42 ... FAILED", "Deploying stopped at ring41", "Deploying srv-42 to ring42 took 900 s", "The lamp 43 is lit twice"}
	r := Rule("tool", b.String()+strings.Join(odd, "\n"))
	if len(r.Primitives.Filter.Drop) != 3 {
		t.Fatalf("drops %q", r.Primitives.Filter.Drop)
	}
	for _, p := range r.Primitives.Filter.Drop {
		re, err := r.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range odd {
			if re.MatchString(l) {
				t.Errorf("%s drops %q", p, l)
			}
		}
	}
}

// Findings, what stands under them, fields of records, rows of data and code are no steps.
func TestRuleDropsStepsOnly(t *testing.T) {
	for _, format := range []string{
		"lib/a%d.x: name is not set\n", "src/a%[1]d.go:%[1]d: looks odd to me\n", "Author: ada%d\n", "record rec%d\n", "-rw-r--r-- 1 ada ada a%d.txt\n",
		"error: broken\n    read from disk%[1]d\n    then from tape%[1]d\nnext one\n", "+\tlet x%d = y\n", "return a%d\n", "module m%d failed early\n", "pass%d: 3 failed of 4\n",
	} {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, format, i)
		}
		if drops := Rule("tool", b.String()).Primitives.Filter.Drop; len(drops) > 0 {
			t.Errorf("%q: drops %q", format, drops)
		}
	}
}

// Names that are words vary as others do; what many lines have tells them apart.
func TestRuleOfNames(t *testing.T) {
	var b strings.Builder
	for _, name := range strings.Fields("lodash react vue express chalk commander left-pad debug") {
		fmt.Fprintf(&b, "Adding %s to the lock file\n", name)
	}
	for i := range 12 {
		fmt.Fprintf(&b, "Checking part%d ... clean\nChecking part%d ... stale\n", i, i+50)
	}
	want := []string{`^Checking\s+\S+\s+\.\.\.\s+clean$`, `^Checking\s+\S+\s+\.\.\.\s+stale$`, `^Adding\s+\S+\s+to\s+the\s+lock\s+file$`}
	r := Rule("tool", b.String())
	if !slices.Equal(r.Primitives.Filter.Drop, want) || r.Primitives.Count.Summary != "{checking} checking, {stale} stale, {adding} adding" {
		t.Errorf("drops %q, %s", r.Primitives.Filter.Drop, r.Primitives.Count.Summary)
	}
}

// The line that sums up is known without what is this output's own: names, places, code.
func TestRuleKeepsTheSum(t *testing.T) {
	for last, want := range map[string]string{
		"Released shop-web as v1.2.3 in 4 s":                `^Released\s+\S+\s+as\s+\S+\s+in\s+\S+\s+s$`,
		"=== 3 passed, 1 skipped in 0.2s ===":               `^===\s+\S+\s+passed,\s+\S+\s+skipped\s+in\s+\S+\s+===$`,
		"    let mut left_shop = 0;":                        "",
		"a log is at /home/ada/shop-web/.tool/_logs/17.log": "",
		"done": "",
	} {
		if got := strings.Join(Rule("tool", "one\n"+last+"\n").Primitives.Filter.Keep, " "); got != want {
			t.Errorf("%s: keeps %q, want %q", last, got, want)
		}
	}
}

// A draft does at least what is done without one.
func TestRuleIsGeneric(t *testing.T) {
	r, g := Rule("tool", "a\n"), rule.Generic()
	if r.Parser != g.Parser || !reflect.DeepEqual(r.Primitives, g.Primitives) || !reflect.DeepEqual(r.Tee, g.Tee) {
		t.Errorf("%+v", r)
	}
}

// Of many kinds of line the most frequent are dropped.
func TestRuleDropsTheMostFrequent(t *testing.T) {
	var b strings.Builder
	for kind := range maxDrops + 2 {
		for i := range repeats + kind {
			fmt.Fprintf(&b, "Step%c of %d\n", 'a'+kind, i)
		}
	}
	drops := Rule("tool", b.String()).Primitives.Filter.Drop
	if len(drops) != maxDrops || !strings.HasPrefix(drops[0], "^Steph") || !strings.HasPrefix(drops[maxDrops-1], "^Stepc") {
		t.Errorf("%q", drops)
	}
}

func TestPrefix(t *testing.T) {
	for cmd, want := range map[string]string{
		"shipit up --fast": "shipit up", "FOO=1 sudo /opt/bin/shipit": "shipit", "shipit ./path": "shipit",
		"shipit --to 3": "shipit", "make x | tee log": "make x", "": "",
	} {
		if got := strings.Join(Prefix(cmd), " "); got != want {
			t.Errorf("%s: %q, want %q", cmd, got, want)
		}
	}
}

func FuzzRule(f *testing.F) {
	f.Add("shipit up", shipit())
	f.Add("x", "a\xff\xfe b\n")
	f.Fuzz(func(t *testing.T, cmd, out string) {
		r := Rule(cmd, out)
		for _, list := range [][]string{r.Primitives.Filter.Drop, r.Primitives.Filter.Keep} {
			for _, p := range list {
				if _, err := r.Compile(p); err != nil {
					t.Error(err)
				}
			}
		}
		Keep(out)
	})
}
