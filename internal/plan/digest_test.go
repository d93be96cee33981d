package plan

import (
	"fmt"
	"strings"
	"testing"
)

func TestDigest(t *testing.T) {
	w := project(t, map[string]string{
		".planning/milestones/v0.9-phases/00-proto/00-01-SUMMARY.md": "---\nphase: \"00\"\nprovides: [proto]\n---\n",
		".planning/phases/01-base/01-01-SUMMARY.md": "---\nphase: \"01\"\nname: Ground floor\ndependency-graph:\n  provides:\n    - parcel store\n  affects:\n    - labels\n" +
			"tech-stack:\n  added:\n    - chi\n    - name: pgx\n      version: 5\npatterns-established:\n  - one store per noun\nkey-decisions:\n  - Use chi: small\n  - decision: No ORM\n---\n",
		".planning/phases/01-base/01-02-SUMMARY.md": "---\nphase: \"01\"\nprovides: [tariffs, parcel store]\ntech-stack:\n  added: [pgx, toml]\nkey-decisions: []\n---\n",
		".planning/phases/02-odd/02-01-SUMMARY.md":  "---\nprovides: [x\nno end",
		".planning/phases/02-odd/02-02-SUMMARY.md":  "no frontmatter",
		".planning/phases/02-odd/02-03-SUMMARY.md":  "---\n[broken\n: :\nprovides: kept\n---\n",
		".planning/phases/02-odd/02-03-PLAN.md":     "",
		".planning/phases/03-none/03-CONTEXT.md":    "---\nprovides: [no]\n---\n",
	})
	var got strings.Builder
	err := w.View(func(tx *Tx) error {
		d := tx.Digest()
		for _, p := range d.Phases {
			fmt.Fprintf(&got, "%s|%s|%v|%v|%v\n", p.ID, p.Name, p.Provides, p.Affects, p.Patterns)
		}
		fmt.Fprintf(&got, "%v\n%v\n", d.Decisions, d.Tech)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `00|proto|[proto]|[]|[]
01|Ground floor|[parcel store tariffs]|[labels]|[one store per noun]
02|odd|[kept]|[]|[]
[{01 Use chi: small} {01 No ORM}]
[chi pgx toml]
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
