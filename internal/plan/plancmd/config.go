package plancmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/settings"
	"cairn/internal/term"
)

func configVerbs() []*command.Command {
	key := command.Arg{Name: "KEY", Help: "a dotted key, such as workflow.research; cairn plan config list shows all"}
	return []*command.Command{
		{
			Path: "plan config list", Short: "List every setting with its value and its source",
			Examples: []string{"cairn plan config list", "cairn plan config list --json"},
			Effect:   command.Reads, Run: anywhere(configList),
		},
		{
			Path: "plan config get", Args: []command.Arg{key}, Short: "Print the value of a setting",
			Long:     "Prints the value of a setting. Of a secret it prints the last characters only.",
			Examples: []string{"cairn plan config get workflow.research", "cairn plan config get model_overrides --json"},
			Effect:   command.Reads, Run: anywhere(configGet),
		},
		{
			Path: "plan config explain", Args: []command.Arg{key}, Short: "Explain a setting, its value and its source",
			Examples: []string{"cairn plan config explain commit_docs", "cairn plan config explain workflow.drift_action --ws side"},
			Effect:   command.Reads, Run: anywhere(configExplain),
		},
		{
			Path: "plan config set", Args: []command.Arg{key, {Name: "VALUE"}}, Short: "Change a setting",
			Long: "Changes a setting in .planning/config.json, or with --ws in that of the workstream.\n" +
				"Comments, order and indentation of the file are kept.",
			Examples: []string{"cairn plan config set model_profile quality", "cairn plan config set workflow.drift_threshold 5 --dry-run"},
			Effect:   command.Writes, Run: run(configSet),
		},
		{
			Path: "plan config unset", Args: []command.Arg{key}, Short: "Remove a setting, so that its default applies",
			Examples: []string{"cairn plan config unset workflow.research", "cairn plan config unset model_overrides.gsd-planner --dry-run"},
			Effect:   command.Writes, Run: run(configUnset),
		},
		{
			Path: "plan config profile", Args: []command.Arg{{Name: "PROFILE", Optional: true, Help: "quality, balanced, budget, adaptive or inherit"}},
			Short:    "Show which models the agents get, or choose another profile",
			Examples: []string{"cairn plan config profile", "cairn plan config profile budget"},
			Effect:   command.Writes, Run: run(configProfile),
		},
	}
}

// configRow is a setting as the verbs print it.
type configRow struct {
	Key     string          `json:"key"`
	Value   any             `json:"value"`
	Source  settings.Source `json:"source"`
	Default json.RawMessage `json:"default"`
	Expects string          `json:"expects"`
	Doc     string          `json:"doc"`
}

func rowOf(v settings.Value) configRow {
	deflt := json.RawMessage("null")
	if v.Row.Default != "" {
		deflt = json.RawMessage(v.Row.Default)
	}
	return configRow{
		Key: v.Key, Value: settings.Mask(v.Key, v.Any), Source: v.Source,
		Default: deflt, Expects: v.Row.Expects(), Doc: v.Row.Doc,
	}
}

// loadSettings reads the settings; a file that cannot be read is an error.
func (c *Call) loadSettings() (s *settings.Settings) {
	c.look(func(tx *plan.Tx) { s = settings.Load(tx) })
	must.OK(s.Err())
	return s
}

func configList(c *Call) *answer.Answer {
	s := c.loadSettings()
	out := struct {
		Settings []configRow `json:"settings"`
		Warnings []string    `json:"warnings"`
	}{Warnings: []string{}}
	for _, v := range s.Values() {
		out.Settings = append(out.Settings, rowOf(v))
	}
	for _, w := range s.Warnings() {
		out.Warnings = append(out.Warnings, w.String())
	}
	return &answer.Answer{Data: out, View: answer.Text(func(w io.Writer) {
		table("", out.Settings, func(r configRow) string {
			return fmt.Sprintf("%s\t%s\t%s", r.Key, plainText(r.Value), r.Source)
		})(w)
		for _, warning := range out.Warnings {
			fmt.Fprintf(w, "warning: %s\n", warning)
		}
	})}
}

func configGet(c *Call) *answer.Answer {
	s := c.loadSettings()
	key := c.Arg("KEY")
	var value any
	if v, ok := s.Value(key); ok {
		value = settings.Mask(key, v.Any)
	} else if value, ok = s.At(key); !ok { // an object, or a key that only the file has
		return fail(configError(settings.Unknown(key)))
	}
	return &answer.Answer{Data: value, View: answer.Text(func(w io.Writer) { fmt.Fprintln(w, plainText(value)) })}
}

func configExplain(c *Call) *answer.Answer {
	s := c.loadSettings()
	v, ok := s.Value(c.Arg("KEY"))
	if !ok {
		return fail(configError(settings.Unknown(c.Arg("KEY"))))
	}
	r := rowOf(v)
	return &answer.Answer{Data: r, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s\n%s\n\n", r.Key, r.Doc)
		t := term.NewColumns(w)
		fmt.Fprintf(t, "value\t%s\nfrom\t%s\ndefault\t%s\ntakes\t%s\n", plainText(r.Value), r.Source, r.Default, r.Expects)
		if len(v.Row.Names) > 0 {
			fmt.Fprintf(t, "older names\t%s\n", strings.Join(v.Row.Names, ", "))
		}
		_ = t.Flush()
	})}
}

func configSet(c *Call) *answer.Answer {
	return edited(c.editConfig(func(tx *plan.Tx) settings.Edited { return settings.Set(tx, c.Arg("KEY"), c.Arg("VALUE")) }))
}

func configUnset(c *Call) *answer.Answer {
	return edited(c.editConfig(func(tx *plan.Tx) settings.Edited { return settings.Unset(tx, c.Arg("KEY")) }))
}

func (c *Call) editConfig(edit func(*plan.Tx) settings.Edited) (e settings.Edited) {
	must.OK(configError(must.Catch(func() { e = update(c, edit) })))
	settings.MaskChange(c.change)
	return e
}

func edited(e settings.Edited) *answer.Answer {
	return &answer.Answer{Data: e, View: answer.Text(func(w io.Writer) {
		if before, after := plainText(e.Before), plainText(e.After); before != after {
			fmt.Fprintf(w, "%s: %s → %s\n", e.Key, before, after)
		} else {
			fmt.Fprintf(w, "%s: %s already\n", e.Key, after)
		}
	})}
}

func configProfile(c *Call) *answer.Answer {
	if profile := c.Arg("PROFILE"); profile != "" {
		c.editConfig(func(tx *plan.Tx) settings.Edited { return settings.Set(tx, "model_profile", profile) })
	}
	s := c.loadSettings()
	out := struct {
		Profile string             `json:"profile"`
		Agents  []agent.Resolution `json:"agents"`
	}{Profile: s.Text("model_profile")}
	for _, r := range agent.Roles() {
		out.Agents = append(out.Agents, agent.Resolve(s, r.Name, 0))
	}
	return &answer.Answer{Data: out, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "profile %s\n\n", out.Profile)
		table("", out.Agents, func(a agent.Resolution) string {
			return fmt.Sprintf("%s\t%s", a.Agent, strings.TrimSpace(a.Model+" "+a.Effort))
		})(w)
	})}
}

// configError makes a wrong key or value an error of usage.
func configError(err error) error {
	if errors.Is(err, settings.ErrUnknown) || errors.Is(err, settings.ErrValue) {
		return term.Hint(command.Usage(err), "%s", hintOr(err, "cairn plan config explain KEY tells what it takes"))
	}
	return err
}

func hintOr(err error, hint string) string {
	if h := term.HintOf(err); h != "" {
		return h
	}
	return hint
}

// plainText is a value for a reader: a list's items between commas, an object
// as JSON, and (not set) for nothing.
func plainText(v any) string {
	switch v := v.(type) {
	case nil:
		return "(not set)"
	case string:
		return v
	case []string:
		return strings.Join(slices.Clone(v), ",")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
