// Package render writes the prompts of package content in the form that a host
// takes: which file, which frontmatter, which words. It knows no directory of
// a machine and writes nothing.
//
// The installer and the command line import it. It is driven by the rows of
// package host and never asks which host it has.
package render

import (
	"strings"

	"cairn/internal/host"
	"cairn/internal/plan/content"
)

// Style returns how a host is spoken to in its own files. cairn is how a shell
// calls us, "" by name.
func Style(h host.Host, cairn string) content.Style {
	s := content.Plain()
	s.Runtime = h.Name
	if cairn != "" {
		s.Cairn = cairn
	}
	p := h.Prompts
	p.Spawn = strings.ReplaceAll(p.Spawn, "@show@", s.Cairn+" plan content show agents/NAME --for "+h.Name)
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&s.Args, p.Args}, {&s.Mention, p.Mention}, {&s.Memory, p.Memory}, {&s.Spawn, p.Spawn}, {&s.Ask, p.Ask},
	} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	if p.Agent.Path != "" {
		s.AnyRole = true
		s.Spawn += "; the prompt of cairn-role as ROLE begins with `role: ROLE`"
	}
	for _, tool := range content.Tools() {
		if len(p.Tools) > 0 && !has(p.Tools, tool) {
			s.Without = append(s.Without, tool)
		}
	}
	return s
}

// Shown returns how a host is spoken to in what it has printed by us, where
// nobody fills in what the user wrote.
func Shown(h host.Host, cairn string) content.Style {
	s := Style(h, cairn)
	s.Args = "Its arguments are those you were given for it."
	return s
}

func has(tools []host.Tool, name string) bool {
	for _, t := range tools {
		if t.Name == name {
			return true
		}
	}
	return false
}
