package brief

import (
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/claim"
)

// heldByOthers reports whether somebody else has claimed each plan of a phase that
// is still to be executed, and says who has which.
func heldByOthers(tx *plan.Tx, p *plan.Phase) (all bool, said string) {
	claims, _ := claim.List(tx, time.Now())
	open := 0
	for _, f := range p.Plans {
		if f.Summary != "" {
			continue
		}
		open++
		if c, ok := claim.Others(claims, f.ID, tx.By); ok {
			open--
			said += "; " + c.String()
		}
	}
	return open == 0 && said != "", said
}
