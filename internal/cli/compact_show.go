package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/home"
	"cairn/internal/term"
)

type compactShowOptions struct {
	grep  string
	lines string
	last  bool
}

func newCompactShow(env *Env) *cobra.Command {
	var opts compactShowOptions
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Print the raw output behind a compacted one",
		Long:  "Prints the output as the tool wrote it, secrets removed. The id stands in the\nfirst line of the compacted output. Outputs are stored for failures and for\nlarge cuts, and for 7 days.",
		Example: `  cairn compact show k3f9x --grep 'FAIL|panic'
  cairn compact show k3f9x --lines 100-180
  cairn compact show --last`,
		Args: func(_ *cobra.Command, args []string) error {
			if opts.last == (len(args) == 1) || len(args) > 1 {
				return command.Usage(term.Hint(errors.New("show needs an id or --last"), "the id stands in the first line of a compacted output"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runCompactShow(env, opts, args) },
	}
	cmd.Flags().StringVar(&opts.grep, "grep", "", "only lines that match this regular expression, with their numbers")
	cmd.Flags().StringVar(&opts.lines, "lines", "", "only these lines: 100-180, 100- or -180")
	cmd.Flags().BoolVar(&opts.last, "last", false, "the output stored last")
	return cmd
}

func runCompactShow(env *Env, opts compactShowOptions, args []string) error {
	from, to, err := lineRange(opts.lines)
	if err != nil {
		return command.Usage(err)
	}
	var re *regexp.Regexp
	if opts.grep != "" {
		if re, err = regexp.Compile(opts.grep); err != nil {
			return command.Usagef("--grep: %w", err)
		}
	}
	dir := home.Find(env.Getenv).Tee()
	id := ""
	if opts.last {
		id, err = compact.LastTee(dir)
	} else {
		id = args[0]
	}
	if err != nil {
		return err
	}
	f, err := compact.OpenTee(dir, id)
	if err != nil {
		if errors.Is(err, compact.ErrNoTee) {
			err = term.Hint(err, "outputs are kept for 7 days; run the command again with cairn run --tee")
		}
		return err
	}
	defer f.Close()
	printed := 0
	if !term.IsTerminal(env.Stdout) {
		defer func() { noteShow(env, id, printed) }()
	}
	in, out := bufio.NewReader(f), bufio.NewWriter(env.Stdout)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if line != "" && n >= from && n <= to && (re == nil || re.MatchString(strings.TrimSuffix(line, "\n"))) {
			if re != nil {
				line = strconv.Itoa(n) + ":" + line
			}
			out.WriteString(line)
			printed += len(line)
		}
		if errors.Is(err, io.EOF) {
			return out.Flush()
		}
		if err != nil {
			return err
		}
	}
}

// lineRange reads "A-B", "A-", "-B" or "A"; "" is everything.
func lineRange(s string) (from, to int, err error) {
	const most = int(^uint(0) >> 1)
	if s == "" {
		return 1, most, nil
	}
	a, b, dash := strings.Cut(s, "-")
	from, to = 1, most
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
