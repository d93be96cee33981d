package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/settings"
)

// settings reads the settings of the call's workspace; see load.
func (c *call) settings() (s *settings.Settings) {
	c.look(func(tx *plan.Tx) { s = c.load(tx) })
	return s
}

// load reads the settings for a command that needs them to do something else:
// a file that cannot be read, and keys at its top that nothing knows, are
// told on stderr and the defaults count.
func (c *call) load(tx *plan.Tx) *settings.Settings {
	s := settings.Load(tx)
	if err := s.Err(); err != nil {
		fmt.Fprintf(c.Stderr, "Warning: %v; the defaults count\n", err)
	}
	var unknown []string
	for _, w := range s.Warnings() {
		if w.Unknown && !strings.Contains(w.Key, ".") {
			unknown = append(unknown, w.Key)
		}
	}
	if len(unknown) > 0 {
		fmt.Fprintf(c.Stderr, "Warning: unknown config key(s) in config.json, ignored: %s\n", strings.Join(unknown, ", "))
	}
	return s
}

// builtIn are the values config-get gave for keys that no file has.
var builtIn = []string{
	"context_window", "executor.stall_detect_interval_minutes", "executor.stall_threshold_minutes", "git.create_tag",
}

func configGet(c *call) result {
	key := c.arg(0)
	var s *settings.Settings
	c.look(func(tx *plan.Tx) { s = settings.Load(tx) })
	err := s.Err()
	require(err == nil, "config_parse_failed", "Failed to read config.json: %v", err)
	v, ok := s.At(key)
	if row, known := s.Value(key); !ok && known && row.Source.Name != "" { // under an older name
		v, ok = settings.Mask(key, row.Any), true
	}
	switch {
	case ok:
		return dataRaw(v, scalar(v))
	case c.deflt != nil:
		return dataRaw(*c.deflt, *c.deflt)
	case !s.Exists():
		return refuse("config_no_file", "No config.json found at %s", c.Abs(c.Path(settings.FileName)))
	}
	require(slices.Contains(builtIn, key), "config_key_not_found", "Key not found: %s", key)
	row, _ := s.Value(key)
	return dataRaw(row.Any, scalar(row.Any))
}

func configSet(c *call) result {
	require(len(c.args) >= 2 && c.arg(0) != "", "usage", "Usage: config-set <key.path> <value>")
	key, typed := c.arg(0), c.arg(1)
	row, ok := settings.Find(key)
	if !ok && strings.HasPrefix(key, "planning.") { // where the old tool kept two keys as well
		row, ok = settings.FindOlder(key)
	}
	var v any
	var err error
	switch {
	case ok:
		v, err = row.Parse(typed)
		if err == nil {
			wrong := row.Complete(v)
			require(wrong == nil, "config_invalid_key", "Invalid value for %s: %v", key, wrong)
		}
	case settings.Retired(key), settings.Successors(key): // the older tool took it, or gsd-core does
		row, v = &settings.Row{Key: key}, settings.ParseText(typed)
		fmt.Fprintf(c.Stderr, "Warning: %s has no effect\n", key)
	default:
		return unknownKey(key)
	}
	if row.Kind == settings.List && !strings.ContainsAny(typed, "[,") {
		v = typed // one item may stand by itself, as the old tool wrote it
	}
	if err != nil {
		require(row.Allowed == nil && row.Key != "workflow.drift_threshold", "config_invalid_key", "Invalid value for %s: %v", key, err)
		// The old tool took any value; a reader then falls back to the default.
		v = settings.ParseText(typed)
		fmt.Fprintf(c.Stderr, "Warning: %s: %v; its default counts\n", key, err)
	}
	var e settings.Edited
	c.configure(func(tx *plan.Tx) {
		if _, said := settings.Load(tx).At(row.Key); said && row.Key != key { // or it would still count
			settings.Put(tx, row.Key, v)
		}
		e = settings.Put(tx, key, v)
	})
	o := object{{"updated", true}, {"key", key}, {"value", e.After}}
	if e.Had {
		o = o.with("previousValue", e.Before)
	}
	if row.Secret {
		o = o.with("masked", true)
	}
	return dataRaw(o, key+"="+scalar(e.After))
}

func unknownKey(key string) result {
	if near := settings.Near(key); near != "" {
		refuse("config_invalid_key", "Unknown config key: %q. Did you mean %q?", key, near)
	}
	keys := each(settings.Rows(), func(r *settings.Row) string { return r.Key })
	return refuse("config_invalid_key", "Unknown config key: %q. Valid keys: %s", key, strings.Join(keys, ", "))
}

// configure is change for config.json: an error about the file has a reason of
// its own.
func (c *call) configure(fn func(*plan.Tx)) (done *plan.Change) {
	err := must.Catch(func() { done = c.change(fn) })
	var input *plan.InputError
	require(!errors.As(err, &input), "config_parse_failed", "Failed to read config.json: %v", err)
	must.OK(err)
	return done
}

func configEnsure(c *call) result { return newConfig(c, nil) }

func configNewProject(c *call) result {
	var choices jsonc.Object
	if typed := c.arg(0); typed != "" {
		d, err := jsonc.Parse([]byte(typed))
		require(err == nil, "usage", "Invalid JSON for config-new-project: %v", err)
		v, _ := d.Value(nil)
		choices, _ = v.(jsonc.Object)
	}
	return newConfig(c, choices)
}

func newConfig(c *call, choices jsonc.Object) result {
	exists := dataRaw(object{{"created", false}, {"reason", "already_exists"}}, "exists")
	if c.settings().Exists() && c.Stream == "" { // then there is no need for the lock
		return exists
	}
	return c.changed(func(tx *plan.Tx) result {
		rel, created := settings.Create(tx, settings.Fresh(choices, c.Getenv))
		if !created {
			return exists
		}
		return dataRaw(object{{"created", true}, {"path", rel}}, "created")
	})
}

func configPath(c *call) result { return rawText(c.Abs(c.Path(settings.FileName))) }

// migrateConfig gives the keys of config.json their newer names. It is the
// only query that does: reading understands the older ones.
func migrateConfig(c *call) result {
	var renamed []settings.Renaming
	change := c.configure(func(tx *plan.Tx) { renamed = settings.Normalize(tx, tx.Path(settings.FileName)) })
	raw := "No legacy keys found"
	if len(renamed) > 0 {
		raw = "Migrated:"
		for _, r := range renamed {
			raw += fmt.Sprintf("\n  %s -> %s", r.From, r.To)
		}
	}
	return dataRaw(object{
		{"migrated", len(renamed) > 0}, {"wrote", len(change.Files) > 0}, {"normalizations", list(renamed)},
	}, raw)
}

// configGates are the members of `check config-gates` in its order, with the
// setting where it is not the one of workflow that is called so.
var configGates = [...]string{
	"research_enabled workflow.research", "plan_checker_enabled workflow.plan_check", "nyquist_validation", "security_enforcement",
	"security_asvs_level", "security_block_on", "ui_phase", "ui_safety_gate", "ui_review", "text_mode", "auto_advance",
	"auto_chain_active workflow._auto_chain_active", "code_review", "code_review_depth", "context_window context_window", "discuss_mode",
	"use_worktrees", "skip_discuss", "max_discuss_passes", "node_repair", "research_before_questions", "verifier", "plan_check",
	"subagent_timeout", "context_coverage_gate",
}

func checkConfigGates(c *call) result {
	s := c.settings()
	o := object{{"workflow", orNull(c.arg(0))}}
	for _, gate := range configGates {
		name, key, _ := strings.Cut(gate, " ")
		v, _ := s.Value(cmp.Or(key, "workflow."+name))
		o = o.with(name, v.Any)
	}
	return data(o)
}

// checkAutoMode tells whether steps follow one another without asking, and why.
func checkAutoMode(c *call) result {
	s := c.settings()
	chain, advance := s.Bool("workflow._auto_chain_active"), s.Bool("workflow.auto_advance")
	source := "none"
	switch {
	case chain && advance:
		source = "both"
	case chain:
		source = "auto_chain"
	case advance:
		source = "auto_advance"
	}
	return data(object{
		{"active", chain || advance}, {"source", source}, {"auto_chain_active", chain}, {"auto_advance", advance},
	})
}
