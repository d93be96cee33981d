package query

import (
	"os"
	"strconv"
	"strings"

	"cairn/internal/plan/check"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
)

func verifyPlanStructure(_ *call, t *doc.Text) result {
	s := check.PlanStructure(t)
	valid := len(s.Errors) == 0
	return dataRaw(object{
		{"valid", valid}, {"errors", check.Texts(s.Errors)}, {"warnings", check.Texts(s.Warnings)},
		{"task_count", len(s.Tasks)}, {"tasks", list(s.Tasks)}, {"frontmatter_fields", list(s.Fields)},
	}, validity(valid))
}

func verifyReferences(c *call, t *doc.Text) result {
	r := check.LookUp(t, check.Dir(c.Root))
	valid := len(r.Missing) == 0
	return dataRaw(object{{"valid", valid}, {"found", r.Found}, {"missing", r.Missing}, {"total", r.Total}}, validity(valid))
}

func verifyArtifacts(c *call, t *doc.Text) result {
	artifacts := check.Artifacts(doc.ReadPlan(t).MustHaves, check.Dir(c.Root))
	if len(artifacts) == 0 {
		return problem("No must_haves.artifacts found in frontmatter", member{"path", c.arg(0)})
	}
	passed := len(only(artifacts, func(a check.Artifact) bool { return a.Passed }))
	all := passed == len(artifacts)
	return dataRaw(object{{"all_passed", all}, {"passed", passed}, {"total", len(artifacts)}, {"artifacts", artifacts}}, validity(all))
}

func verifyKeyLinks(c *call, t *doc.Text) result {
	links := check.Links(doc.ReadPlan(t).MustHaves, check.Dir(c.Root))
	if len(links) == 0 {
		return problem("No must_haves.key_links found in frontmatter", member{"path", c.arg(0)})
	}
	verified := len(only(links, func(l check.Link) bool { return l.Verified }))
	all := verified == len(links)
	return dataRaw(object{{"all_verified", all}, {"verified", verified}, {"total", len(links)}, {"links", links}}, validity(all))
}

func verifySummary(c *call) result {
	most := 2
	if n, err := strconv.Atoi(c.opt("check-count")); err == nil && n > 0 {
		most = n
	}
	t := c.find(c.arg(0))
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
	}, either(passed, "passed", "failed"))
}

func verifyPathExists(c *call) result {
	abs := c.path(c.arg(0))
	fi, err := os.Stat(abs)
	if err != nil {
		return dataBool(object{{"exists", false}, {"type", nil}}, false)
	}
	kind := "other"
	switch {
	case fi.IsDir():
		kind = "directory"
	case fi.Mode().IsRegular():
		kind = "file"
	}
	return dataBool(object{{"exists", true}, {"type", kind}}, true)
}
