package query

import (
	"errors"
	"fmt"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/plan"
	"cairn/internal/plan/settings"
)

var configCommands = []command{
	{name: "config-get", run: configGet},
	{name: "config-set", run: configSet},
	{name: "config-ensure-section", run: configEnsure},
	{name: "config-new-project", run: configNewProject},
	{name: "config-path", run: configPath},
}

// settings reads the settings of the call's workspace; see load.
func (c *call) settings() (s *settings.Settings, err error) {
	err = c.View(func(tx *plan.Tx) error { s = c.load(tx); return nil })
	return s, err
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

func configGet(c *call) (result, error) {
	key := c.arg(0)
	if key == "" {
		return result{}, fail("usage", "Usage: config-get <key.path> [--default <value>]")
	}
	var s *settings.Settings
	err := c.View(func(tx *plan.Tx) error { s = settings.Load(tx); return nil })
	if err != nil {
		return result{}, err
	}
	if err := s.Err(); err != nil {
		return result{}, fail("config_parse_failed", "Failed to read config.json: %v", err)
	}
	v, ok := s.At(key)
	if row, known := s.Value(key); !ok && known && row.Source.Name != "" { // under an older name
		v, ok = settings.Mask(key, row.Any), true
	}
	switch {
	case ok:
		return dataRaw(v, scalar(v)), nil
	case c.deflt != nil:
		return dataRaw(*c.deflt, *c.deflt), nil
	case !s.Exists():
		return result{}, fail("config_no_file", "No config.json found at %s", c.Abs(c.Path(settings.FileName)))
	}
	for _, name := range builtIn {
		if name == key {
			row, _ := s.Value(key)
			return dataRaw(row.Any, scalar(row.Any)), nil
		}
	}
	return result{}, fail("config_key_not_found", "Key not found: %s", key)
}

func configSet(c *call) (result, error) {
	if len(c.args) < 2 || c.arg(0) == "" {
		return result{}, fail("usage", "Usage: config-set <key.path> <value>")
	}
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
	case settings.Retired(key): // the old tool took it
		row, v = &settings.Row{Key: key}, settings.ParseText(typed)
		fmt.Fprintf(c.Stderr, "Warning: %s has no effect\n", key)
	default:
		return result{}, unknownKey(key)
	}
	if row.Kind == settings.List && !strings.ContainsAny(typed, "[,") {
		v = typed // one item may stand by itself, as the old tool wrote it
	}
	if err != nil {
		if row.Allowed != nil || row.Key == "workflow.drift_threshold" {
			return result{}, fail("config_invalid_key", "Invalid value for %s: %v", key, err)
		}
		// The old tool took any value; a reader then falls back to the default.
		v = settings.ParseText(typed)
		fmt.Fprintf(c.Stderr, "Warning: %s: %v; its default counts\n", key, err)
	}
	var e settings.Edited
	if _, err := c.change(func(tx *plan.Tx) (err error) {
		if _, said := settings.Load(tx).At(row.Key); said && row.Key != key { // or it would still count
			if _, err := settings.Put(tx, row.Key, v); err != nil {
				return err
			}
		}
		e, err = settings.Put(tx, key, v)
		return err
	}); err != nil {
		return result{}, configFailure(err)
	}
	o := object{{"updated", true}, {"key", key}, {"value", e.After}}
	if e.Had {
		o = o.with("previousValue", e.Before)
	}
	if row.Secret {
		o = o.with("masked", true)
	}
	return dataRaw(o, key+"="+scalar(e.After)), nil
}

func unknownKey(key string) error {
	if near := settings.Near(key); near != "" {
		return fail("config_invalid_key", "Unknown config key: %q. Did you mean %q?", key, near)
	}
	var keys []string
	for _, r := range settings.Rows() {
		keys = append(keys, r.Key)
	}
	return fail("config_invalid_key", "Unknown config key: %q. Valid keys: %s", key, strings.Join(keys, ", "))
}

// configFailure gives an error about the file its reason.
func configFailure(err error) error {
	var input *plan.InputError
	if errors.As(err, &input) {
		return fail("config_parse_failed", "Failed to read config.json: %v", err)
	}
	return err
}

func configEnsure(c *call) (result, error) { return newConfig(c, nil) }

func configNewProject(c *call) (result, error) {
	var choices jsonc.Object
	if typed := c.arg(0); typed != "" {
		d, err := jsonc.Parse([]byte(typed))
		if err != nil {
			return result{}, fail("usage", "Invalid JSON for config-new-project: %v", err)
		}
		v, _ := d.Value(nil)
		choices, _ = v.(jsonc.Object)
	}
	return newConfig(c, choices)
}

func newConfig(c *call, choices jsonc.Object) (result, error) {
	s, err := c.settings()
	if err != nil {
		return result{}, err
	}
	rel, created := "", false
	if s.Exists() && c.Stream == "" { // then there is no need for the lock
		return configExists(), nil
	}
	if _, err = c.change(func(tx *plan.Tx) (err error) {
		rel, created, err = settings.Create(tx, settings.Fresh(choices, c.Getenv))
		return err
	}); err != nil {
		return result{}, err
	}
	if !created {
		return configExists(), nil
	}
	return dataRaw(object{{"created", true}, {"path", rel}}, "created"), nil
}

func configExists() result {
	return dataRaw(object{{"created", false}, {"reason", "already_exists"}}, "exists")
}

func configPath(c *call) (result, error) { return rawText(c.Abs(c.Path(settings.FileName))), nil }
