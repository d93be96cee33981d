package headless

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/internal/term"
)

// ship opens the pull request of a complete phase where a person has allowed that, else
// says how. Called again it finds the one that is open.
func (r *Runner) ship(ctx context.Context, rep *Report) {
	pr := must.Get(drive.Ship(ctx, r.Workspace, *r.phase))
	rep.Pull = pr
	if r.Ship && !pr.Feature && pr.Branch != "" { // the commits come along
		must.OK(commit.Switch(ctx, r.Root, pr.Name))
		r.Say("did    git switch -c %s", pr.Name)
		pr = must.Get(drive.Ship(ctx, r.Workspace, *r.phase))
		rep.Pull = pr
	}
	create := []string{"gh", "pr", "create", "--base", pr.Base, "--title", pr.Title, "--body-file", pr.Body}
	if !r.Ship || len(pr.Unmet) > 0 {
		for _, m := range pr.Unmet {
			rep.Then = append(rep.Then, m.ID+": "+m.Text+": "+strings.Join(m.Remedies, "; "))
		}
		if r.Ship {
			rep.Done = false
			rep.Then = append(rep.Then, r.again())
			r.leave(rep, drive.Question{ID: "ship", Type: "human-action", Question: "the phase is complete, and its pull request cannot be opened yet"})
			return
		}
		rep.Then = append(rep.Then, "git push -u origin HEAD", shown(create))
		return
	}
	if out, err := r.do(ctx, "git", "push", "-u", "origin", "HEAD"); err != nil {
		r.stopped(rep, "git push -u origin HEAD", out, err)
		return
	}
	r.Say("did    git push -u origin HEAD")
	if !pr.GitHub {
		rep.Done = false
		rep.Then = append(rep.Then, shown(create))
		r.leave(rep, drive.Question{ID: "ship", Type: "human-action", Question: "the branch " + pr.Branch + " is pushed, and gh is not installed: open the pull request where the repository is; its text is in " + pr.Body})
		return
	}
	url, err := r.do(ctx, "gh", "pr", "list", "--head", pr.Branch, "--state", "open", "--json", "url", "--jq", ".[0].url")
	switch url = strings.TrimSpace(url); {
	case err != nil:
		r.stopped(rep, shown(create), url, err)
		return
	case url != "":
		if out, err := r.do(ctx, "gh", "pr", "edit", url, "--title", pr.Title, "--body-file", pr.Body); err != nil {
			r.stopped(rep, shown(create), out, err)
			return
		}
	default:
		out, err := r.do(ctx, create[0], create[1:]...)
		if err != nil {
			r.stopped(rep, shown(create), out, err)
			return
		}
		url = lastLine(out)
	}
	pr.URL = url
	r.Say("did    pull request %s", url)
	rep.Reached += ", " + url
	r.shipped(ctx, rep, pr)
}

// Unshipped returns the phase that runs have completed, and that a kill kept from being
// shipped.
func (r *Runner) Unshipped() (id doc.PhaseID, ok bool) {
	if !r.Ship {
		return id, false
	}
	must.OK(r.View(func(tx *plan.Tx) error {
		for _, p := range tx.Phases(plan.Current) {
			ran := tx.Has(r.Shared(".cairn", "run-"+p.ID.Padded()+".jsonl"))
			if ran && tx.Closed(p) && !tx.Has(r.Shared(".cairn", "ship-"+p.ID.Padded()+".json")) {
				id, ok = p.ID, true
			}
		}
		return nil
	}))
	return id, ok
}

// shipped records in the plan that the phase is under review, and writes the record that a
// team's server takes.
func (r *Runner) shipped(ctx context.Context, rep *Report, pr *drive.PullRequest) {
	number := r.number()
	record := map[string]any{"branch": pr.Branch, "pr_url": pr.URL}
	rel := r.Shared(".cairn", "ship-"+r.phase.Padded()+".json")
	must.Get(r.Update(ctx, "run", func(tx *plan.Tx) error {
		tx.Write(rel, append(must.Get(json.Marshal(record)), '\n'))
		if tx.Has(tx.Path("STATE.md")) {
			tx.EditState(func(s *plan.State) {
				s.SetActivity(time.Now().UTC().Format(time.DateOnly), "phase "+number+" shipped: "+pr.URL)
			})
		}
		return nil
	}))
	must.Get(drive.Commit(ctx, r.Workspace, commit.Request{Message: "docs(" + r.phase.Padded() + "): ship the phase", Paths: []string{plan.Planning}}))
	if out, err := r.do(ctx, "git", "push"); err != nil {
		r.stopped(rep, "git push", out, err)
		return
	}
	rep.Then = append(rep.Then, "cairn sync push-ship "+rel+", where a team keeps records")
}

// stopped leaves what a program of the person's said.
func (r *Runner) stopped(rep *Report, call, said string, err error) {
	rep.Done = false
	rep.Then = append(rep.Then, call, r.again())
	r.leave(rep, drive.Question{ID: "ship", Type: "human-action", Question: fmt.Sprintf("%s: %s", call, cmp.Or(lastLine(said), err.Error()))})
}

// do runs a program of the person's, as the person would: with hooks and credentials.
func (r *Runner) do(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.Root, r.Env, &out, &out
	err := cmd.Run()
	return term.Text(out.String()), err
}

// shown is a call as a person types it.
func shown(call []string) string {
	var b strings.Builder
	for i, word := range call {
		if i > 0 {
			b.WriteByte(' ')
		}
		if strings.ContainsAny(word, " \t'\"$`\\*?&|;<>()#!") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		b.WriteString(word)
	}
	return filepath.ToSlash(b.String())
}
