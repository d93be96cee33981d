package reader

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// promptfooRow is one answer of one provider to one prompt with one test's
// variables, as promptfoo 0.121 writes it.
type promptfooRow struct {
	TestIdx       float64             `json:"testIdx"`
	PromptIdx     float64             `json:"promptIdx"`
	Success       *bool               `json:"success"`
	FailureReason *float64            `json:"failureReason"` // 0 none, 1 an assertion, 2 an error
	Score         *float64            `json:"score"`
	NamedScores   map[string]*float64 `json:"namedScores"`
	LatencyMS     float64             `json:"latencyMs"`
	Cost          float64             `json:"cost"`
	Error         jsontext.Value      `json:"error"`
	Provider      promptfooProvider   `json:"provider"`
	Prompt        promptfooPrompt     `json:"prompt"`
	Vars          jsontext.Value      `json:"vars"`
	Description   string              `json:"description"`
	Response      promptfooResponse   `json:"response"`
	Grading       *promptfooGrade     `json:"gradingResult"`
	Tokens        promptfooTokens     `json:"tokenUsage"`
	Metadata      jsontext.Value      `json:"metadata"` // of the test and of the response
	TestCase      struct {
		Description string         `json:"description"`
		Metadata    jsontext.Value `json:"metadata"`
		Options     struct {
			Grader jsontext.Value `json:"provider"`
		} `json:"options"`
	} `json:"testCase"`
}

type promptfooPrompt struct {
	Label string `json:"label"`
	Raw   string `json:"raw"`
}

// promptfooResponse is an object, and in the oldest files a text.
type promptfooResponse struct {
	Output jsontext.Value `json:"output"`
	Finish string         `json:"finishReason"`
	Cached bool           `json:"cached"` // by promptfoo: nobody was asked
}

func (r *promptfooResponse) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return json.UnmarshalDecode(dec, &r.Output)
	}
	type object promptfooResponse
	return json.UnmarshalDecode(dec, (*object)(r))
}

// promptfooProvider is an object, or its ID alone.
type promptfooProvider struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

func (p *promptfooProvider) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '"' {
		return json.UnmarshalDecode(dec, &p.ID)
	}
	type object promptfooProvider
	return json.UnmarshalDecode(dec, (*object)(p))
}

type promptfooGrade struct {
	Pass       bool                 `json:"pass"`
	Score      *float64             `json:"score"`
	Reason     string               `json:"reason"`
	Comment    string               `json:"comment"` // of a person, in promptfoo's view
	Components []promptfooComponent `json:"componentResults"`
}

type promptfooComponent struct {
	Pass      bool                 `json:"pass"`
	Score     *float64             `json:"score"`
	Reason    string               `json:"reason"`
	Assertion *promptfooAssertion  `json:"assertion"`
	Inner     []promptfooComponent `json:"componentResults"` // of a set
	Metadata  struct {
		Set *promptfooAssertion `json:"assertionSet"`
	} `json:"metadata"`
}

type promptfooAssertion struct {
	Type      string         `json:"type"`
	Metric    string         `json:"metric"`
	Value     jsontext.Value `json:"value"`
	Threshold *float64       `json:"threshold"`
	Weight    *float64       `json:"weight"` // nothing is 1
}

type promptfooTokens struct {
	promptfooUsage
	Grading promptfooUsage `json:"assertions"`
}

type promptfooUsage struct {
	Total       float64 `json:"total"`
	Prompt      float64 `json:"prompt"`
	Completion  float64 `json:"completion"`
	Cached      float64 `json:"cached"` // by promptfoo: nobody was asked
	NumRequests float64 `json:"numRequests"`
	Details     struct {
		CacheRead  float64 `json:"cacheReadInputTokens"`
		CacheWrite float64 `json:"cacheCreationInputTokens"`
		Reasoning  float64 `json:"reasoning"`
	} `json:"completionDetails"`
}
