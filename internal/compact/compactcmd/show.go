package compactcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/term"
)

func show() *command.Command {
	return &command.Command{
		Path: "compact show", Args: []command.Arg{{Name: "ID", Optional: true}},
		Short: "Print the raw output behind a compacted one",
		Long: "Prints the output as the tool wrote it, with secrets removed. The first line of\n" +
			"the compacted output has the ID. Every output that was cut is stored for 7 days:\nup to 32 MiB of it, and 512 MiB in all.",
		Flags: []command.Flag{
			{Name: "grep", Default: "", Help: "print only lines that match this `regexp`, with their numbers"},
			{Name: "lines", Default: "", Help: "print only this `range` of lines: 100-180, 100- or -180"},
			{Name: "last", Default: false, Help: "print the output stored last"},
		},
		Examples: []string{"cairn compact show k3f9x --grep 'FAIL|panic'", "cairn compact show k3f9x --lines 100-180", "cairn compact show --last"},
		Effect:   command.Reads, Text: true, Run: runShow,
		Tool: &command.Tool{
			Name: "compact_show", Does: "Raw output behind a compacted one ([cairn: … → … show ID]).",
			Params: []command.Param{
				{Name: "id", Does: "default: the last"},
				{Name: "grep", Does: "only lines that match this regular expression (RE2)"},
				{Name: "lines", Does: "100-180, 100- or -180"},
			},
			Flags: map[string]any{"last": true},
			Rest: func(c *command.Call, lines int) string {
				if c.Set("grep") {
					return "a narrower grep, or lines, shows them"
				}
				from, _, _ := lineRange(c.String("lines"))
				return fmt.Sprintf(`lines "%d-" goes on`, from+lines)
			},
		},
	}
}

func runShow(c *command.Call) (_ *answer.Answer, err error) {
	dir, id := home.Find(c.Getenv).Tee(), c.Arg("ID")
	if id == "" && !c.Bool("last") {
		return nil, command.Usage(term.Hint(errors.New("show needs an ID or --last"), "the first line of a compacted output has the ID"))
	}
	from, to, err := lineRange(c.String("lines"))
	must.OK(command.Usage(err))
	re, err := regexp.Compile(c.String("grep"))
	if err != nil {
		return nil, command.Usagef("--grep: %w", err)
	}
	if id == "" {
		id = must.Get(compact.LastTee(dir))
	}
	f, err := compact.OpenTee(dir, id)
	if errors.Is(err, compact.ErrNoTee) {
		err = term.Hint(err, "outputs are kept for 7 days; run the command again with cairn run --tee")
	}
	must.OK(err)
	defer f.Close()
	printed := 0
	if !term.IsTerminal(c.Stdout) {
		defer func() { setup.NoteShow(c.Env, id, printed) }()
	}
	in, out := bufio.NewReader(f), bufio.NewWriter(c.Stdout)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if line != "" && n >= from && n <= to && re.MatchString(strings.TrimSuffix(line, "\n")) {
			if c.Set("grep") {
				line = strconv.Itoa(n) + ":" + line
			}
			out.WriteString(line)
			printed += len(line)
		}
		if errors.Is(err, io.EOF) {
			return nil, out.Flush()
		}
		must.OK(err)
	}
}

// lineRange reads "A-B", "A-", "-B" or "A"; "" is everything.
func lineRange(s string) (from, to int, err error) {
	from, to = 1, math.MaxInt
	if s == "" {
		return from, to, nil
	}
	a, b, dash := strings.Cut(s, "-")
	if a != "" {
		from, err = strconv.Atoi(a)
	}
	if err == nil && !dash {
		to = from
	}
	if err == nil && b != "" {
		to, err = strconv.Atoi(b)
	}
	if err != nil || a == "" && b == "" || from < 1 || to < from {
		return 0, 0, term.Hint(fmt.Errorf("--lines %q is not a range", s), "lines are counted from 1: 100-180, 100- or -180")
	}
	return from, to, nil
}
