package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A result is what a run found. It holds no text of the projects.
type result struct {
	Seed     uint64    `json:"seed"`
	Projects []version `json:"projects"`
	Faults   []outcome `json:"faults"`
}

// A version is a project as it was tried.
type version struct {
	Name     string `json:"name"`
	Language string `json:"language"`
	Version  string `json:"version"`
	Licence  string `json:"licence"`
	Run      string `json:"run"`
}

// An outcome is what came of one fault, from each text that was read.
type outcome struct {
	Project string `json:"project"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Fault   string `json:"fault"`
	Alone   scores `json:"alone"`
	Among   scores `json:"among"` // between two outputs of runs without a fault
	key     string // of what is stored of it
}

// scores are of an output.
type scores struct {
	Whole score `json:"whole"`
	Cairn score `json:"cairn"`
	Ends  score `json:"ends"` // the first 20 and the last 30 lines
}

// A score is what one text was good for. In JSON it is a row of three numbers.
type score struct {
	Try    int  // the one that repairs the fault; 0 for none
	Named  bool // it names the line of the fault
	Tokens int
}

func (s score) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%d,%d]", s.Try, btoi(s.Named), s.Tokens), nil
}

func (s *score) UnmarshalJSON(data []byte) error {
	var row [3]int
	err := json.Unmarshal(data, &row)
	*s = score{row[0], row[1] > 0, row[2]}
	return err
}

func (s scores) discordant() bool { return (s.Whole.Try > 0) != (s.Cairn.Try > 0) }

// write stores a result, a fault a line.
func (r result) write(name string) error {
	head, err := json.MarshalIndent(result{r.Seed, r.Projects, []outcome{}}, "", "\t")
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(string(head), "[]\n}"))
	for i, o := range r.Faults {
		line, err := json.Marshal(o)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s\n\t\t%s", []string{",", "["}[btoi(i == 0)], line)
	}
	b.WriteString("\n\t]\n}\n")
	return os.WriteFile(name, []byte(b.String()), 0o600)
}

// list is the projects as Markdown.
func (r result) list() string {
	var b strings.Builder
	b.WriteString("| project | language | version | licence | run |\n|---|---|---|---|---|\n")
	for _, p := range r.Projects {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | `%s` |\n", p.Name, p.Language, p.Version, p.Licence, p.Run)
	}
	return b.String()
}

// tables are a result as Markdown: what became of each project's faults, and the texts
// compared.
func (r result) tables() string {
	var b strings.Builder
	b.WriteString("| project | faults | repaired: whole | cairn | discordant | line named: whole | cairn | tokens: whole | cairn | saved | mean per fault |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	row := func(name string, of func(outcome) bool) {
		var whole, cairn sum
		faults, discordant := 0, 0
		for _, o := range r.Faults {
			if of(o) {
				faults++
				discordant += btoi(o.Alone.discordant())
				whole.add(o.Alone, o.Alone.Whole)
				cairn.add(o.Alone, o.Alone.Cairn)
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %s | %s | %s |\n", name, faults, whole.repaired, cairn.repaired, discordant,
			whole.named, cairn.named, thousands(whole.tokens), thousands(cairn.tokens), cairn.saved())
	}
	for _, p := range r.Projects {
		row(p.Name, func(o outcome) bool { return o.Project == p.Name })
	}
	row("**all**", func(outcome) bool { return true })
	for _, table := range []struct {
		name string
		of   func(outcome) scores
	}{
		{"the output alone", func(o outcome) scores { return o.Alone }},
		{"between two passing runs", func(o outcome) scores { return o.Among }},
	} {
		fmt.Fprintf(&b, "\n| %s | repaired | discordant | line named | tokens | saved | mean per fault |\n|---|---:|---:|---:|---:|---:|---:|\n", table.name)
		for i, name := range []string{"whole", "cairn", "first 20 + last 30 lines"} {
			var s sum
			discordant := 0
			for _, o := range r.Faults {
				x := table.of(o)
				one := []score{x.Whole, x.Cairn, x.Ends}[i]
				s.add(x, one)
				discordant += btoi((one.Try > 0) != (x.Whole.Try > 0))
			}
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %s |\n", name, s.repaired, discordant, s.named, thousands(s.tokens), s.saved())
		}
	}
	return b.String()
}

// sentence is the result in short.
func (r result) sentence() string {
	var whole, cairn, among, ends sum
	for _, o := range r.Faults {
		whole.add(o.Alone, o.Alone.Whole)
		cairn.add(o.Alone, o.Alone.Cairn)
		among.add(o.Among, o.Among.Cairn)
		ends.add(o.Among, o.Among.Ends)
	}
	share := func(s sum) string { return fmt.Sprintf("%.0f %%", 100-100*float64(s.tokens)/float64(max(s.whole, 1))) }
	return fmt.Sprintf(`[FaultBench](faultbench.md) puts %d faults into %d projects. A program repairs %d of them from the whole output of the tool
and %d from cairn's, which has %s fewer tokens. Where the failing run stands between two passing ones, it repairs %d from
cairn's text (%s fewer tokens) and %d from the first 20 and last 30 lines (%s).
`, len(r.Faults), len(r.Projects), whole.repaired, cairn.repaired, share(cairn), among.repaired, share(among), ends.repaired, share(ends))
}

type sum struct {
	faults, repaired, named, tokens, whole int
	share                                  float64 // of the whole that is left, added up
}

func (s *sum) add(of scores, x score) {
	s.faults++
	s.repaired += btoi(x.Try > 0)
	s.named += btoi(x.Named)
	s.tokens += x.Tokens
	s.whole += of.Whole.Tokens
	s.share += float64(x.Tokens) / float64(max(of.Whole.Tokens, 1))
}

// saved is of all tokens, and the mean of the faults.
func (s *sum) saved() string {
	return fmt.Sprintf("%.1f %% | %.1f %%", 100-100*float64(s.tokens)/float64(max(s.whole, 1)), 100-100*s.share/float64(cmp.Or(s.faults, 1)))
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
