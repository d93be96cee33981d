package soak

import (
	"fmt"
	"strings"
)

// What records other than runs say. Of twelve authors four are known to git only.

func personName(n int) string { return fmt.Sprintf("Person %d", n) }

func emailOf(team, n int) string { return fmt.Sprintf("user-%d-%d@example.com", team, n) }

func branchName(n int) string {
	if n%3 > 0 {
		return fmt.Sprintf("topic-%d", n)
	}
	return "main"
}

const metrics = `{"commits":47,"prs_merged":11,"insertions":3000,"deletions":1200,"test_ratio":0.31,"feat_pct":0.4,"fix_pct":0.3,"ai_assisted_commits":20,
	"hotspots":[{"path":"app/services","changes":40},{"path":"app/models","changes":12}]}`

// authors of a week, as a retrospective has them.
func authors(team int) string {
	var each []string
	for n := range 12 {
		each = append(each, fmt.Sprintf(`%q:{"email":%q,"commits":%d,"insertions":300,"deletions":100}`, personName(n), emailOf(team, n), n+1))
	}
	return "{" + strings.Join(each, ",") + "}"
}

const phases = `{"phases":[{"number":"1","name":"Begin","status":"complete","plans":3,"plans_done":3},{"number":"2","name":"Go on","status":"in progress","plans":3,"plans_done":1}]}`
