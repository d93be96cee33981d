package cases

import (
	"fmt"
	"strings"
	"testing"
)

const strict = `
default: strict
profiles:
  strict:
    description: d
    tier: full
    models: [m1, m2]
    judges: 3
    combine: mean
    temperature: 0.2
    system: You judge.
    threshold: 0.75
    criteria:
      accuracy: {threshold: 0.8, rubric: r}
      tone: 0.6
      clear: Can a newcomer follow it?
  five: {scale: 1-5}
  default:
`

func TestReadProfiles(t *testing.T) {
	p, problems := ReadProfiles("p.yaml", []byte(strict))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s := p.Default()
	if s.Name != "strict" || s.Tier != "full" || len(s.Models) != 2 || s.Judges != 3 || s.Combine != "mean" || *s.Temperature != 0.2 || s.System != "You judge." {
		t.Errorf("%+v", s)
	}
	if got := fmt.Sprint(s.ThresholdOf("accuracy"), s.ThresholdOf("tone"), s.ThresholdOf("clear"), s.ThresholdOf("other")); got != "0.8 0.6 0.75 0.75" {
		t.Error(got)
	}
	if five, ok := p.Find("five"); !ok || five.Threshold != 1+0.7*4 || five.Judges != 1 {
		t.Errorf("%+v", five)
	}
	if _, ok := p.Find("none"); ok {
		t.Error("found what is not there")
	}
	var none *Profiles
	if d, ok := none.Find("default"); !ok || d.Threshold != 0.7 || d.Judges != 1 || d.Combine != "median" {
		t.Errorf("%+v", d)
	}
}

func TestProfileProblems(t *testing.T) {
	for yaml, want := range map[string]string{
		"":                                                "p: must hold one object with profiles",
		"profiles: []":                                    "p:1:11: profiles must be an object name → profile with at least one entry",
		"default: x\nprofiles: {strict: {}}":              `p:1:10: no judge profile "x"`,
		"profiles: {a b: {}}":                             `p:1:12: invalid profile name "a b"; use letters, digits, - and _`,
		"profiles: {a: {tear: full}}":                     `p:1:16: a profile has no key "tear"; did you mean "tier"`,
		"profiles: {a: {tier: big}}":                      `p:1:22: tier must be fast, standard or full, not the text "big"`,
		"profiles: {a: {judges: 2.5}}":                    "p:1:24: judges must be a whole number, not 2.5",
		"profiles: {a: {judges: 10}}":                     "p:1:24: judges must be a number from 1 to 9, not 10",
		"profiles: {a: {threshold: 7}}":                   "p:1:27: threshold must be a number from 0 to 1, not 7",
		"profiles: {a: {scale: ten}}":                     `p:1:23: scale must be "0-1" or "1-5", not the text "ten"`,
		"profiles: {a: {scale: 1-5, criteria: {x: 0.5}}}": "p:1:42: x must be a number from 1 to 5, not 0.5",
		"profiles: {a: {criteria: {x: {treshold: 1}}}}":   `p:1:31: a criterion has no key "treshold"; did you mean "threshold"`,
		"a: [": "p:1:4: invalid YAML: ",
	} {
		_, problems := ReadProfiles("p", []byte(yaml))
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want) {
			t.Errorf("%s:\n%v, want\n%s", yaml, problems, want)
		}
	}
}

// The profile's scale and criteria are those of the checks that name it.
func TestJudged(t *testing.T) {
	p, _ := ReadProfiles("p.yaml", []byte(strict))
	read := func(keys string) ([]Case, Problems) {
		return Read("f", []byte("name: a\nexpectations: [{type: quality_check"+keys+"}]"), specs, p)
	}
	for keys, want := range map[string]string{
		"": "map[accuracy:0.8 clear:0.75 tone:0.6]  ",
		", judge_profile: five, criteria: [x, y]": "map[x:3.8 y:3.8] five ",
		", criteria: fresh":                       "map[fresh:0.75]  ",
		", criteria: Is it fresh?":                "map[quality:0.75]  Is it fresh?",
	} {
		all, problems := read(keys)
		if len(problems) > 0 {
			t.Errorf("%s: %v", keys, problems)
			continue
		}
		j := all[0].Expectations[0].Judged
		if got := fmt.Sprint(j.Criteria, j.Profile, j.Prompt); fmt.Sprint(j.Criteria)+" "+j.Profile+" "+j.Prompt != want {
			t.Errorf("%s: %s, want %s", keys, got, want)
		}
	}
	for keys, want := range map[string]string{
		", judge_profile: strikt":                                     `no judge profile "strikt"; did you mean "strict"; p.yaml has strict, five, default`,
		", judge_profile: five, criteria: {x: 0}":                     "the threshold of x must be a number from 1 to 5, not 0",
		", judge_profile: five":                                       "quality_check needs criteria, or a judge_profile that has some",
		"}, {type: quality_check, judge_profile: five, criteria: [x]": `its judge's scale "1-5" is not the one of the case's other judges, "0-1"`,
	} {
		_, problems := read(keys)
		if len(problems) != 1 || problems[0].What != want {
			t.Errorf("%s: %v, want %s", keys, problems, want)
		}
	}
}

// Where nobody defined profiles, a case that says its own thresholds is graded
// by them; one that leaves them to the profile is not.
func TestProfileOfNobody(t *testing.T) {
	for criteria, warning := range map[string]bool{"{x: 0.8}": true, "{x: 0.8, y: }": false, "[x]": false} {
		all, problems := Read("f", []byte("name: a\nexpectations: [{type: quality_check, judge_profile: strict, criteria: "+criteria+"}]"), specs, nil)
		if len(problems) != 1 || problems[0].Warning != warning {
			t.Errorf("%s: %v", criteria, problems)
		} else if warning && all[0].Expectations[0].Judged.Criteria["x"] != 0.8 {
			t.Errorf("%s: %v", criteria, all[0].Expectations[0].Judged)
		}
	}
}
