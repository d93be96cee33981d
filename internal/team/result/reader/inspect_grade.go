package reader

import (
	"maps"
	"math"
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
		_ = json.Unmarshal(v, &parts, foreign()) // of what cannot be read, nothing is known
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			list = appendGrade(list, name, parts[name])
		}
	case '[':
		var parts []jsontext.Value
		_ = json.Unmarshal(v, &parts, foreign())
		for i, p := range parts {
			list = appendGrade(list, strconv.Itoa(i+1), p)
		}
	default:
		list = appendGrade(list, "", v)
	}
	return list, len(list) > 0
}

// appendGrade adds the grade that a value is, if it is one.
func appendGrade(list []grade, name string, v jsontext.Value) []grade {
	g := grade{name: name, said: oneLine(asText(v), 40)}
	switch said := asText(v); said {
	case "C", "yes", "Yes", "true", "True":
		g.value = 1
	case "P":
		g.value = 0.5
	case "I", "N", "no", "No", "false", "False":
	default:
		f, ok := number(said)
		if kind := v.Kind(); !ok || math.IsNaN(f) || kind != '0' && kind != '"' {
			return list
		}
		g.value = f
	}
	return append(list, g)
}

// of is the name of the figure of a scorer.
func (g grade) of(scorer string) string {
	if g.name == "" {
		return scorer
	}
	return scorer + "." + g.name
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
