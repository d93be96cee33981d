package evalcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/cache"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

var cacheWord = command.Command{
	Path: "eval cache", Short: "Cache what an eval computed, by suite and key",
	Long: "Keeps what an eval computed, one file per entry: SUITE/KEY.json in\n" +
		"~/.cairn/eval-cache. Any number of processes may read and write at once.\n" +
		"Suites and keys are letters, digits and . _ -, at most 100 bytes.\n\n" +
		"  key=$(cairn eval cache key --case case.yaml --source prompt.txt)\n" +
		"  cairn eval cache read my_suite \"$key\" || {\n" +
		"    ask_the_model | tee answer.json\n" +
		"    cairn eval cache write my_suite \"$key\" < answer.json\n" +
		"  }\n\n" +
		"  EVAL_CACHE=0        reads miss and writes do nothing\n" +
		"  EVAL_CACHE_CLEAR=1  reads miss; what is then written replaces what was\n" +
		"                      there. Nothing is removed, so parallel workers cannot\n" +
		"                      lose each other's entries. A time instead of 1 (seconds\n" +
		"                      since 1970: date +%s when the run starts) lets the run\n" +
		"                      use what it has written itself: only older entries miss.\n\n" +
		"The answers of judges are kept apart, in ~/.cairn/judge-cache.",
	Examples: []string{"cairn eval cache read my_suite abc123def456", "cairn eval cache stats"},
}

var (
	suiteArg = command.Arg{Name: "SUITE", Values: runs.Suites}
	keyArg   = command.Arg{Name: "KEY"}
)

var cacheRead = command.Command{
	Path: "eval cache read", Short: "Print an entry's data; exit 1 if there is none",
	Long: "Prints the JSON that was written, byte for byte. Without such an entry it prints\n" +
		"nothing. An entry that is damaged, or that another version of cairn wrote, does not\n" +
		"count; a damaged one is named on stderr.",
	Args:     []command.Arg{suiteArg, keyArg},
	Flags:    []command.Flag{{Name: "envelope", Default: false, Help: "print the whole entry: its data with version, time and names"}},
	Exits:    "1 if there is no such entry",
	Examples: []string{"cairn eval cache read my_suite abc123def456", "cairn eval cache read my_suite abc123def456 --envelope"},
	Effect:   command.Reads, Text: true, Run: func(c *command.Call) (*answer.Answer, error) {
		return nil, ReadCached(c.Env, c.Arg("SUITE"), c.Arg("KEY"), c.Bool("envelope"))
	},
}

// ReadCached prints an entry of the cache: a runner asks for one for every case.
func ReadCached(env *command.Env, suite, key string, envelope bool) error {
	entry, err := evalCache(env).Read(suite, key)
	var corrupt *cache.CorruptError
	switch {
	case errors.As(err, &corrupt):
		term.Warn(env.Stderr, "%s", term.Printable(corrupt.Error()))
		return command.Status(command.ExitFailed)
	case errors.Is(err, cache.ErrMiss):
		return command.Status(command.ExitFailed)
	case err != nil:
		return cacheError(err)
	}
	if envelope {
		_, err = env.Stdout.Write(entry.Raw)
	} else {
		_, err = env.Stdout.Write(append(entry.Data, '\n')) // over the envelope's last brace
	}
	return err
}

var cacheWrite = command.Command{
	Path: "eval cache write", Short: "Cache JSON, given as an argument or on stdin",
	Long: "Writes one JSON value of at most 64 MB. Anything else is refused with exit 3,\n" +
		"and what was there before stays.",
	Args:  []command.Arg{suiteArg, keyArg, {Name: "DATA", Optional: true}},
	Flags: []command.Flag{{Name: "case", Default: "", Help: "the `name` of the case, kept with the data"}},
	Examples: []string{`cairn eval cache write my_suite abc123def456 '{"response": "yes"}'`,
		"./ask-the-model | cairn eval cache write my_suite abc123def456 --case must_cite_sources"},
	Effect: command.Writes, Text: true, Run: runCacheWrite,
}

func runCacheWrite(c *command.Call) (*answer.Answer, error) {
	data := []byte(c.Arg("DATA"))
	if len(c.Args()) < 3 || c.Arg("DATA") == "-" {
		if term.IsTerminal(c.Stdin) {
			return nil, command.Usage(term.Hint(errors.New("DATA is missing"), "give it as the last argument, or on stdin"))
		}
		var err error
		if data, err = io.ReadAll(io.LimitReader(c.Stdin, cache.MaxData+1<<20)); err != nil {
			return nil, fmt.Errorf("stdin cannot be read: %w", err)
		}
	}
	return nil, cacheError(evalCache(c.Env).Write(c.Arg("SUITE"), c.Arg("KEY"), c.String("case"), data, time.Now()))
}

// evalCache is the cache of the user, used as the environment says.
func evalCache(env *command.Env) cache.Cache {
	policy, err := cache.ParsePolicy(env.Getenv("EVAL_CACHE"), env.Getenv("EVAL_CACHE_CLEAR"))
	if err != nil {
		term.Warn(env.Stderr, "EVAL_CACHE or EVAL_CACHE_CLEAR: %v", err)
	}
	return cache.Cache{Root: home.Find(env.Getenv).EvalCache(), Policy: policy}
}

// cacheError gives the errors of package cache their exit code.
func cacheError(err error) error {
	switch {
	case errors.Is(err, cache.ErrName):
		return command.Usage(err)
	case errors.Is(err, cache.ErrData):
		return command.Dataf("the data %w", err)
	}
	return err
}

var cacheKey = command.Command{
	Path: "eval cache key", Short: "Print the key of a case, made of its input and sources",
	Long: "Prints 16 hex digits of the SHA-256 over a case's input and the files that its\n" +
		"output depends on: those of --source, and prompt_source_files of the case. When\n" +
		"any of them changes, so does the key. A file that is missing is an error (exit 3),\n" +
		"never a key without it.\n\n" +
		"The case is YAML or JSON; - reads it from stdin. All of it is input but\n" +
		"description, category, tags and expectations: what is expected can change and\n" +
		"be checked against the output in the cache. Comments and layout do not count.\n\n" +
		"A name in prompt_source_files is relative to the repository that the case is in\n" +
		"(without one, to the case's directory); one that begins with ./ or ../ to the\n" +
		"case's directory. --source is relative to where the command runs. Files of the\n" +
		"repository count by their place in it, so every checkout gives the same key.",
	Flags: []command.Flag{
		{Name: "case", Default: "", Required: true, Help: "the case: a YAML or JSON `file`, or - for stdin"},
		{Name: "source", Default: []string(nil), Help: "a `file` that the output depends on; may be repeated"}},
	Examples: []string{"cairn eval cache key --case evals/must_cite_sources.yaml",
		"cairn eval cache key --case - --source app/prompt.txt --source app/chat.rb < case.json"},
	Effect: command.Reads, Run: runCacheKey,
}

func runCacheKey(c *command.Call) (*answer.Answer, error) {
	name := c.String("case")
	text, err := readCase(c.Env, name)
	must.OK(command.Data(err))
	one, err := cache.ParseCase(text)
	if err != nil {
		return nil, command.Dataf("%s: %w", name, err)
	}
	dir := must.Get(c.Wd())
	caseDir := dir
	if name != "-" {
		caseDir = must.Get(c.Abs(filepath.Dir(name)))
	}
	root := caseDir
	if repo := home.FindRepo(caseDir, c.Getenv); repo != "" {
		root = string(repo)
	}
	key, err := cache.Key(one, cache.SourcesOf(one, caseDir, root, c.List("source"), dir))
	must.OK(command.Data(err))
	return &answer.Answer{Data: struct {
		Key string `json:"key"`
	}{key}, View: answer.Line("%s", key)}, nil
}

// readCase reads no more than a case may have, and a byte.
func readCase(env *command.Env, name string) ([]byte, error) {
	in := env.Stdin
	if name != "-" {
		f, err := os.Open(env.Path(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, cache.MaxCase+1))
}
