// Package configcmd declares the commands of `cairn config`, and `cairn trust`,
// which decides whether a repository's settings and rules count.
//
// Only package cli imports it.
package configcmd

import (
	"cmp"
	"errors"
	"fmt"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Commands lists them in the order a newcomer should read them.
func Commands() []*command.Command {
	key := command.Arg{Name: "KEY", Values: keys}
	return []*command.Command{
		{
			Path: "config", Short: "Read and change settings, each with its source",
			Long: "A flag beats the environment, which beats the project's .cairn/config.toml, then\n" +
				"the user's ~/.cairn/config.toml, then the default.",
			Examples: []string{"cairn config list", "cairn config set compact.level aggressive"},
		},
		{
			Path: "config get", Args: []command.Arg{key}, Short: "Print the value of a setting and nothing else",
			Long:     "Prints the value in the form that cairn config set reads. The items of a list\nstand between commas.",
			Examples: []string{"cairn config get compact.level", `test "$(cairn config get compact.enabled)" = true`},
			Effect:   command.Reads, Run: get,
		},
		{
			Path: "config set", Args: []command.Arg{key, {Name: "VALUE", Values: values}},
			Short: "Change a setting in your file or the project's",
			Long: "Changes a setting in ~/.cairn/config.toml, or with --project in the repository's\n" +
				".cairn/config.toml. The rest of the file stays as it is, comments too. The items\n" +
				"of a list stand between commas.",
			Flags:    []command.Flag{{Name: "project", Default: false, Help: "write the file that is committed with the repository"}},
			Examples: []string{"cairn config set compact.level aggressive", `cairn config set compact.exclude_commands "curl,git show" --project`},
			Effect:   command.Writes, Run: set,
		},
		{
			Path: "config list", Short: "List every setting with its value and source",
			Examples: []string{"cairn config list", "cairn config list --json"},
			Effect:   command.Reads, Run: list,
		},
		{
			Path: "config explain", Args: []command.Arg{key}, Short: "Explain a setting: its value, source and default",
			Examples: []string{"cairn config explain compact.level", "CAIRN_RAW=1 cairn config explain compact.enabled"},
			Effect:   command.Reads, Run: explain,
		},
		trust(),
	}
}

func keys(*command.Call) (keys []string) {
	for _, s := range config.Settings() {
		keys = append(keys, s.Key+"\t"+s.Doc)
	}
	return keys
}

func values(c *command.Call) []string {
	switch s, _ := config.Find(c.Arg("KEY")); s.Kind {
	case config.Bool:
		return []string{"true", "false"}
	case config.Enum:
		return s.Allowed
	}
	return nil
}

// load reads the settings for this directory and warns of what is wrong with
// them.
func load(c *command.Call) config.Config {
	set, warnings := config.Load(c.Here(), c.Getenv)
	for _, w := range warnings {
		term.Warn(c.Stderr, "%v", w)
	}
	return set
}

// value is that of the key that a person typed.
func value(c *command.Call) (config.Value, error) {
	key := c.Arg("KEY")
	if _, err := config.Find(key); err != nil {
		return config.Value{}, fmt.Errorf("%s: %w", key, err)
	}
	v, _ := load(c).Value(key)
	return v, nil
}

func get(c *command.Call) (*answer.Answer, error) {
	v, err := value(c)
	return &answer.Answer{Data: v.Any, View: answer.Line("%s", v)}, err
}

// A setting is one as --json prints it.
type setting struct {
	Key     string        `json:"key"`
	Value   any           `json:"value"`
	Default string        `json:"default"` // as `config set` reads it
	Source  config.Source `json:"source"`
	Env     string        `json:"env"`
	Doc     string        `json:"doc"`
}

func settingOf(v config.Value) setting {
	return setting{v.Setting.Key, v.Any, v.Setting.Default, v.Source, v.Setting.Env, v.Setting.Doc}
}

func list(c *command.Call) (*answer.Answer, error) {
	rows := []setting{}
	t := answer.NewTable("key:name", "value", "source:name")
	for _, v := range load(c).Values() {
		rows = append(rows, settingOf(v))
		t.Add(v.Setting.Key, text.Shorten(v.String(), 40), v.Source.String())
	}
	return &answer.Answer{Data: rows, View: t}, nil
}

func explain(c *command.Call) (*answer.Answer, error) {
	v := must.Get(value(c))
	s := v.Setting
	t := answer.Facts(
		"value", cmp.Or(v.String(), "(empty)"),
		"from", v.Source.String(),
		"default", cmp.Or(s.Default, "(empty)"),
		"takes", s.Expects(),
		"environment", s.Env,
	)
	if s.ByUser {
		t.Add("project", "may not set it")
	}
	return &answer.Answer{Data: settingOf(v), View: answer.Views{answer.Line("%s\n%s\n", s.Key, s.Doc), t}}, nil
}

func set(c *command.Call) (*answer.Answer, error) {
	key := c.Arg("KEY")
	file, err := write(c, key)
	if errors.Is(err, config.ErrValue) {
		s, _ := config.Find(key)
		return nil, command.Usage(term.Hint(err, "%s takes %s", s.Key, s.Expects()))
	}
	must.OK(err)
	fmt.Fprintf(c.Stderr, "%s: %s is set\n", file, key)
	v, _ := load(c).Value(key)
	if v.Source.File != file {
		term.Warn(c.Stderr, "%s is still %s here, from %s", key, v, v.Source)
	}
	return &answer.Answer{Data: settingOf(v), Done: true}, nil
}

func write(c *command.Call, key string) (file string, err error) {
	user := home.Find(c.Getenv)
	if !c.Bool("project") {
		return config.SetUser(user, key, c.Arg("VALUE"))
	}
	repo := home.FindRepo(c.Here(), c.Getenv)
	if repo == "" || repo.Config() == user.Config() { // the home of a user who has it under git
		return "", command.Usage(term.Hint(errors.New("--project: this is not a repository"), "go to a directory under git"))
	}
	return config.SetProject(project.Open(user, repo), key, c.Arg("VALUE"))
}
