package query

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
)

func commitDocs(c *call) result {
	r := commit.Request{
		Amend: c.given("amend"), NoVerify: c.given("no-verify"), Force: c.given("force"), Staged: c.given("respect-staged"),
	}
	words, files := c.words()
	r.Message, r.Paths = strings.Join(words, " "), files
	require(!(r.Message == "" && !r.Amend), missing, "commit message required")
	if r.Amend {
		r.Message = "" // the commit kept the message it had
	}
	s := c.settings()
	docs, _ := s.Value("commit_docs")
	if docs.Any == false && !r.Force {
		reason := "skipped_commit_docs_false"
		if docs.Source.Kind == settings.GitIgnore {
			reason = "skipped_gitignored"
		}
		return notCommitted(reason, "skipped")
	}
	var res *commit.Result
	err := must.Catch(func() {
		must.OK(c.Merged(c.context)) // or the markers of a conflict would be in the history
		c.switchBranch(words, files)
		res = must.Get(commit.Do(c.context, c.Root, r))
	})
	switch {
	case err != nil:
		return dataRaw(object{{"committed", false}, {"hash", nil}, {"reason", "commit_failed"}, {"error", err.Error()}}, "failed")
	case res.Skipped == commit.SkipIgnored:
		return notCommitted("skipped_gitignored", "skipped")
	case res.Skipped != "":
		return notCommitted("nothing_to_commit", "nothing")
	}
	return dataRaw(object{
		{"committed", true}, {"hash", res.Hash}, {"reason", "committed"}, {"message", commit.Sanitize(strings.Join(words, " "))}, {"files", list(res.Files)},
	}, res.Hash)
}

func notCommitted(reason, raw string) result {
	return dataRaw(object{{"committed", false}, {"hash", nil}, {"reason", reason}}, raw)
}

// switchBranch checks out the branch that git.branching_strategy asks for,
// as the old commit did.
func (c *call) switchBranch(words, files []string) {
	if !git.Repo(c.Root) {
		return
	}
	branch := ""
	c.look(func(tx *plan.Tx) {
		if branch = commit.Branch(tx, files); branch != "" {
			return
		}
		// A message such as `docs(02-01): …` or `plan phase 2` is all that the old
		// commit went by.
		if id, ok := phaseInMessage(strings.Join(words, " ")); ok {
			branch = commit.BranchOf(settings.Load(tx), tx.Phase(id), "", "")
		}
	})
	if branch != "" {
		must.OK(commit.Switch(c.context, c.Root, branch))
	}
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

func checkCommit(c *call) result {
	if c.settings().Bool("commit_docs") {
		return dataRaw(object{{"allowed", true}, {"reason", "commit_docs_enabled"}}, "allowed")
	}
	var staged []string
	if git.Repo(c.Root) {
		staged = must.Get(commit.StagedPlanning(c.context, c.Root))
	}
	require(len(staged) == 0, "unknown", "commit_docs is false but .planning/ files are staged: %s. Unstage them with: git reset HEAD .planning/", strings.Join(staged, ", "))
	return dataRaw(object{{"allowed", true}, {"reason", "no_planning_files_staged"}}, "allowed")
}

func commitToSubrepo(c *call) result {
	words, files := c.words()
	message := strings.Join(words, " ")
	require(message != "", missing, "commit message required")
	repos := c.settings().SubRepos()
	require(len(repos) > 0, "unknown", "no sub_repos configured in .planning/config.json")
	require(len(files) > 0, missing, "--files required for commit-to-subrepo")
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
	return dataRaw(object{{"committed", committed}, {"repos", results}, {"unmatched", list(unmatched)}}, fmt.Sprint(committed))
}

func verifyCommits(c *call) result {
	require(len(c.args) > 0, missing, "At least one commit hash required")
	valid, invalid := commit.Verify(c.context, c.Root, c.args)
	return dataRaw(object{
		{"all_valid", len(invalid) == 0}, {"valid", list(valid)}, {"invalid", list(invalid)}, {"total", len(c.args)},
	}, validity(len(invalid) == 0))
}
