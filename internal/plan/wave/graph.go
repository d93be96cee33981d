package wave

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/plan"
)

// levels returns for each plan the length of the longest chain of plans that
// must run before it.
func levels(plans []Plan) ([]int, error) {
	g := graph{plans: plans, level: make([]int, len(plans)), state: make([]visit, len(plans))}
	g.index()
	for i := range plans {
		if err := g.visit(i); err != nil {
			return nil, err
		}
	}
	return g.level, nil
}

type visit int

const (
	unseen visit = iota
	open         // on the path that is being walked
	closed
)

type graph struct {
	plans    []Plan
	byID     map[string]int // id or canonical id → index in plans
	byNumber map[string]int // number in the phase → index in plans
	level    []int
	state    []visit
	path     []int // being walked
}

// index notes the names each plan goes by. An exact id is taken before a
// canonical one, and of plans that share a name the first has it.
func (g *graph) index() {
	g.byID, g.byNumber = map[string]int{}, map[string]int{}
	for i, p := range slices.Backward(g.plans) {
		for _, id := range []string{p.ID, cmp.Or(p.Also, p.ID)} {
			g.byID[plan.CanonicalPlanID(id)] = i
			if n := number(id); n != "" {
				g.byNumber[n] = i
			}
		}
	}
	for i, p := range slices.Backward(g.plans) {
		g.byID[p.ID] = i
	}
}

// Elsewhere returns, for each plan, the entries of its depends_on that name none of
// the plans.
func Elsewhere(plans []Plan) [][]string {
	g := graph{plans: plans}
	g.index()
	out := make([][]string, len(plans))
	for i, p := range plans {
		for _, dep := range p.DependsOn {
			if g.find(i, dep) < 0 {
				out[i] = append(out[i], dep)
			}
		}
	}
	return out
}

// find returns the plan that an entry of plan i's depends_on names, -1 for
// one of another phase. A plan's own number alone is a phase's.
func (g *graph) find(i int, dep string) int {
	dep = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(dep), ".md"), "-PLAN")
	for _, name := range []string{dep, plan.CanonicalPlanID(dep)} {
		if j, ok := g.byID[name]; ok {
			return j
		}
	}
	if j, ok := g.byNumber[trimZeros(dep)]; ok && j != i {
		return j
	}
	return -1
}

func (g *graph) visit(i int) error {
	switch g.state[i] {
	case closed:
		return nil
	case open:
		return g.cycle(i)
	}
	g.state[i] = open
	g.path = append(g.path, i)
	for _, dep := range g.plans[i].DependsOn {
		j := g.find(i, dep)
		if j < 0 {
			continue
		}
		if err := g.visit(j); err != nil {
			return err
		}
		g.level[i] = max(g.level[i], g.level[j]+1)
	}
	g.path = g.path[:len(g.path)-1]
	g.state[i] = closed
	return nil
}

// cycle returns the end of the path from where it came by i before.
func (g *graph) cycle(i int) error {
	var ids []string
	for _, j := range g.path[slices.Index(g.path, i):] {
		ids = append(ids, g.plans[j].ID)
	}
	return &CycleError{append(ids, g.plans[i].ID)}
}

// number returns the plan's number in its phase without leading zeros: 1 of
// 02-01. Planners write it alone in depends_on.
func number(id string) string {
	_, n, ok := strings.Cut(plan.CanonicalPlanID(id), "-")
	if !ok || !isNumber(n) {
		return ""
	}
	return trimZeros(n)
}

func trimZeros(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" && isNumber(t) {
		return t
	}
	return s
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
