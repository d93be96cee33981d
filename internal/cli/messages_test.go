package cli

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/command"
	"cairn/test/cairntest"
)

// theirs are words of the messages that cobra and pflag have for the mistakes below.
var theirs = []string{
	"Error:", "for usage", "unknown shorthand", "unknown flag: ", " for \"cairn", "arg(s)", "flag needs an argument",
	"invalid argument", "flag syntax", "required flag", "in the group", "were all set", "strconv", "parsing \"",
}

// What is wrong with a line is said in our words, whatever it is, and with a hint.
func TestMistakesInOurWords(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	wrong := func(want string, line ...string) {
		t.Helper()
		code, stderr := try(line...)
		if code != command.ExitUsage || !strings.Contains(stderr, want) || !strings.Contains(stderr, "\ncairn: hint: ") {
			t.Errorf("cairn %s: code %d, %q is not said: %s", strings.Join(line, " "), code, want, stderr)
		}
		for _, text := range theirs {
			if strings.Contains(stderr, text) {
				t.Errorf("cairn %s: not our words: %s", strings.Join(line, " "), stderr)
			}
		}
	}
	for _, c := range declared(osEnv()) {
		if c.Raw {
			continue
		}
		path := strings.Fields(c.Path)
		line := func(words ...string) []string { return slices.Concat(path, words) }
		wrong("unknown flag --no-such-flag", line("--no-such-flag")...)
		wrong("unknown flag -9", line("-9")...)
		wrong("---x is not a flag", line("---x")...)
		if c.Run == nil {
			wrong(`unknown command "no-such-command"`, line("no-such-command")...)
			continue
		}
		var all []string
		for _, a := range c.Args {
			all = append(all, append(a.OneOf, "x")[0])
		}
		least, most := c.Takes()
		given := all[:least] // as many arguments as it needs
		if least > 0 {
			wrong(c.Args[0].Name+" is missing", path...)
		}
		switch {
		case most == 0: // or an unknown command
			wrong(`"y"`, line("y")...)
		case most > 0:
			wrong(`"y" is one argument too many`, line(append(all, "y")...)...)
		}
		for _, f := range c.Flags {
			name := "--" + f.Name
			switch f.Default.(type) {
			case bool:
				wrong(name+` must be true or false, not "q"`, line(name+"=q")...)
			case int, uint64, float64, time.Duration:
				wrong(name+" must be a", line(name, "q")...)
			case []string:
				wrong(name+" needs a value", line(name)...)
			case string:
				wrong(name+" needs a value", line(name)...)
				if len(f.OneOf) > 0 {
					wrong(name+" must be ", line(append([]string{name, "q"}, given...)...)...)
				}
			}
			if f.Required {
				wrong("--", line(given...)...) // the first that is missing
			}
		}
		for _, list := range c.Exclusive {
			two := line(given...)
			for _, name := range list[:2] {
				two = append(two, "--"+name)
				i := slices.IndexFunc(c.Flags, func(f command.Flag) bool { return f.Name == name })
				if i >= 0 && c.Flags[i].Default != false { // --json is declared nowhere
					two = append(two, "q")
				}
			}
			wrong("exclude each other", two...)
		}
	}
	wrong("did you mean --profile", "install", "--profil", "core")
	wrong("did you mean --since", "compact", "gain", "--sinc")
	wrong("did you mean config", "confg")
	wrong("did you mean show", "compact", "shw")
}

// The version is in reach of whoever guesses.
func TestVersion(t *testing.T) {
	t.Parallel()
	for _, line := range [][]string{{"version"}, {"--version"}, {"-v"}} {
		if code, out := say(line...); code != command.ExitOK || !strings.HasPrefix(out, "cairn ") || !strings.Contains(out, " go1.") {
			t.Errorf("%v: code %d: %s", line, code, out)
		}
	}
	if _, out := say("version", "--json"); !strings.HasPrefix(out, `{"version":"`) {
		t.Errorf("not JSON: %s", out)
	}
}
