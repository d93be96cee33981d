package check

import "strings"

// Story is a user story: As a ROLE, I want to CAPABILITY, so that OUTCOME.
type Story struct {
	Role       string `json:"role"`
	Capability string `json:"capability"`
	Outcome    string `json:"outcome"`
}

// ParseStory reads a user story, whatever its case and its spaces, and says
// what is wrong with one that is not.
func ParseStory(text string) (Story, []string) {
	text = strings.Join(strings.Fields(text), " ")
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // a letter whose small form is longer
		lower = text
	}
	var s Story
	var errs []string
	want, so := strings.Index(lower, "i want to "), strings.Index(lower, "so that ")
	if so >= 0 && so < want {
		so = -1
	}
	end := func(limits ...int) int {
		for _, n := range limits {
			if n >= 0 {
				return n
			}
		}
		return len(text)
	}
	trim := func(s string) string { return strings.Trim(s, " ,") }
	for _, prefix := range []string{"as a ", "as an "} {
		if strings.HasPrefix(lower, prefix) {
			s.Role = trim(text[len(prefix):max(end(want, so), len(prefix))])
		}
	}
	if s.Role == "" {
		errs = append(errs, `Missing role: begin with "As a [role],"`)
	}
	if want >= 0 {
		from := want + len("i want to ")
		s.Capability = trim(text[from:max(end(so), from)])
	}
	if s.Capability == "" {
		errs = append(errs, `Missing capability: "I want to [capability],"`)
	}
	if so >= 0 {
		s.Outcome = strings.TrimRight(trim(text[so+len("so that "):]), ".")
	}
	if s.Outcome == "" {
		errs = append(errs, `Missing outcome: "so that [outcome]."`)
	}
	if len(errs) == 0 && !strings.HasSuffix(text, ".") {
		errs = append(errs, "Missing the full stop at the end")
	}
	return s, errs
}
