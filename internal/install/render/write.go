package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/host"
	"cairn/internal/plan/content"
)

// writer writes one piece in a host's form.
type writer struct {
	piece *content.Piece
	file  host.File
	tools []host.Tool
	cairn string // how a shell calls us
}

func (w writer) write(text string) string {
	text = strings.TrimSpace(text) + "\n"
	if w.file.Form == host.TOML {
		return w.head(" = ") + w.file.Text + " = " + tomlText(text)
	}
	head := w.head(": ")
	if head == "" {
		return text
	}
	return "---\n" + head + "---\n" + text
}

// head is the fields, one on a line. A quoted string is the same in JSON, in
// YAML and in TOML, and it is safe in all of them whatever is in it.
func (w writer) head(is string) string {
	var b strings.Builder
	for _, f := range w.file.Head {
		if value := w.value(f); value != "" {
			b.WriteString(strings.TrimSuffix(f.Key+is, spaceBefore(value)) + value + "\n")
		}
	}
	return b.String()
}

// spaceBefore is what does not stand before a value that begins a line.
func spaceBefore(value string) string {
	if strings.HasPrefix(value, "\n") {
		return " "
	}
	return ""
}

// value is a field's value as it is written; "" leaves the field out.
func (w writer) value(f host.Field) string {
	p := w.piece
	switch f.Value {
	case host.Name:
		name := "cairn-" + p.Name
		if w.file.Form == host.TOML {
			name = quoted(name)
		}
		return name
	case host.Description:
		return quoted(p.Description)
	case host.Arguments:
		if p.Arguments == "" {
			return ""
		}
		return quoted(p.Arguments)
	case host.Literal:
		return strings.ReplaceAll(f.Text, "@cairn@", w.cairn)
	case host.UserOnly:
		if isForModels(p) {
			return ""
		}
		return "true"
	case host.ToolList:
		return "\n  - " + strings.Join(w.own(true), "\n  - ")
	case host.ToolLine:
		return strings.Join(w.own(true), ", ")
	case host.Denied:
		var b strings.Builder
		for _, name := range w.own(false) {
			fmt.Fprintf(&b, "\n  %s: deny", name)
		}
		return b.String()
	}
	return ""
}

// own returns the host's tools that the piece needs, or all others. A tool
// that serves something it needs is none of the others.
func (w writer) own(needed bool) []string {
	var need, rest []string
	for _, t := range w.tools {
		if slices.Contains(w.piece.Tools, t.Name) && !slices.Contains(need, t.Own) {
			need = append(need, t.Own)
		}
	}
	if needed {
		return need
	}
	for _, t := range w.tools {
		if !slices.Contains(need, t.Own) && !slices.Contains(rest, t.Own) {
			rest = append(rest, t.Own)
		}
	}
	return rest
}

// isForModels reports whether a model may call a command unasked, so that a
// host should tell it of the command in every session.
func isForModels(p *content.Piece) bool { return p.Profile == content.Profiles()[0] }

func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// tomlText is a text as a TOML string of several lines: literal, or with
// escapes where a literal one cannot be.
func tomlText(text string) string {
	if !strings.Contains(text, "'''") {
		return "'''\n" + text + "'''\n"
	}
	text = strings.ReplaceAll(text, `\`, `\\`)
	return "\"\"\"\n" + strings.ReplaceAll(text, `"""`, `""\"`) + "\"\"\"\n"
}
