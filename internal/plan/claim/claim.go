// Package claim notes who works on which plan, so that two people do not execute
// the same one. A claim is a file of its own, named after plan and owner: two
// branches that each add one do not collide. It ends by itself.
//
// The commands, waves and the next step ask it. It knows no agent and reads no
// plan.
package claim

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// Claim says that somebody works on a plan until a time.
type Claim struct {
	Plan  string    `json:"plan"`
	By    string    `json:"by"`
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	Path  string    `json:"path"`
}

// Dir is where claims are.
func Dir(w *plan.Workspace) string { return w.Path("claims") }

func file(w *plan.Workspace, id, by string) string {
	return path.Join(Dir(w), id+"--"+cmp.Or(text.LetterSlug(by, 40), "somebody")+".md")
}

// List returns the claims that are in force, of a plan the oldest first: that is
// whose it is. Those that are over, or cannot be read, are ended.
func List(tx *plan.Tx, now time.Time) (active []Claim, ended []string) {
	active = []Claim{}
	if !tx.Has(Dir(tx.Workspace)) {
		return active, nil
	}
	for _, e := range tx.ReadDir(Dir(tx.Workspace)) {
		name := path.Join(Dir(tx.Workspace), e.Name)
		if e.Dir || !strings.HasSuffix(e.Name, ".md") {
			continue
		}
		t := tx.ReadIfThere(name)
		front := t.Front()
		c := Claim{Plan: front.Get("plan").Text(), By: front.Get("by").Text(), Path: name}
		c.Since, _ = time.Parse(time.RFC3339, front.Get("since").Text())
		c.Until, _ = time.Parse(time.RFC3339, front.Get("until").Text())
		if c.Plan == "" || !now.Before(c.Until) {
			ended = append(ended, name)
			continue
		}
		active = append(active, c)
	}
	slices.SortStableFunc(active, func(a, b Claim) int {
		return cmp.Or(strings.Compare(a.Plan, b.Plan), a.Since.Compare(b.Since), strings.Compare(a.By, b.By))
	})
	return active, ended
}

// Of returns the claim that counts of a plan: the oldest in force.
func Of(claims []Claim, id string) (Claim, bool) {
	i := slices.IndexFunc(claims, func(c Claim) bool { return same(c.Plan, id) })
	if i < 0 {
		return Claim{}, false
	}
	return claims[i], true
}

// Others returns the claim of a plan that somebody else has.
func Others(claims []Claim, id, me string) (Claim, bool) {
	c, ok := Of(claims, id)
	return c, ok && !strings.EqualFold(c.By, me)
}

func same(a, b string) bool {
	return a == b || plan.CanonicalPlanID(a) == plan.CanonicalPlanID(b)
}

// String says whose the plan is.
func (c Claim) String() string {
	return fmt.Sprintf("%s is claimed by %s until %s", c.Plan, c.By, c.Until.Local().Format("2006-01-02 15:04"))
}

// TakenError says that somebody else has the plan.
type TakenError struct{ Claim }

func (e *TakenError) Error() string { return e.String() }

// Take claims a plan, or one's own again for longer. Claims that are over go.
func Take(tx *plan.Tx, id, by string, how time.Duration, now time.Time) Claim {
	claims, ended := List(tx, now)
	if other, ok := Others(claims, id, by); ok {
		must.Fail(&TakenError{other})
	}
	sweep(tx, ended)
	now = now.UTC().Truncate(time.Second)
	c := Claim{Plan: id, By: doc.OneLine(by), Since: now, Until: now.Add(how), Path: file(tx.Workspace, id, by)}
	if own, ok := Of(claims, id); ok {
		c.Since = own.Since
	}
	t := doc.New("---", "---")
	for _, f := range [][2]string{{"plan", c.Plan}, {"by", c.By}, {"since", c.Since.Format(time.RFC3339)}, {"until", c.Until.Format(time.RFC3339)}} {
		must.OK(t.SetFront(f[1], f[0]))
	}
	tx.Write(c.Path, t.Bytes())
	return c
}

// Release ends the claims of a plan that somebody has.
func Release(tx *plan.Tx, id, by string, now time.Time) (released []Claim) {
	claims, ended := List(tx, now)
	for _, c := range claims {
		if same(c.Plan, id) && strings.EqualFold(c.By, by) {
			tx.Remove(c.Path)
			released = append(released, c)
		}
	}
	if len(released) == 0 {
		if other, ok := Of(claims, id); ok {
			must.Fail(&TakenError{other})
		}
	}
	sweep(tx, ended)
	return released
}

func sweep(tx *plan.Tx, ended []string) {
	for _, name := range ended {
		if tx.Has(name) {
			tx.Remove(name)
		}
	}
}
