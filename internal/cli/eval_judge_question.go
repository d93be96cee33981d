package cli

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

// question is what all questions have in common: what the profile says, and
// flags before it.
func (o *evalJudgeOptions) question(env *Env) (q judge.Question, err error) {
	profile, err := o.judgeProfile(env)
	if err != nil {
		return q, err
	}
	criteria := map[string]float64{}
	for name := range profile.Criteria {
		criteria[name] = profile.ThresholdOf(name)
	}
	given, err := parseCriteria(o.criteria)
	if err != nil {
		return q, err
	}
	if len(given) > 0 {
		clear(criteria)
	}
	for _, c := range given {
		if criteria[c.name] = profile.ThresholdOf(c.name); c.given {
			criteria[c.name] = c.threshold
		}
	}
	if len(criteria) == 0 {
		return q, command.Usage(term.Hint(errors.New("no criteria to judge by"), "--criteria accuracy=0.8,completeness, or a --profile that has some"))
	}
	if !slices.Contains(judge.Kinds[:], o.kind) {
		return q, command.Usage(term.Hint(fmt.Errorf("--type %q is not known", o.kind), "%s", strings.Join(judge.Kinds[:], ", ")))
	}
	if o.judges < 0 || o.judges > 9 {
		return q, command.Usage(errors.New("--judges is from 1 to 9"))
	}
	if q, err = profileQuestion(env, profile, criteria, o.tier); err != nil {
		return q, err
	}
	q.Type = o.kind
	if len(o.models) > 0 {
		q.Models = o.models
	}
	if o.judges > 0 {
		q.Judges = o.judges
	}
	if o.combine != "" {
		q.Combine = o.combine
	}
	if o.rubric != "" {
		data, err := atomicfile.ReadFile(env.Path(o.rubric), maxRubric)
		if err != nil {
			return q, command.Data(err)
		}
		q.System = strings.TrimSpace(q.System + "\n\n" + string(data))
	}
	return q, command.Usage(q.Check())
}

// judgeProfile reads the profile that is named, or the usual one.
func (o *evalJudgeOptions) judgeProfile(env *Env) (cases.Profile, error) {
	profiles, problems, err := readProfiles(env, o.profiles)
	if err != nil {
		return cases.Profile{}, command.Data(err)
	}
	if wrong := problems.Errors(); len(wrong) > 0 {
		return cases.Profile{}, command.Data(errors.New(term.Printable(wrong.Error())))
	}
	profile, ok := profiles.Find(o.profile)
	if !ok {
		return profile, command.Usage(term.Hint(fmt.Errorf("no judge profile is called %q", o.profile), "profiles are in .cairn/judge-profiles.yaml of the repository, or in a file that --profiles names"))
	}
	return profile, nil
}

// A givenCriterion is one of the flag: NAME or NAME=THRESHOLD.
type givenCriterion struct {
	name      string
	threshold float64
	given     bool
}

func parseCriteria(list []string) (criteria []givenCriterion, err error) {
	seen := map[string]bool{}
	for _, text := range list {
		name, value, given := strings.Cut(text, "=")
		c := givenCriterion{name: strings.TrimSpace(name), given: given}
		if given {
			if c.threshold, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || !(c.threshold >= 0) {
				return nil, command.Usagef("--criteria %s: %q is no score", text, value)
			}
		}
		if c.name == "" || seen[c.name] {
			return nil, command.Usagef("--criteria: %q is empty or stands twice", text)
		}
		seen[c.name] = true
		criteria = append(criteria, c)
	}
	return criteria, nil
}

// questions are those of the results that can be judged, and where each is.
func (o *evalJudgeOptions) questions(env *Env, run *result.Run, like judge.Question) (at []int, questions []judge.Question, err error) {
	empty, wanted := 0, map[string]bool{}
	for _, name := range o.only {
		wanted[name] = false
	}
	for i := range run.Results {
		r := &run.Results[i]
		if len(o.only) > 0 {
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
		if o.limit > 0 && len(at) == o.limit {
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
	for _, name := range o.only {
		if !wanted[name] {
			return nil, nil, command.Usage(term.Hint(fmt.Errorf("no result is called %q", name), "cairn eval show --all lists them"))
		}
	}
	if empty > 0 {
		term.Warn(env.Stderr, "%d results have no output and are not judged", empty)
	}
	if len(at) == 0 {
		return nil, nil, command.Data(term.Hint(errors.New("there is nothing to judge: no result has an output"), `a runner writes it as "output": {"response": …}; cairn eval schema prints the format`))
	}
	return at, questions, nil
}
