package compactcmd

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/propose"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/shell"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/redact"
	"cairn/internal/term"
)

// commandArg is a command to run.
var commandArg = command.Arg{Name: "COMMAND", Many: true}

func newRule() *command.Command {
	return &command.Command{
		Path: "compact new-rule", Args: []command.Arg{commandArg}, Lines: true,
		Short: "Run a command and draft a rule for its output",
		Long: "Runs a command, stores its output (secrets removed) as a fixture, drafts a rule\n" +
			"for it and shows what the rule makes of it. The draft drops and counts lines\n" +
			"that repeat. Correct it, then try it again with cairn compact test.\n\n" +
			"Rule and fixture go to the repository's .cairn/rules, with --user to yours.",
		Flags: []command.Flag{
			{Name: "user", Default: false, Help: "write to your own rules instead of the repository's"},
			{Name: "print", Default: false, Help: "print the draft and write nothing"},
			{Name: "force", Default: false, Help: "draft one even if the command has a rule or the files exist"},
		},
		Examples: []string{"cairn compact new-rule -- ./deploy.sh staging", "cairn compact new-rule --print -- shipit up"},
		Effect:   command.Writes, Run: runNewRule,
	}
}

// A drafted rule is what new-rule reports.
type drafted struct {
	Rule    string       `json:"rule"`
	File    string       `json:"file"`
	Fixture string       `json:"fixture"`
	Result  compact.Meta `json:"result"`
}

func runNewRule(c *command.Call) (*answer.Answer, error) {
	argv := c.Args()
	cmd := shell.Join(argv)
	library := setup.Rules(c.Env, c.Here())
	if id := library.Find(rule.Target{Command: shell.Parse(cmd)}); id != "" && !c.Bool("force") {
		return nil, command.Usage(term.Hint(fmt.Errorf("the rule %s is for this command already", id),
			"cairn compact list-rules %s prints it; a rule file with that id changes parts of it; --force drafts another", id))
	}
	cmd = redact.Text(cmd)
	var at rulePlace
	if !c.Bool("print") { // whatever is in the way is reported before the command runs
		at = place(c, path.Base(propose.ID(cmd)))
	}
	fixture := capture(c, argv)
	draft := propose.Rule(cmd, fixture.CombinedText)
	if c.Bool("print") {
		return ruleText(&draft)
	}
	must.OK(at.write(fixture, append(must.Get(draft.JSON()), '\n'), c.Bool("force")))
	how := compact.Options{Level: compact.Normal, Library: setup.Rules(c.Env, c.Here()), Rule: draft.ID}
	res := compact.Compact(fixture.Envelope, how)
	trust := "" // what has to follow before a rule that was corrected has an effect
	if at.in != nil {
		trust = "; cairn trust lets it take effect"
	}
	return &answer.Answer{
		Data: drafted{draft.ID, at.base + ".json", at.base + ".txt", res.Meta},
		View: whole(res.Reduced),
		Said: fmt.Sprintf("\nrule     %s.json\nfixture  %s.txt\nresult   %s", at.base, at.base, change(res.Meta)),
		Hint: fmt.Sprintf("correct the rule, then cairn compact test %s %s.txt%s", draft.ID, at.base, trust),
	}, nil
}

// A rulePlace is where a rule and its fixture go.
type rulePlace struct {
	base string       // without their extension
	in   *project.Dir // the repository's .cairn; nil for the user's own rules
}

func place(c *command.Call, name string) (at rulePlace) {
	user := home.Find(c.Getenv)
	rules := user.Rules()
	if repo := home.FindRepo(c.Here(), c.Getenv); !c.Bool("user") {
		if repo == "" {
			must.Fail(command.Usage(term.Hint(errors.New("this is not a repository"), "--user writes to your own rules")))
		}
		rules, at.in = repo.Rules(), project.Open(user, repo)
	}
	at.base = filepath.Join(rules, name)
	for _, ext := range []string{".json", ".txt"} {
		if _, err := os.Lstat(at.base + ext); err == nil && !c.Bool("force") {
			must.Fail(command.Data(term.Hint(fmt.Errorf("%s is there already", at.base+ext), "--force overwrites it")))
		}
	}
	return at
}

// write writes the files, the rule last: with it the draft takes effect. Who
// has a rule of the repository drafted trusts it.
func (at rulePlace) write(f compact.Fixture, rule []byte, force bool) error {
	file := func(ext string, data []byte) error { return atomicfile.WriteFile(at.base+ext, data, home.PrivateFile) }
	last, remove := file, func() error { return os.Remove(at.base + ".txt") }
	if at.in != nil {
		name := project.Rules + "/" + filepath.Base(at.base)
		file = func(ext string, data []byte) error {
			return at.in.Write(name+ext, data, home.SharedDir, home.SharedFile)
		}
		last = func(ext string, data []byte) error { return at.in.WriteTrusted(name+ext, data, home.SharedFile) }
		remove = func() error { return at.in.Remove(name + ".txt") }
	} else if err := os.MkdirAll(filepath.Dir(at.base), home.PrivateDir); err != nil {
		return err
	}
	if err := file(".txt", f.Format()); err != nil {
		return err
	}
	err := last(".json", rule)
	if err != nil && !force {
		_ = remove()
	}
	return err
}
