package query

import (
	"fmt"

	"cairn/internal/plan"
	"cairn/internal/plan/worktree"
)

var worktreeCommands = []command{
	{name: "worktree cleanup-wave", run: cleanupWave, bare: true},
	{name: "worktree reap-orphans", run: reapOrphans, bare: true},
}

const exitWorktreeUsage = 2

func cleanupWave(c *call) (result, error) {
	file, _ := c.flag("manifest")
	if file == "" {
		fmt.Fprintln(c.Stderr, "Usage: worktree cleanup-wave --manifest <file>")
		return result{text: true, code: exitWorktreeUsage}, nil
	}
	b, err := plan.ReadFile(c.fromHere(file))
	if err != nil {
		fmt.Fprintf(c.Stderr, "Error: cannot read manifest: %v\n", err)
		return result{text: true, code: exitWorktreeUsage}, nil
	}
	entries, err := worktree.ParseManifest(b)
	if err != nil {
		fmt.Fprintf(c.Stderr, "Error: invalid manifest JSON: %v\n", err)
		return result{text: true, code: exitWorktreeUsage}, nil
	}
	if len(entries) == 0 {
		return result{data: object{
			{"ok", false}, {"action", "cleanup_wave"}, {"reason", "empty_manifest"}, {"entries", []any{}},
		}, code: 1}, nil
	}
	res, err := worktree.Cleanup{Dir: c.Root}.Run(c.context, entries)
	if err != nil {
		return result{}, err
	}
	planned, done, pending := []object{}, []object{}, []object{}
	for _, e := range entries {
		planned = append(planned, manifestEntry(e))
	}
	for _, o := range res.Outcomes {
		done = append(done, outcome(o))
	}
	for _, e := range res.Pending {
		pending = append(pending, manifestEntry(e))
	}
	out := result{data: object{
		{"ok", res.OK()}, {"action", "cleanup_wave"},
		{"plan", object{{"ok", true}, {"action", "cleanup_wave"}, {"entries", planned}}},
		{"result", object{{"ok", res.OK()}, {"entries", done}, {"pending", pending}}},
		{"entries", done},
	}}
	if !res.OK() {
		out.code = 1
	}
	return out, nil
}

func manifestEntry(e worktree.Entry) object {
	return object{{"worktree_path", e.Path}, {"branch", e.Branch}, {"expected_base", e.Base}}
}

func outcome(o worktree.Outcome) object {
	out := manifestEntry(o.Entry).with("status", o.Status).
		given("reason", string(o.Reason)).given("warning", string(o.Warning)).given("detail", o.Detail)
	if len(o.Files) > 0 {
		out = out.with("files", o.Files)
	}
	return out
}

func reapOrphans(c *call) (result, error) {
	orphans, err := worktree.Reaper{Dir: c.Root}.Run(c.context)
	if err != nil {
		return result{}, err
	}
	entries, reaped := []object{}, 0
	for _, o := range orphans {
		e := object{{"path", o.Path}, {"status", o.Status}}.given("reason", string(o.Reason)).given("detail", o.Detail)
		if o.Status == worktree.Reaped {
			reaped++
		}
		entries = append(entries, e)
	}
	return data(object{{"ok", true}, {"reaped", reaped}, {"entries", entries}}), nil
}
