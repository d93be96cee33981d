package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/check"
	"cairn/internal/plan/doc"
)

func planTaskStructure(c *call, t *doc.Text) result {
	p, tasks, checkpoints := doc.ReadPlan(t), []object{}, []object{}
	for i, k := range p.Tasks {
		o := object{{"index", i + 1}, {"type", cmp.Or(k.Type, "auto")}, {"name", k.Name}}
		tasks = append(tasks, slices.Clip(o).with("is_checkpoint", k.Checkpoint()))
		if k.Checkpoint() {
			checkpoints = append(checkpoints, o)
		}
	}
	return data(object{
		{"path", c.arg(0)}, {"plan", p.Plan}, {"phase", p.Phase}, {"wave", max(p.Wave, 1)}, {"depends_on", list(p.DependsOn)},
		{"autonomous", p.Autonomous}, {"task_count", len(tasks)}, {"checkpoint_count", len(checkpoints)},
		{"tasks", tasks}, {"checkpoints", checkpoints},
	})
}

func summaryExtract(c *call, t *doc.Text) result {
	s := doc.ReadSummary(t)
	decisions := each(s.Decisions, func(d doc.Decided) object {
		return object{{"summary", d.Summary}, {"rationale", orNull(d.Rationale)}}
	})
	var keyFiles any = []string{}
	for _, key := range []string{"key-files", "key_files"} {
		if n := t.Front().Get(key); n != nil && n.JSON() != nil {
			keyFiles = n.JSON()
			break
		}
	}
	o := object{
		{"path", c.arg(0)}, {"one_liner", orNull(s.OneLiner)}, {"key_files", keyFiles}, {"tech_added", list(s.TechAdded)},
		{"patterns", list(s.Patterns)}, {"decisions", decisions}, {"requirements_completed", list(s.Requirements)},
	}
	if c.opt("fields") == "" {
		return data(o)
	}
	some := o[:1:1]
	for field := range strings.SplitSeq(c.opt("fields"), ",") {
		field = strings.TrimSpace(field)
		if i := slices.IndexFunc(o, func(m member) bool { return m.key == field }); i > 0 {
			some = append(some, o[i])
		}
	}
	return data(some)
}

func taskIsBehaviorAdding(c *call) result {
	content := c.opt("task-content")
	if !c.given("task-content") {
		require(c.arg(0) != "", missing, "file path required")
		content = c.document(c.arg(0)).String()
	}
	k, ok := doc.ReadTask(content)
	b := check.TaskBehavior(k)
	reason := b.Reason()
	if !ok {
		reason = "there is no <task>"
	}
	return dataBool(object{
		{"is_behavior_adding", b.Adds()},
		{"checks", object{{"tdd_true", b.TDD}, {"has_behavior", b.Says}, {"has_source_files", b.Source}}},
		{"reason", reason},
	}, b.Adds())
}

func userStoryValidate(c *call) result {
	text := c.opt("story")
	if !c.given("story") {
		text = strings.Join(c.args, " ")
	}
	require(strings.TrimSpace(text) != "", missing, "user story text required")
	s, errs := check.ParseStory(text)
	return dataRaw(object{
		{"valid", len(errs) == 0},
		{"slots", object{{"role", orNull(s.Role)}, {"capability", orNull(s.Capability)}, {"outcome", orNull(s.Outcome)}}},
		{"errors", list(errs)},
	}, validity(len(errs) == 0))
}

func uatRenderCheckpoint(c *call) result {
	name := c.opt("file")
	require(name != "", missing, "UAT file required: use uat render-checkpoint --file <path>")
	t := c.find(name)
	require(t != nil, "unknown", "UAT file not found: %s", name)
	test, ok := t.CurrentTest()
	require(ok, "unknown", "UAT file is missing a Current Test section")
	require(!test.Complete, "unknown", "UAT session is already complete; no pending checkpoint to render")
	box := checkpoint(test)
	return dataRaw(object{{"file_path", name}, {"test_number", test.Number}, {"test_name", test.Name}, {"checkpoint", box}}, box)
}

// checkpoint prints what a person is asked to try.
func checkpoint(test doc.UATCurrent) string {
	const width = 62
	title := []rune(fmt.Sprintf("  CHECKPOINT: Test %d", test.Number))
	bar := strings.Repeat("═", width)
	return "╔" + bar + "╗\n║" + string(title) + strings.Repeat(" ", width-len(title)) + "║\n╚" + bar + "╝\n\n" +
		fmt.Sprintf("**Test %d: %s**\n\n%s\n\n", test.Number, test.Name, test.Expected) +
		strings.Repeat("─", width) + "\nDoes it? Answer `pass`, or say what you see instead.\n" + strings.Repeat("─", width)
}
