package query

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
)

var commitCommands = []command{
	{name: "commit", run: commitDocs},
	{name: "check-commit", run: checkCommit},
	{name: "commit-to-subrepo", run: commitToSubrepo},
	{name: "verify commits", run: verifyCommits},
}

func commitDocs(c *call) (result, error) {
	r := commit.Request{
		Amend: c.switched("amend"), NoVerify: c.switched("no-verify"), Force: c.switched("force"), Staged: c.switched("respect-staged"),
	}
	words, files := c.words()
	r.Message, r.Paths = strings.Join(words, " "), files
	if r.Message == "" && !r.Amend {
		return result{}, fail("sdk_missing_arg", "commit message required")
	}
	if r.Amend {
		r.Message = "" // the commit kept the message it had
	}
	s, err := c.settings()
	if err != nil {
		return result{}, err
	}
	docs, _ := s.Value("commit_docs")
	if docs.Any == false && !r.Force {
		reason := "skipped_commit_docs_false"
		if docs.Source.Kind == settings.GitIgnore {
			reason = "skipped_gitignored"
		}
		return notCommitted(reason, "skipped"), nil
	}
	if err := c.switchBranch(words, files); err != nil {
		return commitFailed(err), nil
	}
	res, err := commit.Do(c.context, c.Root, r)
	switch {
	case err != nil:
		return commitFailed(err), nil
	case res.Skipped == commit.SkipIgnored:
		return notCommitted("skipped_gitignored", "skipped"), nil
	case res.Skipped != "":
		return notCommitted("nothing_to_commit", "nothing"), nil
	}
	return dataRaw(object{
		{"committed", true}, {"hash", res.Hash}, {"reason", "committed"}, {"message", commit.Sanitize(strings.Join(words, " "))}, {"files", list(res.Files)},
	}, res.Hash), nil
}

func notCommitted(reason, raw string) result {
	return dataRaw(object{{"committed", false}, {"hash", nil}, {"reason", reason}}, raw)
}

func commitFailed(err error) result {
	return dataRaw(object{{"committed", false}, {"hash", nil}, {"reason", "commit_failed"}, {"error", err.Error()}}, "failed")
}

// switchBranch checks out the branch that git.branching_strategy asks for,
// as the old commit did.
func (c *call) switchBranch(words, files []string) error {
	if !git.Repo(c.Root) {
		return nil
	}
	var branch string
	err := c.View(func(tx *plan.Tx) (err error) {
		branch, err = commit.Branch(tx, files)
		if err != nil || branch != "" {
			return err
		}
		return c.branchOfMessage(tx, words, &branch)
	})
	if err != nil || branch == "" {
		return err
	}
	return commit.Switch(c.context, c.Root, branch)
}

// branchOfMessage takes the phase from a message such as `docs(02-01): …` or
// `plan phase 2`, which is all the old commit went by.
func (c *call) branchOfMessage(tx *plan.Tx, words []string, branch *string) error {
	id, ok := phaseInMessage(strings.Join(words, " "))
	if !ok {
		return nil
	}
	p, err := tx.Phase(id)
	*branch = commit.BranchOf(settings.Load(tx), p, "", "")
	return err
}

func phaseInMessage(message string) (doc.PhaseID, bool) {
	subject, _, _ := strings.Cut(message, "\n")
	if _, after, ok := strings.Cut(subject, "("); ok {
		scope, _, closed := strings.Cut(after, ")")
		number, _, _ := strings.Cut(strings.TrimPrefix(scope, "phase-"), "-")
		if id, ok := doc.ParsePhaseID(number); ok && closed && id.Number >= 0 {
			return id, true
		}
	}
	words := strings.Fields(strings.ToLower(subject))
	if i := slices.Index(words, "phase"); i >= 0 && i+1 < len(words) {
		id, ok := doc.ParsePhaseID(strings.TrimRight(words[i+1], ":,."))
		return id, ok && id.Number >= 0
	}
	return doc.PhaseID{}, false
}

func checkCommit(c *call) (result, error) {
	s, err := c.settings()
	if err != nil {
		return result{}, err
	}
	if s.Bool("commit_docs") {
		return dataRaw(object{{"allowed", true}, {"reason", "commit_docs_enabled"}}, "allowed"), nil
	}
	var staged []string
	if git.Repo(c.Root) {
		if staged, err = commit.StagedPlanning(c.context, c.Root); err != nil {
			return result{}, err
		}
	}
	if len(staged) > 0 {
		return result{}, fail("unknown", "commit_docs is false but .planning/ files are staged: %s. Unstage them with: git reset HEAD .planning/", strings.Join(staged, ", "))
	}
	return dataRaw(object{{"allowed", true}, {"reason", "no_planning_files_staged"}}, "allowed"), nil
}

func commitToSubrepo(c *call) (result, error) {
	words, files := c.words()
	message := strings.Join(words, " ")
	if message == "" {
		return result{}, fail("sdk_missing_arg", "commit message required")
	}
	s, err := c.settings()
	if err != nil {
		return result{}, err
	}
	repos := s.SubRepos()
	switch {
	case len(repos) == 0:
		return result{}, fail("unknown", "no sub_repos configured in .planning/config.json")
	case len(files) == 0:
		return result{}, fail("sdk_missing_arg", "--files required for commit-to-subrepo")
	}
	in, unmatched := commit.ByRepo(repos, files)
	results, committed := object{}, false
	for _, repo := range repos {
		if in[repo] == nil {
			continue
		}
		res, err := commit.DoIn(c.context, c.Root, repo, commit.Request{Message: message, Paths: in[repo]})
		var hash any
		reason, done := "", []string{}
		switch {
		case err != nil:
			reason = "error"
			fmt.Fprintf(c.Stderr, "Warning: %s: %v\n", repo, err)
		case res.Hash == "":
			reason = "nothing_to_commit"
		default:
			committed, hash, done = true, res.Hash, res.Files
		}
		results = results.with(repo, object{{"committed", hash != nil}, {"hash", hash}, {"files", done}, {"reason", orNull(reason)}})
	}
	return dataRaw(object{{"committed", committed}, {"repos", results}, {"unmatched", list(unmatched)}}, fmt.Sprint(committed)), nil
}

func verifyCommits(c *call) (result, error) {
	if len(c.args) == 0 {
		return result{}, fail("sdk_missing_arg", "At least one commit hash required")
	}
	valid, invalid := commit.Verify(c.context, c.Root, c.args)
	return dataRaw(object{
		{"all_valid", len(invalid) == 0}, {"valid", list(valid)}, {"invalid", list(invalid)}, {"total", len(c.args)},
	}, validity(len(invalid) == 0)), nil
}
