package grade

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

// A Runner runs a program that a case names. Its error means that it could not
// be run, or did not end in time.
type Runner func(Program) (Ran, error)

// A Program is what a case wants to be run.
type Program struct {
	Line    string   // for a shell; "" where Args says it
	Args    []string // the program and its arguments
	Dir     string   // of the file that holds the case; "" where it came from stdin
	Case    string
	Stdin   []byte
	Timeout time.Duration
}

// Ran is how a program ended.
type Ran struct {
	Exit int
	Said string // the last it printed
}

// ErrNotAllowed is a program that nobody allowed to be run.
var ErrNotAllowed = errors.New("programs that cases name are not run without --allow-commands")

func commandTypes() []Type {
	return []Type{{cases.Spec{Name: "command", Category: "Programs", Reads: append(said[:len(said):len(said)], "."),
		Keys: []cases.Key{{Name: "run", Kind: cases.Texts, Required: true, About: "one text is a line for the shell, a list a program and its arguments"}, {Name: "timeout_seconds", Kind: cases.Number, Default: "60"}},
		Also: []cases.Also{{Name: "javascript", How: "it runs a program of yours"}, {Name: "python", How: "it runs a program of yours"}, {Name: "ruby", How: "it runs a program of yours"}, {Name: "webhook", How: "a program of yours can ask it"}, {Name: "exec"}, {Name: "shell"}, {Name: "script"}, {Name: "function"}},
		About: "A program that gets the text, or else the output as JSON, on its stdin ends with 0. It runs in the directory of the case's file, with the case's name in CAIRN_CASE, and only with cairn eval grade --allow-commands: " +
			"without that, and where it cannot be started or does not end in time, the case is an error. What it prints last is in the failure."}, runs}}
}

func runs(x *exam) {
	v, ok := x.readAny()
	if !ok {
		return
	}
	if x.run == nil {
		x.unknown("%s", ErrNotAllowed)
		return
	}
	stdin, isText := v.(string)
	if !isText {
		stdin = string(written(v)) + "\n"
	}
	p := Program{Args: x.want.Texts("run"), Case: x.kase.Name, Stdin: []byte(stdin), Timeout: time.Duration(x.number("timeout_seconds") * float64(time.Second))}
	if len(p.Args) == 1 {
		p.Line, p.Args = p.Args[0], nil
	}
	if x.want.At.File != cases.Stdin {
		p.Dir = filepath.Dir(filepath.FromSlash(x.want.At.File))
	}
	ran, err := x.run(p)
	switch {
	case err != nil:
		x.unknown("%s", err)
	case ran.Exit != 0:
		f := x.fail("%s ended with %d%s", text.First(strings.Join(x.want.Texts("run"), " "), mostShort), ran.Exit, saying(ran.Said))
		f.Expected, f.Actual = encoded(0), encoded(ran.Exit)
	}
}

func saying(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return ": " + text.First(s, 200)
}
