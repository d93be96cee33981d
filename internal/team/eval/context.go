package eval

import (
	"cmp"
	"path"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// A Context is what is known of a run from outside its file: where and when it
// was read, and what the environment says of it. What the file says wins.
type Context struct {
	Repo, Branch, SHA string
	Dirty             bool
	Committed         time.Time // when the commit SHA was made
	Hostname          string
	Time              time.Time // of the file, where the runner wrote none
	Label             string    // --label or EVAL_LABEL
	Scope, JudgeTier  string    // EVAL_TIER, EVAL_JUDGE_TIER
	Suite             string
}

// Before reports whether a run was made before the commit that is checked out.
func (c Context) Before(run *result.Run) bool {
	when := run.Timestamp.Time
	if when.IsZero() {
		when = c.Time
	}
	return when.Before(c.Committed)
}

// Fill completes a run from its context.
func (c Context) Fill(run *result.Run) {
	if run.GitSHA == "" && run.GitBranch == "" {
		run.GitSHA, run.GitBranch, run.GitDirty = c.SHA, c.Branch, c.Dirty
	}
	if run.Timestamp.IsZero() {
		run.Timestamp = result.Time{Time: c.Time.UTC().Truncate(time.Millisecond)}
	}
	run.Repo, run.Hostname, run.Suite = cmp.Or(run.Repo, c.Repo), cmp.Or(run.Hostname, c.Hostname), cmp.Or(run.Suite, c.Suite)
	run.Scope, run.JudgeTier = cmp.Or(run.Scope, c.Scope), cmp.Or(run.JudgeTier, c.JudgeTier)
	if c.Label != "" || run.Label == "" {
		run.Label = AutoLabel(c.Label, run.GitBranch, run.JudgeTier)
	}
}

const mostLabel = 200 // bytes

// AutoLabel is the label of a run: the one asked for or the branch's, and the
// judges' tier where that is not standard.
func AutoLabel(asked, branch, judgeTier string) string {
	label := cmp.Or(Sanitize(asked), Sanitize(branch), "run")
	label = label[:min(len(label), mostLabel)]
	if (judgeTier == "fast" || judgeTier == "full") && !strings.HasSuffix(label, "_"+judgeTier) {
		label += "_" + judgeTier
	}
	return label
}

// RepoSlug is owner/name of a remote's URL, "" when it names none.
func RepoSlug(remote string) string {
	remote = strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(remote), "/"), ".git")
	if _, rest, ok := strings.Cut(remote, "://"); ok {
		_, remote, _ = strings.Cut(rest, "/")
	} else if _, rest, ok := strings.Cut(remote, ":"); ok { // git@host:owner/name
		remote = rest
	}
	owner, name := path.Split(remote)
	owner = path.Base(strings.TrimSuffix(owner, "/"))
	if name == "" || owner == "." || owner == ".." || owner == "/" {
		return name
	}
	return owner + "/" + name
}

// Strip takes out what is not kept with results: transcripts.
func Strip(run *result.Run) {
	strip(&run.X)
	for i := range run.Results {
		strip(&run.Results[i].X)
	}
}

func strip(x *jsontext.Value) {
	if len(*x) == 0 || !strings.Contains(string(*x), `"transcript`) {
		return
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(*x, &members) != nil {
		return
	}
	delete(members, "transcript")
	delete(members, "transcripts")
	*x = nil
	if data, err := json.Marshal(members, json.Deterministic(true)); err == nil && len(members) > 0 {
		*x = data
	}
}
