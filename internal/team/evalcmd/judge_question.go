package evalcmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/team/cases"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

const maxRubric = 1 << 20

// commonQuestion is what all questions have in common: what the profile says, and
// flags before it.
func commonQuestion(c *command.Call) (q judge.Question, err error) {
	profile, err := judgeProfile(c)
	if err != nil {
		return q, err
	}
	given, err := parseCriteria(c.List("criteria"))
	if err != nil {
		return q, err
	}
	criteria := map[string]float64{}
	for name, threshold := range given {
		if criteria[name] = profile.ThresholdOf(name); threshold != nil {
			criteria[name] = *threshold
		}
	}
	for name := range profile.Criteria {
		if len(given) == 0 {
			criteria[name] = profile.ThresholdOf(name)
		}
	}
	judges, kind := c.Int("judges"), c.String("type")
	switch {
	case len(criteria) == 0:
		return q, command.Usage(term.Hint(errors.New("there are no criteria to judge by"), "--criteria accuracy=0.8,completeness, or a --profile that has some"))
	case !slices.Contains(judge.Kinds[:], kind):
		return q, command.Usagef("--type must be %s, not %q", strings.Join(judge.Kinds[:], ", "), kind)
	case judges > 9:
		return q, command.Usagef("--judges must be 1 to 9, not %d", judges)
	}
	if q, err = profileQuestion(c.Env, profile, criteria, c.String("tier")); err != nil {
		return q, err
	}
	q.Type = kind
	if models := c.List("model"); len(models) > 0 {
		q.Models = models
	}
	if judges > 0 {
		q.Judges = judges
	}
	if combine := c.String("combine"); combine != "" {
		q.Combine = combine
	}
	if rubric := c.String("rubric"); rubric != "" {
		data, err := atomicfile.ReadFile(c.Path(rubric), maxRubric)
		if err != nil {
			return q, command.Data(err)
		}
		q.System = strings.TrimSpace(q.System + "\n\n" + string(data))
	}
	return q, command.Usage(q.Check())
}

// judgeProfile reads the profile that is named, or the usual one.
func judgeProfile(c *command.Call) (cases.Profile, error) {
	profiles, problems, err := readProfiles(c.Env, c.String("profiles"))
	if err != nil {
		return cases.Profile{}, err
	}
	if wrong := problems.Errors(); len(wrong) > 0 {
		return cases.Profile{}, command.Data(errors.New(term.Printable(wrong.Error())))
	}
	profile, ok := profiles.Find(c.String("profile"))
	if !ok {
		return profile, command.Usage(term.Hint(fmt.Errorf("no judge profile is called %q", c.String("profile")), "profiles are in .cairn/judge-profiles.yaml of the repository, or in a file that --profiles names"))
	}
	return profile, nil
}

// parseCriteria reads NAME and NAME=THRESHOLD; nil is no threshold.
func parseCriteria(list []string) (map[string]*float64, error) {
	criteria := map[string]*float64{}
	for _, one := range list {
		name, value, given := strings.Cut(one, "=")
		name = strings.TrimSpace(name)
		if _, twice := criteria[name]; name == "" || twice {
			return nil, command.Usagef("--criteria: %q is empty or given twice", one)
		}
		criteria[name] = nil
		if given {
			threshold, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(threshold >= 0) {
				return nil, command.Usagef("--criteria %s: %q is not a score", one, value)
			}
			criteria[name] = &threshold
		}
	}
	return criteria, nil
}

// questions are those of the results that can be judged, and where each is.
func questionsOf(c *command.Call, run *result.Run, like judge.Question) (at []int, questions []judge.Question, err error) {
	only, limit := c.List("only"), c.Int("limit")
	empty, wanted := 0, map[string]bool{}
	for _, name := range only {
		wanted[name] = false
	}
	for i := range run.Results {
		r := &run.Results[i]
		if len(only) > 0 {
			_, byName := wanted[r.Name]
			_, byTitle := wanted[r.Title()]
			if !byName && !byTitle {
				continue
			}
			wanted[r.Name], wanted[r.Title()] = true, true
		}
		if r.Status == result.Skip || r.Status == result.Error && !judge.Unjudged(r) {
			continue
		}
		if limit > 0 && len(at) == limit {
			break
		}
		q := like
		q.CaseName, q.Output, q.Input = r.Title(), judge.OutputOf(r), judge.InputOf(r)
		if q.Output == "" {
			empty++
			continue
		}
		at, questions = append(at, i), append(questions, q)
	}
	for _, name := range only {
		if !wanted[name] {
			return nil, nil, command.Usage(term.Hint(fmt.Errorf("no result is called %q", name), "cairn eval show --all lists them"))
		}
	}
	if empty > 0 {
		term.Warn(c.Stderr, "%d results have no output and are not judged", empty)
	}
	if len(at) == 0 {
		return nil, nil, command.Data(term.Hint(errors.New("there is nothing to judge: no result has an output"), `a runner writes it as "output": {"response": …}; cairn eval schema prints the format`))
	}
	return at, questions, nil
}
