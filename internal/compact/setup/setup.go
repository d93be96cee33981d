// Package setup says how outputs are compacted on this machine: with the user's
// settings, the rules that are trusted and the LLM check, if it is on. It keeps
// the account of what compaction did, and the log of what went wrong.
//
// It is where compact, config and project meet: the edges import it (hooks, the
// shim, the commands of compact, the doctor), compact itself never.
package setup

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/outside"
	"cairn/internal/project"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Rules reads the rules that count in a directory.
func Rules(env *outside.Env, dir string) *rule.Library {
	return rules(env, dir, (*project.Dir).TrustedRules)
}

// AllRules are Rules with those of the repository that nobody trusts yet, for a
// person who wants to see what they would do.
func AllRules(env *outside.Env, dir string) *rule.Library {
	return rules(env, dir, (*project.Dir).Files)
}

func rules(env *outside.Env, dir string, files func(*project.Dir) []project.File) *rule.Library {
	library := rule.Load(home.Find(env.Getenv).Rules())
	if d := project.Find(dir, env.Getenv); d != nil {
		library.LoadProject(RuleFiles(d, files(d)))
	}
	return library
}

// RuleFiles are those of a repository's files that are rules, by their paths.
func RuleFiles(d *project.Dir, files []project.File) map[string][]byte {
	rules := map[string][]byte{}
	for _, f := range files {
		if f.Err == nil && strings.HasPrefix(f.Name, project.Rules+"/") {
			rules[d.Path(f.Name)] = f.Data
		}
	}
	return rules
}

// Options are the settings of a compaction in a directory. What is wrong with
// them is left for the config commands to report: a hook stays silent.
func Options(env *outside.Env, dir string) compact.Options {
	set, _ := config.Load(dir, env.Getenv)
	return options(env, dir, set)
}

func options(env *outside.Env, dir string, set config.Config) compact.Options {
	h := home.Find(env.Getenv)
	level, _ := compact.ParseLevel(set.Text(config.CompactLevel))
	tee := compact.Tee{
		Dir:      h.Tee(),
		MaxBytes: set.Int(config.CompactTeeBytes),
		MaxAge:   time.Duration(set.Int(config.CompactTeeDays)) * 24 * time.Hour,
		Redact:   set.List(config.CompactTeeRedact),
	}
	if on, _ := set.Value(config.CompactTeeOnExit); on.Source.Kind != config.Default {
		tee.OnExit = on.String() // else a rule may say
	}
	reads := ""
	if set.Bool(config.CompactEnabled) && set.Bool(config.CompactReads) && env.Getenv(home.Probe) == "" {
		reads = h.Reads()
	}
	library := Rules(env, dir)
	library.Quarantine(h.FailedRules())
	return compact.Options{
		Off:         !set.Bool(config.CompactEnabled),
		Level:       level,
		Library:     library,
		Exclude:     set.List(config.CompactExclude),
		RegexBudget: time.Duration(set.Int(config.CompactRegexMS)) * time.Millisecond,
		Tee:         tee,
		Reads:       reads,
		Outline:     set.Bool(config.CompactOutline),
	}
}

// Untrusted says in a line what of the repository that dir is in is ignored, ""
// for nothing. It names no file: strangers choose names. Of team.json the
// commands report it that would use it.
func Untrusted(env *outside.Env, dir string) string {
	d := project.Find(dir, env.Getenv)
	if d == nil {
		return ""
	}
	settings, rules, links := false, 0, false
	for _, f := range d.Files() {
		switch {
		case f.Trusted, f.Name == project.Team:
		case f.Err != nil: // whoever reads it says why
			links = links || errors.Is(f.Err, atomicfile.ErrOutside) && f.Name == project.Config
		case f.Name == project.Config:
			settings = true
		default:
			rules++
		}
	}
	var what []string
	if settings {
		what = append(what, "settings")
	}
	if rules > 0 {
		what = append(what, text.Count(rules, "rule"))
	}
	switch {
	case what != nil:
		are, they := "are", "they"
		if !settings && rules == 1 {
			are, they = "is", "it"
		}
		return fmt.Sprintf("%s in this repository's .cairn %s not trusted, so %s %s ignored; cairn trust shows what %s would do", strings.Join(what, " and "), are, they, are, they)
	case links:
		return "links in this repository's .cairn lead out of it, so they are not followed"
	}
	return ""
}

// WarnUntrusted warns of what is Untrusted here.
func WarnUntrusted(env *outside.Env) {
	if text := Untrusted(env, env.Here()); text != "" {
		term.Warn(env.Stderr, "%s", text)
	}
}
