package query

import (
	"os"
	"strconv"
	"strings"

	"cairn/internal/plan/check"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
)

var verifyDocumentCommands = []command{
	{name: "verify plan-structure", run: verifyPlanStructure},
	{name: "verify references", run: verifyReferences},
	{name: "verify artifacts", run: verifyArtifacts},
	{name: "verify key-links", run: verifyKeyLinks},
	{name: "verify-summary|verify summary", run: verifySummary, bare: true},
	{name: "verify-path-exists|verify path-exists", run: verifyPathExists, needs: "path required for verification", bare: true},
}

// named reads the document that the first argument names. What is to be
// answered when there is none is in res, and t is nil.
func (c *call) named() (t *doc.Text, res result, err error) {
	if c.arg(0) == "" {
		return nil, res, fail("sdk_missing_arg", "file path required")
	}
	t, err = c.document(c.arg(0))
	if t == nil {
		res = notFound(c.arg(0))
	}
	return t, res, err
}

func verifyPlanStructure(c *call) (result, error) {
	t, res, err := c.named()
	if t == nil {
		return res, err
	}
	s := check.PlanStructure(t)
	valid := len(s.Errors) == 0
	return dataRaw(object{
		{"valid", valid}, {"errors", check.Texts(s.Errors)}, {"warnings", check.Texts(s.Warnings)},
		{"task_count", len(s.Tasks)}, {"tasks", list(s.Tasks)}, {"frontmatter_fields", list(s.Fields)},
	}, validity(valid)), nil
}

func verifyReferences(c *call) (result, error) {
	t, res, err := c.named()
	if t == nil {
		return res, err
	}
	r := check.LookUp(t, check.Dir(c.Root))
	valid := len(r.Missing) == 0
	return dataRaw(object{{"valid", valid}, {"found", r.Found}, {"missing", r.Missing}, {"total", r.Total}}, validity(valid)), nil
}

func verifyArtifacts(c *call) (result, error) {
	t, res, err := c.named()
	if t == nil {
		return res, err
	}
	artifacts := check.Artifacts(doc.ReadPlan(t).MustHaves, check.Dir(c.Root))
	if len(artifacts) == 0 {
		return data(object{{"error", "No must_haves.artifacts found in frontmatter"}, {"path", c.arg(0)}}), nil
	}
	passed := 0
	for _, a := range artifacts {
		if a.Passed {
			passed++
		}
	}
	all := passed == len(artifacts)
	return dataRaw(object{{"all_passed", all}, {"passed", passed}, {"total", len(artifacts)}, {"artifacts", artifacts}}, validity(all)), nil
}

func verifyKeyLinks(c *call) (result, error) {
	t, res, err := c.named()
	if t == nil {
		return res, err
	}
	links := check.Links(doc.ReadPlan(t).MustHaves, check.Dir(c.Root))
	if len(links) == 0 {
		return data(object{{"error", "No must_haves.key_links found in frontmatter"}, {"path", c.arg(0)}}), nil
	}
	verified := 0
	for _, l := range links {
		if l.Verified {
			verified++
		}
	}
	all := verified == len(links)
	return dataRaw(object{{"all_verified", all}, {"verified", verified}, {"total", len(links)}, {"links", links}}, validity(all)), nil
}

func verifySummary(c *call) (result, error) {
	most := 2
	if text, ok := c.flag("check-count"); ok {
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			most = n
		}
	}
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "summary-path required")
	}
	t, err := c.document(c.arg(0))
	if err != nil {
		return result{}, err
	}
	exists := t != nil
	if !exists {
		t = doc.New()
	}
	committed := func(hash string) bool { return commit.Exists(c.context, c.Root, hash) }
	s := check.Verify(t, check.Dir(c.Root), committed, most)
	errs := []string{}
	switch {
	case !exists:
		errs = append(errs, "SUMMARY.md not found")
	default:
		if len(s.Missing) > 0 {
			errs = append(errs, "Missing files: "+strings.Join(s.Missing, ", "))
		}
		if len(s.Hashes) > 0 && !s.Commits {
			errs = append(errs, "Referenced commit hashes not found in git history")
		}
		if s.SelfCheck == check.SelfFailed {
			errs = append(errs, "Self-check section indicates failure")
		}
	}
	passed := exists && s.Passed()
	return dataRaw(object{
		{"passed", passed},
		{"checks", object{
			{"summary_exists", exists},
			{"files_created", object{{"checked", s.Checked}, {"found", s.Found}, {"missing", s.Missing}}},
			{"commits_exist", s.Commits}, {"self_check", s.SelfCheck},
		}},
		{"errors", errs},
	}, either(passed, "passed", "failed")), nil
}

func verifyPathExists(c *call) (result, error) {
	abs, err := c.path(c.arg(0))
	if err != nil {
		return result{}, err
	}
	fi, err := os.Stat(abs)
	if err != nil {
		return dataBool(object{{"exists", false}, {"type", nil}}, false), nil
	}
	kind := "other"
	switch {
	case fi.IsDir():
		kind = "directory"
	case fi.Mode().IsRegular():
		kind = "file"
	}
	return dataBool(object{{"exists", true}, {"type", kind}}, true), nil
}
