package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tables count what was repaired from one of the two only, and what is named.
func TestTables(t *testing.T) {
	t.Parallel()
	r := result{Seed: 1, Projects: []version{{"cart", "go", "v1", "MIT", "go test"}}, Faults: []outcome{
		{Project: "cart", Alone: scores{score{1, true, 1000}, score{3, true, 100}, score{0, false, 500}}, Among: scores{score{1, true, 3000}, score{1, true, 300}, score{0, false, 1500}}},
		{Project: "cart", Alone: scores{score{2, true, 500}, score{0, false, 500}, score{2, true, 500}}},
		{Project: "cart", Alone: scores{score{0, false, 500}, score{0, false, 0}, score{0, false, 500}}},
	}}
	got := r.list() + r.tables()
	for _, want := range []string{
		"| cart | go | v1 | MIT | `go test` |\n",
		"| cart | 3 | 2 | 1 | 1 | 2 | 1 | 2,000 | 600 | 70.0 % | 63.3 % |\n",
		"| **all** | 3 | 2 | 1 | 1 | 2 | 1 | 2,000 | 600 | 70.0 % | 63.3 % |\n",
		"| first 20 + last 30 lines | 1 | 1 | 1 | 1,500 | 25.0 % | 16.7 % |\n",
		"| first 20 + last 30 lines | 0 | 1 | 0 | 1,500 | 50.0 % |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	name := filepath.Join(t.TempDir(), "r.json")
	if err := r.write(name); err != nil {
		t.Fatal(err)
	}
	if again := stored(t, name); again.list()+again.tables() != got {
		t.Errorf("read again: %s", again.tables())
	}
}

var update = flag.Bool("update", false, "write the tables of results.json into docs")

// What is published is what the stored results say, which keep what the benchmark
// promises.
func TestPublished(t *testing.T) {
	t.Parallel()
	r, second := stored(t, "results.json"), stored(t, "results-2.json")
	page(t, "faultbench.md", r.list()+"\n"+r.tables(), second.tables())
	page(t, "measured.md", r.sentence())
	for _, r := range []result{r, second} {
		var whole, discordant int
		for _, o := range r.Faults {
			whole += btoi(o.Alone.Whole.Try > 0)
			discordant += btoi(o.Alone.discordant()) + btoi(o.Among.discordant())
		}
		if len(r.Faults) < 300 || len(r.Projects) < 6 || 300*whole < 250*len(r.Faults) || discordant > 0 {
			t.Errorf("seed %d: %d faults in %d projects, %d repaired from the whole, %d discordant", r.Seed, len(r.Faults), len(r.Projects), whole, discordant)
		}
	}
	var projects []project
	if err := json.Unmarshal(listed, &projects); err != nil {
		t.Fatal(err)
	}
	for i, p := range projects {
		if i >= len(r.Projects) || r.Projects[i].Name != p.Name || r.Projects[i].Run != strings.Join(p.Run, " ") || p.Source.Version != "" && r.Projects[i].Version != p.Source.Version {
			t.Errorf("the stored result is not of %s as projects.json has it", p.Name)
		}
	}
}

// page has texts at its marks, in their order.
func page(t *testing.T, name string, says ...string) {
	name = filepath.Join("..", "..", "docs", name)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "<!-- from results.json -->\n", "<!-- to here -->"
	parts := strings.Split(string(data), from)
	if len(parts) != len(says)+1 {
		t.Fatalf("%s has %d places for results, not %d", name, len(parts)-1, len(says))
	}
	for i, say := range says {
		was, after, ok := strings.Cut(parts[i+1], to)
		if !ok || was != say && !*update {
			t.Errorf("%s is not what is stored (-update writes it):\n%s", name, say)
		}
		parts[i+1] = say + to + after
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(name, []byte(strings.Join(parts, from)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func stored(t *testing.T, name string) (r result) {
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is kept is read again only if that is asked for, and only what is kept.
func TestShelf(t *testing.T) {
	t.Parallel()
	runs := 0
	run := func() (string, int) { runs++; return "boom\n", 2 }
	dir := t.TempDir()
	for _, c := range []struct {
		again bool
		key   string
		runs  int
	}{{true, "a", 1}, {true, "a", 1}, {false, "a", 2}, {true, "b", 3}} {
		text, exit, err := shelf{dir, c.again}.get(c.key, run)
		if text != "boom\n" || exit != 2 || err != nil || runs != c.runs {
			t.Errorf("%+v: %q, %d, %v, %d runs", c, text, exit, err, runs)
		}
	}
}
