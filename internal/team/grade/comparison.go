package grade

import (
	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
)

// A Comparison is what Grade writes into Result.Comparison, as far as it is shown.
type Comparison struct {
	Deltas []struct {
		Criterion string  `json:"criterion"`
		Control   float64 `json:"control"`
		Treatment float64 `json:"treatment"`
		Delta     float64 `json:"delta"`
		Worse     bool    `json:"worse"`
	} `json:"deltas"`
	Tiers []struct {
		Tier     string        `json:"tier"`
		Model    string        `json:"model"`
		Status   result.Status `json:"status"`
		Held     int           `json:"held"`
		Of       int           `json:"of"`
		Error    string        `json:"error"`
		Failures []string      `json:"failures"`
	} `json:"tiers"`
}

// ReadComparison reads what Grade wrote; what is nothing of the kind is empty.
func ReadComparison(r *result.Result) (c Comparison) {
	if len(r.Comparison) == 0 || json.Unmarshal(r.Comparison, &c) != nil {
		return Comparison{}
	}
	return c
}
