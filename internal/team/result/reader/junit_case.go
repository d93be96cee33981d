package reader

import (
	"encoding/xml"
	"strings"

	"cairn/internal/team/result"
)

// testcase reads one case: the attempts that a rerun replaced, and the one that
// counts.
func (j *junit) testcase(e xml.StartElement) error {
	class := oneLine(attr(e, "classname"), mostName)
	r := result.Result{Suite: j.place(class), Name: oneLine(attr(e, "name"), 2*mostName)}
	if r.Name == "" {
		if r.Name = class; r.Name == "" {
			return j.x.say("a testcase without a name")
		}
	}
	if j.run.Tool == "promptfoo" {
		if provider, prompt, ok := strings.Cut(class, "] "); ok && strings.HasPrefix(provider, "[") {
			r.Suite, r.Variant = "", provider[1:]+" · "+prompt
		}
	}
	if seconds, ok := number(strings.ReplaceAll(attr(e, "time"), ",", "")); ok {
		r.DurationMS = max(0, seconds*1000)
	}
	r.Set(result.Pass)
	if s := attr(e, "status"); s == "notrun" || s == "disabled" || s == "skipped" {
		r.Set(result.Skip) // GoogleTest
	}
	var f figures
	var before, after []result.Result // other attempts
	for depth := j.x.depth; j.x.depth >= depth; {
		t, err := j.x.next()
		if err != nil {
			return j.x.early(err)
		}
		child, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch name := child.Name.Local; name {
		case "properties":
			err = j.properties(&f)
		case "skipped":
			if r.Status == result.Pass {
				r.Set(result.Skip)
			}
			err = j.x.skip()
		case "failure", "error", "flakyFailure", "flakyError", "rerunFailure", "rerunError":
			var why string
			if why, err = j.why(child); err != nil {
				return err
			}
			switch name {
			case "failure":
				if r.Status != result.Error {
					fail(&r, why)
				}
			case "error":
				r.Set(result.Error)
				r.Error = why
			case "flakyFailure", "rerunFailure":
				other := attempt(&r)
				fail(&other, why)
				if name == "flakyFailure" {
					before = append(before, other)
				} else {
					after = append(after, other)
				}
			default:
				other := attempt(&r)
				other.Set(result.Error)
				other.Error = why
				if name == "flakyError" {
					before = append(before, other)
				} else {
					after = append(after, other)
				}
			}
		default: // system-out, system-err
			err = j.x.skip()
		}
		if err != nil {
			return err
		}
	}
	f.apply(&r, j.c)
	j.rerun += len(before) + len(after)
	j.run.Results = append(append(append(j.run.Results, before...), r), after...)
	return nil
}

// attempt is another try of the same case.
func attempt(r *result.Result) result.Result {
	return result.Result{Suite: r.Suite, Name: r.Name, Variant: r.Variant}
}

func fail(r *result.Result, why string) {
	r.Set(result.Fail)
	if len(r.Failures) < 100 {
		r.Failures = append(r.Failures, result.Failure{Message: why})
	}
}

// why reads a failure's message: the attribute, and the text where that says
// more than a word.
func (j *junit) why(e xml.StartElement) (string, error) {
	said := message(attr(e, "message"))
	inside, err := j.x.text(4 * mostMessage)
	if err != nil {
		return "", err
	}
	inside = message(inside)
	switch {
	case said == "":
		said = inside
	case len(said) < 40 && !strings.Contains(inside, said) && inside != "":
		said = message(said + "\n" + inside)
	}
	if said == "" {
		if said = message(attr(e, "type")); said == "" {
			said = "failed without a message"
		}
	}
	return said, nil
}
