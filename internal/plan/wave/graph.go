package wave

import (
	"slices"
	"strings"
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
		g.byID[Canonical(p.ID)] = i
		g.byNumber[number(p.ID)] = i
	}
	for i, p := range slices.Backward(g.plans) {
		g.byID[p.ID] = i
	}
}

// find returns the plan that an entry of plan i's depends_on names, -1 for
// one of another phase. A plan's own number alone is a phase's.
func (g *graph) find(i int, dep string) int {
	dep = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(dep), ".md"), "-PLAN")
	for _, name := range []string{dep, Canonical(dep)} {
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

// Canonical returns the phase and number of a plan's id, without what people
// write around them: 02-01-store is 02-01, CK-02-01 too, 03.1-02 stays. An id
// without two numbers in a row is its own.
func Canonical(id string) string {
	parts := strings.Split(id, "-")
	for i := 0; i+1 < len(parts); i++ {
		if isNumber(parts[i]) && isNumber(parts[i+1]) {
			return parts[i] + "-" + parts[i+1]
		}
	}
	return id
}

// number returns the plan's number in its phase without leading zeros: 1 of
// 02-01. Planners write it alone in depends_on.
func number(id string) string {
	_, n, ok := strings.Cut(Canonical(id), "-")
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

// isNumber: digits, perhaps a letter, perhaps decimals: 2, 02A, 02.1.
func isNumber(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	if len(rest) == len(s) {
		return false
	}
	if rest != "" && rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z' {
		rest = rest[1:]
	}
	for len(rest) > 1 && rest[0] == '.' {
		after := strings.TrimLeft(rest[1:], "0123456789")
		if len(after) == len(rest)-1 {
			return false
		}
		rest = after
	}
	return rest == ""
}
