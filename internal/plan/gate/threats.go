package gate

import (
	"slices"
	"strings"
)

// severities of threats, the least first.
var severities = [...]string{"low", "medium", "high", "critical"}

// Threats is the gate before a phase is shipped: no threat in a table of
// SECURITY.md is open that is at least as severe as blockOn. One without a
// known severity counts as such; with blockOn none nothing does. A register
// without a threat counts once somebody verified it. It blocks.
func Threats(on bool, blockOn string, security *File) Result {
	r := Result{Gate: "threats", Stage: Verify, Type: Safety, Blocking: true}
	switch {
	case !on:
		return r.skip("workflow.security_enforcement is off")
	case security == nil:
		return r.skip("the phase has no SECURITY.md")
	}
	least := slices.Index(severities[:], strings.ToLower(blockOn))
	if strings.EqualFold(blockOn, "none") {
		least = len(severities)
	} else if least < 0 {
		least = slices.Index(severities[:], "high")
	}
	var missing []Missing
	total := 0
	for _, tb := range security.Tables(security.Body(), security.Len()) {
		status, severity, name := tb.Column("Status"), tb.Column("Severity"), tb.Column("Threat")
		if name < 0 {
			name = tb.Column("Component")
		}
		if status < 0 || tb.Column("ID", "Threat ID") != 0 {
			continue
		}
		for i, row := range tb.Rows {
			total++
			how := word(tb.Cell(i, severity))
			if rank := slices.Index(severities[:], how); word(tb.Cell(i, status)) != "open" || least == len(severities) || rank >= 0 && rank < least {
				continue
			}
			missing = append(missing, Missing{
				ID: row[0], Category: how, Text: tb.Cell(i, name), File: security.Path, Line: tb.Line + 3 + i,
				Remedies: []string{"meet it in the code, and name the place as evidence", "have a person accept it: a row under Accepted Risks, status closed"},
			})
		}
	}
	if total == 0 && !strings.EqualFold(security.Front().Get("status").Text(), "verified") {
		return r.fail("SECURITY.md names no threat, and nobody verified that there is none:", []Missing{{
			ID: "register", Category: "precondition", Text: "it is empty", File: security.Path,
			Remedies: []string{"list what the phase opens up", "say in it why there is nothing, and set its status to verified"},
		}})
	}
	return r.judge(missing, "no threat of SECURITY.md that blocks is open",
		some(len(missing), total, "threat", " of SECURITY.md")+" open, and severe enough to stop the phase:")
}

// word returns a cell without emphasis, in lower case.
func word(cell string) string { return strings.ToLower(strings.Trim(cell, "*_` ")) }
