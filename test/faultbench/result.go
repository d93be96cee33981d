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
	Whole   score  `json:"whole"`
	Cairn   score  `json:"cairn"`
	Ends    score  `json:"ends"` // the first 20 and the last 30 lines
	key     string // of what is stored of it
}

// A score is what one text was good for.
type score struct {
	Try    int  `json:"try"`   // the one that repairs the fault; 0 for none
	Named  bool `json:"named"` // it names the line of the fault
	Tokens int  `json:"tokens"`
}

func (o outcome) discordant() bool { return (o.Whole.Try > 0) != (o.Cairn.Try > 0) }

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

// tables are a result as Markdown: the projects, what became of their faults, and the
// texts compared.
func (r result) tables() string {
	var b strings.Builder
	b.WriteString("| project | language | version | licence | run |\n|---|---|---|---|---|\n")
	for _, p := range r.Projects {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | `%s` |\n", p.Name, p.Language, p.Version, p.Licence, p.Run)
	}
	b.WriteString("\n| project | faults | repaired: whole | cairn | discordant | line named: whole | cairn | tokens: whole | cairn | saved | mean per fault |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	row := func(name string, of func(outcome) bool) {
		var whole, cairn sum
		faults, discordant := 0, 0
		for _, o := range r.Faults {
			if of(o) {
				faults++
				discordant += btoi(o.discordant())
				whole.add(o.Whole, o)
				cairn.add(o.Cairn, o)
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %s | %s | %s |\n", name, faults, whole.repaired, cairn.repaired, discordant,
			whole.named, cairn.named, thousands(whole.tokens), thousands(cairn.tokens), cairn.saved())
	}
	for _, p := range r.Projects {
		row(p.Name, func(o outcome) bool { return o.Project == p.Name })
	}
	row("**all**", func(outcome) bool { return true })
	b.WriteString("\n| text | repaired | line named | tokens | saved | mean per fault |\n|---|---:|---:|---:|---:|---:|\n")
	for _, text := range []struct {
		name string
		of   func(outcome) score
	}{
		{"the whole output", func(o outcome) score { return o.Whole }},
		{"cairn", func(o outcome) score { return o.Cairn }},
		{"first 20 + last 30 lines", func(o outcome) score { return o.Ends }},
	} {
		var s sum
		for _, o := range r.Faults {
			s.add(text.of(o), o)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s |\n", text.name, s.repaired, s.named, thousands(s.tokens), s.saved())
	}
	return b.String()
}

type sum struct {
	faults, repaired, named, tokens, whole int
	share                                  float64 // of the whole that is left, added up
}

func (s *sum) add(x score, o outcome) {
	s.faults++
	s.repaired += btoi(x.Try > 0)
	s.named += btoi(x.Named)
	s.tokens += x.Tokens
	s.whole += o.Whole.Tokens
	s.share += float64(x.Tokens) / float64(max(o.Whole.Tokens, 1))
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
