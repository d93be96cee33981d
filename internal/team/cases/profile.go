package cases

import (
	"cmp"
	"slices"
	"strings"
)

// A Profile is a judge, or several: which model is asked, how, and what passes.
type Profile struct {
	Name        string
	Description string
	Tier        string   // fast, standard or full: which model; "" is the environment's or standard
	Models      []string // asked instead of the tier's, in turn when there are more judges
	Judges      int      // how many answers are asked for, 1 to 9
	Combine     string   // what becomes of several scores: mean, median or min
	Temperature *float64 // 0 to 2, nil is the model's own
	System      string   // the system prompt, "" is the judge's own
	Scale       Scale    // of the scores, "" is 0 to 1
	Threshold   float64  // of criteria that say none
	Criteria    map[string]Criterion
}

// A Criterion is one thing that a judge scores.
type Criterion struct {
	Rubric    string   // what a score means, for the judge
	Threshold *float64 // nil is the profile's
}

// defaultThreshold is the share of the scale that passes where nobody says.
const defaultThreshold = 0.7

// ThresholdOf is the lowest score of a criterion that passes.
func (p Profile) ThresholdOf(criterion string) float64 {
	if c := p.Criteria[criterion]; c.Threshold != nil {
		return *c.Threshold
	}
	return p.Threshold
}

// Profiles are those of a file, and the built-in one, "default".
type Profiles struct {
	File    string // "" when there is none
	usual   string
	entries []Profile
}

// builtIn is the profile that is there without a file.
func builtIn() Profile {
	return Profile{Name: "default", Judges: 1, Combine: "median", Threshold: defaultThreshold}
}

// Default is the profile of a check that names none.
func (p *Profiles) Default() Profile {
	if p == nil {
		return builtIn()
	}
	profile, _ := p.Find(cmp.Or(p.usual, "default"))
	return profile
}

// Find returns a profile by its name; "" is the default.
func (p *Profiles) Find(name string) (Profile, bool) {
	if name == "" {
		return p.Default(), true
	}
	if p != nil {
		if i := slices.IndexFunc(p.entries, func(e Profile) bool { return e.Name == name }); i >= 0 {
			return p.entries[i], true
		}
	}
	return builtIn(), name == "default"
}

func (p *Profiles) names() (names []string) {
	if p != nil {
		for _, e := range p.entries {
			names = append(names, e.Name)
		}
	}
	if !slices.Contains(names, "default") {
		names = append(names, "default")
	}
	return names
}

func (p *Profiles) whence() string {
	if p == nil || p.File == "" {
		return "there is no file of judge profiles (.cairn/judge-profiles.yaml, or --profiles)"
	}
	return p.File + " has " + shown(strings.Join(p.names(), ", "))
}

// ReadProfiles reads a file of judge profiles.
func ReadProfiles(file string, data []byte) (*Profiles, Problems) {
	docs, err := parse(file, data)
	if err != nil {
		return nil, Problems{err.(Problem)}
	}
	r := reader{}
	p := &Profiles{File: file}
	if len(docs) != 1 || docs[0].kind != object {
		r.problems.say(Position{File: file}, "must hold one object with profiles")
		return p, r.problems
	}
	var usual *node
	for _, f := range docs[0].fields {
		switch f.name {
		case "default":
			p.usual, usual = r.text(f), f.value
		case "profiles":
			if f.value.kind != object || len(f.value.fields) == 0 {
				r.problems.say(f.value.at, "profiles must be an object name → profile with at least one entry")
			}
			for _, each := range f.value.fields {
				p.entries = append(p.entries, r.profile(each))
			}
		default:
			r.problems.say(f.at, "no key %q%s", shown(f.name), Near(f.name, []string{"default", "profiles"}))
		}
	}
	if _, ok := p.Find(p.usual); !ok {
		r.problems.say(usual.at, "no judge profile %q%s", shown(p.usual), Near(p.usual, p.names()))
	}
	if len(p.entries) == 0 && len(r.problems) == 0 {
		r.problems.say(docs[0].at, "no profiles; write profiles: {strict: {…}}")
	}
	return p, r.problems
}

var profileKeys = [...]string{"description", "tier", "model", "models", "judges", "combine", "temperature", "system", "scale", "threshold", "criteria"}

func (r *reader) profile(f field) Profile {
	p := builtIn()
	p.Name = f.name
	if !isName(f.name) {
		r.problems.say(f.at, "invalid profile name %q; use letters, digits, - and _", shown(f.name))
	}
	if f.value.kind != object && f.value.kind != null {
		r.problems.say(f.value.at, "the profile %s must be an object, not %s", shown(f.name), f.value.kind)
	}
	// the scale first: thresholds are on it
	if s := f.value.get("scale"); s != nil {
		w, _ := s.word()
		if _, _, err := Scale(w).Bounds(); err != nil || w == "" {
			r.problems.say(s.at, `scale must be "0-1" or "1-5", not %s`, s.described())
		} else {
			p.Scale = Scale(w)
		}
	}
	lo, hi, _ := p.Scale.Bounds()
	p.Threshold = lo + defaultThreshold*(hi-lo)
	for _, f := range f.value.fields {
		switch f.name {
		case "scale":
		case "description":
			p.Description = r.text(f)
		case "tier":
			p.Tier = r.oneOf(f, "fast", "standard", "full")
		case "model", "models":
			p.Models = r.texts(f)
		case "judges":
			p.Judges = int(r.between(f, 1, 9))
		case "combine":
			p.Combine = r.oneOf(f, "median", "mean", "min")
		case "temperature":
			t := r.between(f, 0, 2)
			p.Temperature = &t
		case "system":
			p.System = r.text(f)
		case "threshold":
			p.Threshold = r.between(f, lo, hi)
		case "criteria":
			p.Criteria = r.criteria(f, lo, hi)
		default:
			r.problems.say(f.at, "a profile has no key %q%s", shown(f.name), Near(f.name, profileKeys[:]))
		}
	}
	return p
}

// criteria reads name → threshold, or name → {threshold, rubric}.
func (r *reader) criteria(f field, lo, hi float64) map[string]Criterion {
	if f.value.kind != object {
		r.problems.say(f.value.at, "criteria must be an object such as {accuracy: 0.8}, not %s", f.value.kind)
	}
	criteria := map[string]Criterion{}
	for _, f := range f.value.fields {
		if !isName(f.name) {
			r.problems.say(f.at, "invalid criterion name %q; use letters, digits, - and _", shown(f.name))
		}
		var c Criterion
		switch f.value.kind {
		case null:
		case str:
			c.Rubric = f.value.text
		case object:
			for _, f := range f.value.fields {
				switch f.name {
				case "threshold":
					t := r.between(f, lo, hi)
					c.Threshold = &t
				case "rubric":
					c.Rubric = r.text(f)
				default:
					r.problems.say(f.at, "a criterion has no key %q%s", shown(f.name), Near(f.name, []string{"threshold", "rubric"}))
				}
			}
		default:
			t := r.between(f, lo, hi)
			c.Threshold = &t
		}
		criteria[f.name] = c
	}
	return criteria
}

func (r *reader) oneOf(f field, allowed ...string) string {
	if w, _ := f.value.word(); slices.Contains(allowed, w) {
		return w
	}
	r.problems.say(f.value.at, "%s must be %s, not %s", f.name, strings.Join(allowed[:len(allowed)-1], ", ")+" or "+allowed[len(allowed)-1], f.value.described())
	return ""
}

func (r *reader) between(f field, lo, hi float64) float64 {
	if f.value.kind != number || f.value.number < lo || f.value.number > hi {
		r.problems.say(f.value.at, "%s must be a number from %v to %v, not %s", shown(f.name), lo, hi, f.value.described())
		return lo
	}
	if f.name == "judges" && f.value.number != float64(int(f.value.number)) {
		r.problems.say(f.value.at, "judges must be a whole number, not %s", f.value.text)
	}
	return f.value.number
}
