package grade

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

// A Runner runs a program of a case. An error means that the program could not
// be started, or did not end in time.
type Runner func(Program) (Ran, error)

// A Program is a program of a case.
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
	Said string // the end of its output
}

// ErrNotAllowed is a program without --allow-commands.
var ErrNotAllowed = errors.New("cairn does not run programs of cases without --allow-commands")

func commandTypes() []Type {
	return []Type{{cases.Spec{Name: "command", Category: "Programs", Reads: append(said[:len(said):len(said)], "."),
		Keys: []cases.Key{{Name: "run", Kind: cases.Texts, Required: true, About: "a text is a shell command, a list a program and its arguments"}, {Name: "timeout_seconds", Kind: cases.Number, Default: "60"}},
		Also: []cases.Also{{Name: "javascript", How: "it runs your program"}, {Name: "python", How: "it runs your program"}, {Name: "ruby", How: "it runs your program"}, {Name: "webhook", How: "your program can send the request"}, {Name: "exec"}, {Name: "shell"}, {Name: "script"}, {Name: "function"}},
		About: "A program that reads the text, or else the output as JSON, from stdin exits with 0. It runs in the directory of the case's file, with the case's name in CAIRN_CASE, and only with cairn eval grade --allow-commands. " +
			"Without that flag, or if the program cannot be started or does not end in time, the case is an error. The end of its output is in the failure."}, runs}}
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
		f := x.fail("%s exited with %d%s", text.First(strings.Join(x.want.Texts("run"), " "), mostShort), ran.Exit, saying(ran.Said))
		f.Expected, f.Actual = encoded(0), encoded(ran.Exit)
	}
}

func saying(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return ": " + text.First(s, 200)
}
