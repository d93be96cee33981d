package gate

import (
	"strings"
	"testing"

	"cairn/internal/plan/doc"
)

func TestThreats(t *testing.T) {
	const table = "## Threats\n\n| ID | Component | Threat | Severity | Status |\n|----|----|----|----|----|\n| T-1 | x | a | low | open |\n| T-2 | x | b | **High** | Open |\n" +
		"| T-3 | x | c | critical | closed |\n| T-4 | x | d | | open |\n\n## Audits\n\n| Date | Open |\n|---|---|\n| x | 3 |\n"
	file := func(text string) *File { return &File{"SECURITY.md", doc.Parse([]byte(text))} }
	for name, tt := range map[string]struct {
		on       bool
		blockOn  string
		security *File
		want     string
		skipped  bool
	}{
		"off":           {false, "high", file(table), "", true},
		"none":          {true, "high", nil, "", true},
		"high":          {true, "high", file(table), "T-2:6 T-4:8", false},
		"low":           {true, "LOW", file(table), "T-1:5 T-2:6 T-4:8", false},
		"critical":      {true, "critical", file(table), "T-4:8", false},
		"unknown level": {true, "worst", file(table), "T-2:6 T-4:8", false},
		"never":         {true, "none", file(table), "", false},
		"all closed":    {true, "low", file(strings.NewReplacer("| open |", "| closed |", "| Open |", "| closed |").Replace(table)), "", false},
		"empty":         {true, "high", file("---\nstatus: draft\n---\n"), "register:0", false},
		"none, said so": {true, "high", file("---\nstatus: verified\n---\n"), "", false},
		"no severities": {true, "critical", file("| Threat ID | Status |\n|---|---|\n| T-9 | open |\n"), "T-9:3", false},
	} {
		r := Threats(tt.on, tt.blockOn, tt.security)
		var got []string
		for _, m := range r.Missing {
			got = append(got, m.ID+":"+string(rune('0'+m.Line)))
		}
		if strings.Join(got, " ") != tt.want || r.Skipped != tt.skipped || r.No() != (tt.want != "") || name == "high" && r.Missing[0].Text != "b" {
			t.Errorf("%s: %q, %+v", name, got, r)
		}
	}
}

// The gate finds the phase's document and the settings.
func TestThreatsOfAPhase(t *testing.T) {
	files := with(tree(), ".planning/phases/02-api/02-SECURITY.md", "| ID | Severity | Status |\n|---|---|---|\n| T-1 | medium | open |\n")
	if r, err := ask(t, project(t, files), "", "threats", Verify, "2"); err != nil || !r.Passed || r.Skipped {
		t.Errorf("%+v, %v", r, err)
	}
	files[".planning/config.json"] = `{"workflow": {"security_block_on": "medium"}}`
	if r, err := ask(t, project(t, files), "", "threats", Verify, "2"); err != nil || !r.No() {
		t.Errorf("%+v, %v", r, err)
	}
}
