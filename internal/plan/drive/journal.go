package drive

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
)

// Said is what came of an agent that ended without its work, or a person's answer to what
// it asked.
type Said struct {
	ID       string // the plan's, or verifier
	Blocked  string // what it says is in the way
	Question string // what a person has to see, choose or do
	Type     string // of the question: decision, human-verify, human-action
	Answer   string
	Verdict  string // of a checker: done or issues
}

// ParseResult reads what an agent's last line said: `01-02 blocked: why`,
// `01-02 checkpoint decision: the question`, or a checker's verdict: `plan-checker done:
// no blocker`, `plan-checker issues: what is wrong`.
func ParseResult(text string) (Said, error) {
	head, what, _ := strings.Cut(text, ":")
	words := strings.Fields(head)
	s, what := Said{}, strings.TrimSpace(what)
	switch {
	case len(words) == 2 && words[1] == "blocked" && what != "":
		s = Said{ID: words[0], Blocked: what}
	case len(words) == 2 && words[0] == "plan-checker" && (words[1] == "issues" && what != "" || words[1] == "done"):
		s = Said{ID: words[0], Verdict: words[1], Blocked: what}
	case len(words) >= 2 && len(words) <= 3 && words[1] == "checkpoint" && what != "":
		s = Said{ID: words[0], Question: what, Type: "decision"}
		if len(words) == 3 {
			s.Type = words[2]
		}
	default:
		return s, fmt.Errorf(`%q is no result: give "01-02 blocked: WHY" or "01-02 checkpoint TYPE: QUESTION"`, text)
	}
	return s, nil
}

// ParseAnswer reads a person's answer: `01-02: use SQLite`.
func ParseAnswer(text string) (Said, error) {
	id, answer, ok := strings.Cut(text, ":")
	if id, answer = strings.TrimSpace(id), strings.TrimSpace(answer); !ok || id == "" || answer == "" || strings.ContainsAny(id, " \t") {
		return Said{}, fmt.Errorf(`%q is no answer: give "01-02: ANSWER"`, text)
	}
	return Said{ID: id, Answer: answer}, nil
}

// journal is what nobody else keeps of the agents of one phase, or of those that began
// the project.
type journal struct {
	Idea   string             `json:"idea,omitempty"` // of the project, in a person's words
	Agents map[string]*handed `json:"agents"`
}

// handed is what a plan, or the verifier, was given and said.
type handed struct {
	Times    int       `json:"times"` // how often it was handed out since a person last spoke
	At       time.Time `json:"at"`    // the first time
	Failed   string    `json:"failed,omitempty"`
	Question string    `json:"question,omitempty"`
	Type     string    `json:"type,omitempty"`
	Answer   string    `json:"answer,omitempty"`
	SetUp    bool      `json:"set_up,omitempty"`  // a person was asked to set up what it needs
	Verdict  string    `json:"verdict,omitempty"` // of the checker of plans
	Rounds   int       `json:"rounds,omitempty"`  // of it
}

func (j *journal) of(id string) *handed {
	id = plan.CanonicalPlanID(id)
	if j.Agents[id] == nil {
		j.Agents[id] = &handed{}
	}
	return j.Agents[id]
}

func journalPath(w *plan.Workspace, of string) string {
	name := "step-" + of
	if w.Stream != "" {
		name += "-" + w.Stream
	}
	return w.Shared(".cairn", name+".json")
}

// hear reads the journal of a phase, or of the project, and writes down what was said.
func (d *Driver) hear(of string, said []Said) {
	d.of = of
	d.view(func(tx *plan.Tx) { d.journal = readJournal(tx, of) })
	for _, s := range said {
		h := d.journal.of(s.ID)
		switch {
		case s.Answer != "":
			answer := s.Answer
			if h.Question != "" {
				answer = h.Question + " — " + answer
			}
			*h = handed{At: h.At, Failed: h.Failed, Answer: answer, Verdict: h.Verdict, Rounds: h.Rounds, SetUp: h.SetUp}
		case s.Question != "":
			h.Question, h.Type, h.Failed = s.Question, s.Type, ""
		case s.Verdict != "":
			h.Verdict, h.Failed = s.Verdict, s.Blocked
		default:
			h.Failed = s.Blocked
		}
	}
	if len(said) > 0 {
		d.keep()
	}
}

func readJournal(tx *plan.Tx, of string) *journal {
	j := &journal{}
	if rel := journalPath(tx.Workspace, of); tx.Has(rel) {
		if err := json.Unmarshal(must.Get(tx.ReadBytes(rel)), j); err != nil {
			must.Fail(&plan.InputError{Path: rel, What: err.Error()})
		}
	}
	if j.Agents == nil {
		j.Agents = map[string]*handed{}
	}
	return j
}

// keep writes the journal.
func (d *Driver) keep() {
	data := append(must.Get(json.MarshalIndent(d.journal, "", "  ")), '\n')
	d.change(func(tx *plan.Tx) { tx.Write(journalPath(tx.Workspace, d.of), data) })
}
