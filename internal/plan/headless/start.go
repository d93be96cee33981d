package headless

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/alive"
	"cairn/internal/git"
	"cairn/internal/plan/drive"
	"cairn/internal/term"
)

// start runs an agent and reads what it left. It writes into a file, not to us: killed, we
// lose nothing of it. It gets its prompt when the ledger has it: killed before, it has
// nothing to work on and costs nothing. Past the patience it is ended.
func (r *Runner) start(ctx context.Context, a drive.Agent, prompt string) (Entry, error) {
	out, err := r.ledger.out(a.Role, cmp.Or(a.Plan, "phase"))
	if err != nil {
		return Entry{}, err
	}
	defer out.Close()
	if err := os.WriteFile(out.Name()+".prompt", []byte(prompt), 0o600); err != nil {
		return Entry{}, err
	}
	stdin, give, err := os.Pipe()
	if err != nil {
		return Entry{}, err
	}
	defer give.Close()
	defer stdin.Close()
	var repo []string
	if tree := cmp.Or(a.Tree, r.Root); git.Repo(tree) {
		own, common := git.Dir(tree)
		repo = slices.Compact([]string{own, common})
	}
	cmd := exec.Command(r.CLI.Name, r.CLI.Args(Grant{Model: a.Model, Free: r.Free, Allow: r.Allow, Repo: repo})...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout = cmp.Or(a.Tree, r.Root), r.Env, stdin, out
	said, err := os.Create(out.Name() + ".err")
	if err != nil {
		return Entry{}, err
	}
	defer said.Close()
	cmd.Stderr = said
	apart(cmd)
	e := Entry{At: time.Now().UTC().Truncate(time.Millisecond), Role: a.Role, Plan: a.Plan, Agent: r.CLI.Name, Model: a.Model, Out: r.ledger.rel(out.Name())}
	if err := cmd.Start(); err != nil {
		return Entry{}, fmt.Errorf("%s cannot be started: %w", r.CLI.Name, err)
	}
	e.PID = cmd.Process.Pid
	if err := r.ledger.write(e); err != nil {
		return Entry{}, errors.Join(err, end(cmd.Process))
	}
	go func() { // an agent that reads nothing more is none of our troubles
		_, _ = give.WriteString(prompt)
		_ = give.Close()
	}()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	timer := time.NewTimer(r.Patience)
	defer timer.Stop()
	late := ""
	var ended error
	select {
	case ended = <-done:
	case <-timer.C:
		late = "blocked — it did not end within " + r.Patience.String()
	case <-ctx.Done():
		late = "blocked — interrupted"
	}
	if late != "" {
		_ = end(cmd.Process)
		<-done
	}
	return r.read(e, late, ended)
}

// read completes an entry from what the agent wrote. ended is how its process did, nil
// where nobody saw that.
func (r *Runner) read(e Entry, late string, ended error) (Entry, error) {
	name := filepath.Join(r.ledger.dir, e.Out)
	data, err := os.ReadFile(name)
	if err != nil {
		return e, err
	}
	text, usd, failed := r.CLI.Read(data)
	text = term.Text(text)
	e.Text, e.USD, e.Result, e.Ended = text, usd, resultOf(text), true
	e.Seconds = int(time.Since(e.At).Round(time.Second) / time.Second)
	switch {
	case late != "":
		e.Result = late
	case e.Result == "" && failed:
		complaint, _ := os.ReadFile(name + ".err")
		said := cmp.Or(lastLine(term.Text(string(complaint))), lastLine(text))
		if said == "" {
			said = "it wrote nothing"
			if ended != nil {
				said += ", " + ended.Error()
			}
		}
		e.Result = "blocked — the agent failed: " + said
	case e.Result == "":
		e.Result = "blocked — it ended without a result: " + lastLine(text)
	}
	return e, r.ledger.write(e)
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.ToValidUTF8(line[:min(len(line), 300)], "")
}

// strangers waits for agents that a killed run of another phase left at work in this
// checkout. What came of them is read by the next run of that phase.
func (r *Runner) strangers(ctx context.Context) {
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(r.ledger.dir), "run-*.jsonl"))
	for _, name := range names {
		if r.DryRun || name == r.ledger.dir+".jsonl" {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		open, _, _ := readEntries(f)
		_ = f.Close()
		for _, e := range open {
			r.outlast(ctx, e)
		}
	}
}

// outlast waits for an agent of a run that was killed, and ends it when that takes too
// long; late says why.
func (r *Runner) outlast(ctx context.Context, e Entry) (late string) {
	name := strings.TrimSpace(e.Role + " " + e.Plan)
	if alive.Process(e.PID) {
		r.Say("wait   %s, of a run that was killed", name)
		r.Work(name, false)
		defer r.Work(name, true)
	}
	for alive.Process(e.PID) && late == "" {
		select {
		case <-ctx.Done():
			late = "blocked — interrupted"
		case <-time.After(time.Second):
			if time.Since(e.At) > r.Patience {
				late = "blocked — it did not end within " + r.Patience.String()
			}
		}
	}
	if late != "" {
		if p, err := os.FindProcess(e.PID); err == nil {
			_ = end(p)
		}
	}
	return late
}

// orphans waits for agents of a killed run of this phase, and returns what came of them.
func (r *Runner) orphans(ctx context.Context) (said []drive.Said) {
	for _, e := range r.ledger.open {
		late := r.outlast(ctx, e)
		done, err := r.read(e, late, nil)
		if err != nil {
			r.Say("note   what %s left cannot be read: %v", e.Role, err)
			continue
		}
		if s := hear(e.Role, cmp.Or(e.Plan, e.Role), done); s != nil {
			said = append(said, *s)
		}
	}
	return said
}
