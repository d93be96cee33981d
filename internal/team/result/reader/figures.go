package reader

import (
	"slices"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// figures are what a test says of itself by properties: JUnit's <property>,
// pytest's record_property, Go's t.Attr.
type figures struct {
	pairs [][2]string
	said  []member // what is kept beside them: what a test printed, why it was skipped
}

// say keeps what a test said, where it said something.
func (f *figures) say(name, text string) {
	if text = message(text); text != "" {
		f.said = append(f.said, member{name, quote(text)})
	}
}

const (
	mostPairs = 50
	mostValue = 200 // runes
)

// known reports whether a property has a member of its own in a result.
func known(key string) bool {
	return slices.Contains([]string{"score", "scale", "model", "cost_usd", "category", "variant", "case_id", "tags"}, key) ||
		strings.HasPrefix(key, "score_") && len(key) > len("score_")
}

func (f *figures) set(key, value string) {
	if key == "" || len(f.pairs) >= mostPairs && !known(key) {
		return
	}
	if i := slices.IndexFunc(f.pairs, func(p [2]string) bool { return p[0] == key }); i >= 0 {
		f.pairs[i][1] = value
		return
	}
	f.pairs = append(f.pairs, [2]string{key, value})
}

// apply puts the properties into a result. One without a member of its own is
// kept in "properties", as is one that cannot be what its name says.
func (f *figures) apply(r *result.Result, c *collector) {
	var rest [][2]string
	for _, p := range f.pairs {
		if p[0] == "scale" && p[1] != "" {
			if _, _, err := result.Scale(p[1]).Bounds(); err == nil {
				r.Scale = result.Scale(p[1])
				continue
			}
			c.warn("%s: property scale: %q is no scale such as 1-5", oneLine(r.Name, 60), oneLine(p[1], 40))
			rest = append(rest, p)
		}
	}
	lo, hi, _ := r.Scale.Bounds()
	texts := map[string]*string{"model": &r.Model, "category": &r.Category, "variant": &r.Variant, "case_id": &r.CaseID}
	for _, p := range f.pairs {
		key, value := p[0], p[1]
		criterion, isCriterion := strings.CutPrefix(key, "score_")
		switch {
		case key == "scale":
		case texts[key] != nil:
			*texts[key] = oneLine(value, mostValue)
		case key == "tags":
			r.Tags = strings.FieldsFunc(oneLine(value, mostValue), func(c rune) bool { return c == ',' || c == ' ' })
		case key == "cost_usd":
			if f, ok := number(value); ok && f >= 0 {
				r.CostUSD = f
				continue
			}
			c.warn("%s: property %s: %q is no amount", oneLine(r.Name, 60), key, oneLine(value, 40))
			rest = append(rest, p)
		case key == "score" || isCriterion && criterion != "":
			f, ok := number(value)
			if !ok || f < lo || f > hi {
				c.warn("%s: property %s: %q is no score of %v to %v; a property scale says another range", oneLine(r.Name, 60), oneLine(key, 40), oneLine(value, 40), lo, hi)
				rest = append(rest, p)
				continue
			}
			if key == "score" {
				r.Score = &f
			} else {
				addScore(r, criterion, f)
			}
		default:
			rest = append(rest, p)
		}
	}
	slices.SortStableFunc(rest, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	var members []member
	for i, p := range rest {
		if i == 0 || rest[i-1][0] != p[0] {
			members = append(members, member{p[0], quote(text.First(p[1], mostValue))})
		}
	}
	r.X = object(append([]member{{"properties", object(members...)}}, f.said...)...)
}
