package judge

import "cairn/internal/tokens"

// A Planned is an answer that Judge would ask for.
type Planned struct {
	Case         string `json:"case"`
	Model        string `json:"model"`
	Cached       bool   `json:"cached"`
	InputTokens  int64  `json:"input_tokens"`  // what is sent, estimated
	OutputTokens int64  `json:"output_tokens"` // the longest answer there may be
}

// Plan says what Judge would ask, and asks nothing.
func (p *Panel) Plan(questions []Question) (planned []Planned) {
	for i := range questions {
		q := &questions[i]
		size := tokens.Estimate(q.system()) + tokens.Estimate(q.ask(p.boundary))
		for _, a := range p.asked(q) {
			one := Planned{Case: q.CaseName, Model: a.model}
			if p.Cache != nil {
				_, one.Cached = p.Cache.Get(q.key(a.model, a.nth))
			}
			if !one.Cached {
				one.InputTokens, one.OutputTokens = int64(size), AnswerLimit
			}
			planned = append(planned, one)
		}
	}
	return planned
}
