package reader

import (
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// A grade is one figure of a scorer.
type grade struct {
	name  string // of a figure among several
	value float64
	said  string // as the log has it
}

// grades reads a scorer's value: a letter, a number, true or false, or several
// by name or in a list.
func grades(v jsontext.Value) (list []grade, known bool) {
	switch v.Kind() {
	case '{':
		var parts map[string]jsontext.Value
		if json.Unmarshal(v, &parts, foreign()) != nil {
			return nil, false
		}
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			if g, ok := one(parts[name]); ok {
				g.name = name
				list = append(list, g)
			}
		}
	case '[':
		var parts []jsontext.Value
		if json.Unmarshal(v, &parts, foreign()) != nil {
			return nil, false
		}
		for i, p := range parts {
			if g, ok := one(p); ok {
				g.name = strconv.Itoa(i + 1)
				list = append(list, g)
			}
		}
	default:
		if g, ok := one(v); ok {
			list = append(list, g)
		}
	}
	return list, len(list) > 0
}

func one(v jsontext.Value) (grade, bool) {
	g := grade{said: oneLine(asText(v), 40)}
	switch v.Kind() {
	case 't':
		g.value = 1
	case 'f':
	case '0':
		f, ok := number(string(v))
		if !ok {
			return g, false
		}
		g.value = f
	case '"':
		switch s := asText(v); s {
		case "C":
			g.value = 1
		case "P":
			g.value = 0.5
		case "I", "N":
		case "yes", "Yes", "true", "True":
			g.value = 1
		case "no", "No", "false", "False":
		default:
			f, ok := number(s)
			if !ok {
				return g, false
			}
			g.value = f
		}
	default:
		return g, false
	}
	return g, true
}

// scales finds the range of each scorer's figures, which a log does not tell:
// the smallest of 0 to 1, 10 and 100 that holds them all. "-" is none.
func (in *inspect) scales() map[string]result.Scale {
	lo, hi := map[string]float64{}, map[string]float64{}
	between := map[string]bool{}
	for i := range in.samples {
		for name, score := range in.samples[i].Scores {
			parts, _ := grades(score.Value)
			for _, g := range parts {
				lo[name], hi[name] = min(lo[name], g.value), max(hi[name], g.value)
				between[name] = between[name] || g.value > 0 && g.value < 1 && score.Value.Kind() != '"'
			}
		}
	}
	scales := map[string]result.Scale{}
	for _, name := range slices.Sorted(maps.Keys(hi)) {
		switch {
		case lo[name] < 0 || hi[name] > 100:
			scales[name] = "-"
			in.c.warn("the scorer %s gives %v to %v: on no scale that is known, so only its verdicts are kept", oneLine(name, 60), lo[name], hi[name])
		case hi[name] > 10:
			scales[name] = "0-100"
		case hi[name] > 1:
			scales[name] = "0-10"
		default:
			scales[name] = ""
		}
		if s := scales[name]; s != "" && s != "-" {
			in.c.warn("the scorer %s gives up to %v: taken as a scale of %s, where 1 and more is a pass", oneLine(name, 60), hi[name], s)
		} else if between[name] {
			in.c.warn("the scorer %s gives figures between 0 and 1, of which only 1 is a pass: compare its scores", oneLine(name, 60))
		}
	}
	return scales
}
