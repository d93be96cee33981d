package gate

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/term"
)

// What GitHub takes of a check run: docs.github.com, REST API, "Create a check run".
const (
	maxCheckText    = 65_535 // bytes here, characters there
	maxAnnotations  = 50
	maxWorkflowSays = 10 // error annotations of one step
	maxMessage      = 4_000
)

type checkRun struct {
	Name       string      `json:"name"`
	HeadSHA    string      `json:"head_sha"`
	Status     string      `json:"status"`
	Conclusion string      `json:"conclusion"`
	Output     checkOutput `json:"output"`
}

type checkOutput struct {
	Title       string       `json:"title"`
	Summary     string       `json:"summary"`
	Text        string       `json:"text,omitzero"`
	Annotations []annotation `json:"annotations,omitempty"`
}

type annotation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Level     string `json:"annotation_level"`
	Title     string `json:"title"`
	Message   string `json:"message"`
}

// CheckRun is the body of a request that creates a check run at GitHub. sha is
// the commit it is shown at. An annotation points at the rule's line in the
// policy, policyPath from the top of the repository; "" makes none.
func (r *Report) CheckRun(name, sha, policyPath string) ([]byte, error) {
	run := checkRun{Name: name, HeadSHA: sha, Status: "completed", Conclusion: "success"}
	switch {
	case r.Verdict == Failed:
		run.Conclusion = "failure"
	case !r.Passed:
		run.Conclusion = "action_required" // neutral would let a merge through
	case r.Count(Warn) > 0:
		run.Conclusion = "neutral"
	}
	run.Output = checkOutput{Title: r.headline(), Summary: cutBytes(r.Markdown(), maxCheckText)}
	if r.Comparison != nil {
		run.Output.Text = cutBytes(r.Comparison.Markdown(0), maxCheckText)
		short := *r
		short.Comparison = nil // it is in the text
		run.Output.Summary = cutBytes(short.Markdown(), maxCheckText)
	}
	for _, rule := range r.ordered() {
		if policyPath == "" || rule.Line == 0 || len(run.Output.Annotations) == maxAnnotations {
			continue
		}
		level := map[Status]string{Fail: "failure", Warn: "warning"}[rule.Status]
		if level != "" {
			run.Output.Annotations = append(run.Output.Annotations, annotation{policyPath, rule.Line, rule.Line, level, rule.title(), cutBytes(rule.sentence(mostNamed), maxMessage)})
		}
	}
	data, err := json.Marshal(run, jsontext.WithIndent("  "), json.Deterministic(true))
	return append(data, '\n'), err
}

// Workflow is what a step of GitHub Actions prints so that the job shows it:
// docs.github.com, "Workflow commands for GitHub Actions".
func (r *Report) Workflow(policyPath string) string {
	var b strings.Builder
	said := map[string]int{}
	for _, rule := range r.ordered() {
		level := map[Status]string{Fail: "error", Warn: "warning"}[rule.Status]
		if level == "" || said[level] == maxWorkflowSays {
			continue
		}
		said[level]++
		b.WriteString("::" + level + " title=" + property("eval gate: "+rule.title()))
		if policyPath != "" && rule.Line > 0 {
			b.WriteString(",file=" + property(policyPath) + ",line=" + strconv.Itoa(rule.Line))
		}
		b.WriteString("::" + message(cutBytes(term.Line(rule.sentence(mostNamed)), maxMessage)) + "\n")
	}
	return b.String()
}

func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}

// cutBytes shortens a text to so many bytes, at a rune, and says so.
func cutBytes(text string, most int) string {
	const rest = "\n\n… cut"
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len(rest)], "") + rest
}
