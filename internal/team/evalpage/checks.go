package evalpage

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Held is one expectation of a result, held or not, as readers keep them in its
// member "checks".
type Held struct {
	Passed *bool  `json:"passed,omitempty"` // nil where it is only a figure
	Name   string `json:"name"`
	About  string `json:"about,omitzero"` // value, score, weight, threshold
	Reason string `json:"reason,omitzero"`
	Depth  int    `json:"depth,omitzero"` // in a set
}

const (
	mostHeld    = 200
	deepestHeld = 8
)

// heldOf reads them, and nothing from another tool's member of that name.
func heldOf(v jsontext.Value, depth int) (list []Held) {
	var all []jsontext.Value
	if v.Kind() != '[' || depth > deepestHeld || json.Unmarshal(v, &all) != nil {
		return nil
	}
	for _, one := range all {
		m := map[string]jsontext.Value{}
		for _, each := range members(one) {
			m[each.name] = each.value
		}
		h := Held{Depth: depth, Reason: shown(joined("\n", plain(m["reason"]), plain(m["error"])))}
		if passed := m["passed"]; passed.Kind() == 't' || passed.Kind() == 'f' {
			held := passed.Kind() == 't'
			h.Passed = &held
		}
		h.Name = shown(joined(" · ", firstOf(m, "metric", "name"), plain(m["type"])))
		var about []string
		for _, name := range [...]string{"value", "score", "threshold", "weight"} {
			if said := strings.Join(strings.Fields(plain(m[name])), " "); said != "" {
				about = append(about, fmt.Sprintf("%s %.300s", name, said))
			}
		}
		h.About = Visible(strings.ToValidUTF8(strings.Join(about, " · "), ""))
		if h.Name == "" && h.Passed == nil && h.Reason == "" {
			continue
		}
		if list = append(list, h); len(list) >= mostHeld {
			return list
		}
		list = append(list, heldOf(m["checks"], depth+1)...)
	}
	return list[:min(len(list), mostHeld)]
}

func firstOf(m map[string]jsontext.Value, names ...string) string {
	for _, name := range names {
		if said := plain(m[name]); said != "" {
			return said
		}
	}
	return ""
}
