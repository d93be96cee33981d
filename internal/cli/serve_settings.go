package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/command"
	"cairn/internal/term"
)

// serveSettings gives the flags that are not on the command line their values:
// from CAIRN_SERVE_NAME, else from the file of --config.
func serveSettings(cmd *cobra.Command, env *Env) error {
	if f := cmd.Flags().Lookup("database"); f != nil && f.Changed && showsPassword(f.Value.String()) {
		term.Warn(env.Stderr, "everyone on this machine can read the password on the command line; CAIRN_DATABASE_URL or --database - keeps it")
	}
	if err := flagsFromEnvironment(cmd, env); err != nil {
		return err
	}
	name := cmd.Flag("config").Value.String()
	if name == "" {
		return nil
	}
	return flagsFromFile(cmd, env, name)
}

func flagsFromEnvironment(cmd *cobra.Command, env *Env) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		key := "CAIRN_SERVE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		text := env.Getenv(key)
		if f.Changed || text == "" || f.Name == "help" || err != nil {
			return
		}
		if cmd.Flags().Set(f.Name, text) != nil {
			err = command.Usagef("%s: %s is wanted", key, kindOf(f))
		}
	})
	return err
}

// flagsFromFile reads a TOML file whose keys are names of flags of serve. Those
// of another verb of it are fine: one file is for all.
func flagsFromFile(cmd *cobra.Command, env *Env, name string) error {
	data, err := os.ReadFile(env.Path(name))
	if err != nil {
		return command.Data(err)
	}
	var values map[string]any
	if err := toml.Unmarshal(data, &values); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			return command.Dataf("%s:%d: %s", name, line, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return command.Dataf("%s: %w", name, err)
	}
	if fi, err := os.Stat(env.Path(name)); err == nil && fi.Mode().Perm()&0o077 != 0 && hasSecret(values) {
		term.Warn(env.Stderr, "%s has a secret, and others on this machine may read it: chmod 600", name)
	}
	for key, value := range values {
		f := cmd.Flags().Lookup(strings.ReplaceAll(key, "_", "-"))
		switch {
		case f == nil && cmd.Parent() != nil && cmd.Parent().Flags().Lookup(strings.ReplaceAll(key, "_", "-")) != nil:
			continue
		case f == nil || f.Name == "config" || f.Name == "help":
			return command.Data(term.Hint(fmt.Errorf("%s: no flag is called %q", name, key), "cairn serve --help lists them"))
		case f.Changed:
			continue
		}
		if err := setFlag(cmd, f, value); err != nil {
			return command.Dataf("%s: %s: %s is wanted", name, key, kindOf(f))
		}
	}
	return nil
}

// setFlag takes a value or a list of them.
func setFlag(cmd *cobra.Command, f *pflag.Flag, value any) error {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	} else if f.Value.Type() != "stringSlice" {
		return errors.New("one value is wanted")
	}
	for _, v := range list {
		if err := cmd.Flags().Set(f.Name, fmt.Sprint(v)); err != nil {
			return err
		}
	}
	return nil
}

func hasSecret(values map[string]any) bool {
	text, _ := values["database"].(string)
	return showsPassword(text)
}

func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "number":
		return "none or a number, as 500, 20M or 1.5GB,"
	}
	return "a text"
}
