// Package propose drafts a rule from one output. The draft does what is done without a
// rule, and besides drops and counts steps that repeat; the line that sums up is kept.
//
// cli imports it. It imports the other parts of compact and touches no file.
// The draft is for a person to correct; what is known about a certain tool
// never belongs here.
package propose

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
)

const (
	repeats   = 5  // how often a kind of line must come to be dropped
	maxDrops  = 6  // kinds of line that a draft drops
	maxFields = 20 // of a line, of which one may be a name
	maxKeep   = 5  // lines a fixture demands
	maxName   = 60
)

// Rule drafts a rule for the output of a command: what is done without one, and more.
func Rule(cmd, output string) rule.Rule {
	words := Prefix(cmd)
	r := rule.Rule{
		ID:          ID(cmd),
		Description: strings.Join(words, " ") + ": lines that repeat are counted, trouble and the end stay",
		Match:       rule.Match{Commands: []string{strings.Join(words, " ")}},
	}
	without := rule.Generic()
	r.Parser, r.Primitives, r.Tee = without.Parser, without.Primitives, without.Tee
	p := &r.Primitives
	all := split(output)
	var parts []string
	taken := map[string]int{}
	for _, k := range repeating(all) {
		pattern, name := k.pattern(), k.name(taken)
		p.Filter.Drop = append(p.Filter.Drop, pattern)
		p.Count.Counters = append(p.Count.Counters, rule.Counter{Name: name, Pattern: pattern})
		parts = append(parts, "{"+name+"} "+name)
	}
	p.Count.Summary = strings.Join(parts, ", ")
	if s := ending(all); s != "" {
		p.Filter.Keep = []string{s}
	}
	return r
}

// ID is that of the rule that Rule drafts for a command.
func ID(cmd string) string {
	name := slug(Prefix(cmd))
	return "local/" + cmp.Or(strings.TrimRight(name[:min(len(name), maxName)], "-"), "command")
}

// Prefix is what the commands that a draft is for begin with: the program and
// its verb, if it has one.
func Prefix(cmd string) []string {
	call, ok := shell.Parse(cmd).Last()
	if !ok {
		return strings.Fields(cmd)
	}
	words := call.Words()
	if len(words) > 1 && len(words[1]) < 20 && isVerb(words[1]) {
		return words[:2]
	}
	return words[:1]
}

func isVerb(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-:") == "" && s[0] != '-'
}

// Keep returns lines of the output that its fixture should demand: the
// failures, and the last line.
func Keep(output string) []string {
	var keep []string
	all := split(output)
	for _, l := range all {
		if len(keep) < maxKeep-1 && lines.Classify(l) == lines.Failure && !slices.Contains(keep, l) {
			keep = append(keep, l)
		}
	}
	if ending(all) != "" && !slices.Contains(keep, all[len(all)-1]) {
		keep = append(keep, all[len(all)-1])
	}
	return keep
}

func slug(words []string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r | 0x20
		}
		return '-'
	}, strings.Join(words, "-")), "-")
}

// split returns the lines that say something.
func split(output string) []string {
	var all []string
	for l := range strings.SplitSeq(output, "\n") {
		if l = strings.TrimRight(lines.Clean(l), " \t"); l != "" {
			all = append(all, l)
		}
	}
	return all
}
