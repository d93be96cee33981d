package query

import (
	"fmt"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/worktree"
)

const exitWorktreeUsage = 2

func cleanupWave(c *call) result {
	wrong := func(format string, a ...any) result {
		fmt.Fprintf(c.Stderr, format+"\n", a...)
		return result{text: true, code: exitWorktreeUsage}
	}
	file := c.opt("manifest")
	if file == "" {
		return wrong("Usage: worktree cleanup-wave --manifest <file>")
	}
	b, err := plan.ReadFile(c.at(file))
	if err != nil {
		return wrong("Error: cannot read manifest: %v", err)
	}
	entries, err := worktree.ParseManifest(b)
	if err != nil {
		return wrong("Error: invalid manifest JSON: %v", err)
	}
	if len(entries) == 0 {
		return result{data: object{
			{"ok", false}, {"action", "cleanup_wave"}, {"reason", "empty_manifest"}, {"entries", []any{}},
		}, code: 1}
	}
	res := must.Get(worktree.Cleanup{Dir: c.Root}.Run(c.context, entries))
	done := each(res.Outcomes, outcome)
	out := result{data: object{
		{"ok", res.OK()}, {"action", "cleanup_wave"},
		{"plan", object{{"ok", true}, {"action", "cleanup_wave"}, {"entries", each(entries, manifestEntry)}}},
		{"result", object{{"ok", res.OK()}, {"entries", done}, {"pending", each(res.Pending, manifestEntry)}}},
		{"entries", done},
	}}
	if !res.OK() {
		out.code = 1
	}
	return out
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

func reapOrphans(c *call) result {
	orphans := must.Get(worktree.Reaper{Dir: c.Root}.Run(c.context))
	reaped := len(only(orphans, func(o worktree.Orphan) bool { return o.Status == worktree.Reaped }))
	entries := each(orphans, func(o worktree.Orphan) object {
		return object{{"path", o.Path}, {"status", o.Status}}.given("reason", string(o.Reason)).given("detail", o.Detail)
	})
	return data(object{{"ok", true}, {"reaped", reaped}, {"entries", entries}})
}
