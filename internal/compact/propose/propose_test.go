package propose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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
	want := []string{`^\[web-\S*\s+connected\s+in\s+\S*\s+ms(\s|$)`, `^\[web-\S*\s+unpacking(\s|$)`, `^Fetching\s+x\S*\s+from\s+the\s+store(\s|$)`}
	if !slices.Equal(r.Primitives.Filter.Drop, want) {
		t.Errorf("drops %q", r.Primitives.Filter.Drop)
	}
	if r.Primitives.Count.Summary != "{connected} connected, {unpacking} unpacking, {fetching} fetching" {
		t.Errorf("summary %q", r.Primitives.Count.Summary)
	}
	if !slices.Equal(r.Primitives.Filter.Keep, []string{"^rolled out to"}) {
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

// Of many kinds of line the most frequent are dropped.
func TestRuleDropsTheMostFrequent(t *testing.T) {
	var b strings.Builder
	for kind := range maxDrops + 2 {
		for i := range repeats + kind {
			fmt.Fprintf(&b, "step%c of %d\n", 'a'+kind, i)
		}
	}
	drops := Rule("tool", b.String()).Primitives.Filter.Drop
	if len(drops) != maxDrops || !strings.HasPrefix(drops[0], "^steph") || !strings.HasPrefix(drops[maxDrops-1], "^stepc") {
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
