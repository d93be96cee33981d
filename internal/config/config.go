// Package config is cairn's settings: which there are, what each is set to,
// and where that was said. It also reads a repository's team.json.
//
// Only the edges (cli, hook) may import it; domains get plain values. It
// imports home and atomicfile of ours. It never prints: what is wrong with a
// file comes back as warnings. Values that are not settings, such as a
// session's credentials, never belong here.
//
// An argument of the command beats the environment, which beats the project's
// .cairn/config.toml, if the person trusts it, then the user's
// ~/.cairn/config.toml, then the default.
package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/project"
)

// Where a value was set.
const (
	Default     = "default"
	User        = "user"
	Project     = "project"
	Environment = "environment"
	Flag        = "flag"
)

// A Source is where a value came from.
type Source struct {
	Kind string `json:"kind"`           // Default, User, …
	File string `json:"file,omitempty"` // User and Project
	Line int    `json:"line,omitempty"` // from 1; 0 when it could not be told
	Name string `json:"name,omitempty"` // of the environment variable or flag
}

// String is the source for a reader: "default", "user /x/config.toml:3".
func (s Source) String() string {
	switch s.Kind {
	case Default:
		return s.Kind
	case User, Project:
		return s.Kind + " " + position(s.File, s.Line)
	}
	return s.Kind + " " + s.Name
}

func position(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// A Value is what a setting is set to: a bool, an int, a string or a
// []string, by its setting's Kind.
type Value struct {
	Setting *Setting
	Any     any
	Source  Source
}

// String is the value as `config get` prints it and `config set` reads it.
func (v Value) String() string {
	if list, ok := v.Any.([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v.Any)
}

// A Warning is a setting that was left out, and why.
type Warning struct {
	File string // "" when it is not from a file
	Line int
	Key  string // "" when the file as a whole is meant
	Text string

	Untrusted bool // the file is ignored, since nobody trusts what it says now
}

func (w Warning) String() string {
	parts := []string{position(w.File, w.Line), w.Key, w.Text}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// A Config holds the value of every setting.
type Config struct {
	values []Value // in the order of the table
}

// Load reads the settings for work in dir. Nothing that is wrong with them is
// an error: such a setting keeps its default and comes back as a warning.
func Load(dir string, getenv func(string) string) (Config, []Warning) {
	c := defaults()
	var warnings []Warning
	user := home.Find(getenv)
	data, err := atomicfile.ReadRegular(user.Config(), maxFile)
	warnings = append(warnings, c.take(user.Config(), User, data, err)...)
	// A home that is under git is a repository, but its .cairn is the user's.
	if repo := home.FindRepo(dir, getenv); repo != "" {
		if d := project.Open(user, repo); d.Exists() {
			data, err := d.ReadTrusted(project.Config)
			warnings = append(warnings, c.take(repo.Config(), Project, data, err)...)
		}
	}
	return c, append(warnings, c.readEnvironment(getenv)...)
}

// Preview returns what a project's file would set, and what of it would be
// left out, without regard to whether anybody trusts it.
func Preview(file string, data []byte) (values []Value, warnings []Warning) {
	c := defaults()
	warnings = c.take(file, Project, data, nil)
	for _, v := range c.values {
		if v.Source.Kind == Project {
			values = append(values, v)
		}
	}
	return values, warnings
}

func defaults() Config {
	c := Config{values: make([]Value, len(settings))}
	for i := range settings {
		s := &settings[i]
		v, _ := s.parse(s.Default) // a test parses every default
		c.values[i] = Value{Setting: s, Any: v, Source: Source{Kind: Default}}
	}
	return c
}

// readEnvironment takes CAIRN_COMPACT_LEVEL and the like, and CAIRN_RAW.
func (c *Config) readEnvironment(getenv func(string) string) (warnings []Warning) {
	for i := range c.values {
		s := c.values[i].Setting
		text := getenv(s.Env)
		if text == "" {
			continue
		}
		v, err := s.parse(text)
		if err != nil {
			warnings = append(warnings, Warning{Key: s.Env, Text: err.Error()})
			continue
		}
		c.values[i].Any, c.values[i].Source = v, Source{Kind: Environment, Name: s.Env}
	}
	const raw = "CAIRN_RAW"
	if text := getenv(raw); text != "" {
		if on, err := strconv.ParseBool(text); on || err != nil { // CAIRN_RAW=please
			v := c.find(CompactEnabled)
			v.Any, v.Source = false, Source{Kind: Environment, Name: raw}
		}
	}
	return warnings
}

// Override sets key as the command's flag says.
func (c *Config) Override(key, flag, text string) error {
	v := c.find(key)
	if v == nil {
		return unknown(key)
	}
	parsed, err := v.Setting.parse(text)
	if err == nil {
		v.Any, v.Source = parsed, Source{Kind: Flag, Name: "--" + flag}
	}
	return err
}

// Values returns every value in the order of the table of settings.
func (c Config) Values() []Value { return slices.Clone(c.values) }

// Value returns the value of key and whether there is such a setting.
func (c Config) Value(key string) (Value, bool) {
	if v := c.find(key); v != nil {
		return *v, true
	}
	return Value{}, false
}

func (c Config) find(key string) *Value {
	for i := range c.values {
		if c.values[i].Setting.Key == key {
			return &c.values[i]
		}
	}
	return nil
}

// Bool, Int, Text and List return the value of a setting of that kind; with
// a key of another kind, or none, they panic: keys are constants.
func (c Config) Bool(key string) bool     { return c.find(key).Any.(bool) }
func (c Config) Int(key string) int       { return c.find(key).Any.(int) }
func (c Config) Text(key string) string   { return c.find(key).Any.(string) }
func (c Config) List(key string) []string { return slices.Clone(c.find(key).Any.([]string)) }
