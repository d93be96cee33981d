package render

import (
	"fmt"
	"path"
	"strings"

	"cairn/internal/host"
	"cairn/internal/plan/content"
)

// Options is what an installation chooses.
type Options struct {
	Profile string // of content.Profiles
	Local   bool   // for one repository
	Cairn   string // how a shell calls us: cairn, or a path in quotes
}

// A File is one to write. Path is below the host's configuration directory, or
// below its directory in a repository, with slashes; it may lead out of it
// with "..".
type File struct {
	Path string
	Data []byte
}

// MaxChars is how long a file may be: some hosts cut what is longer, and no
// model should have to read it.
const MaxChars = 50_000

// Files returns the files of a profile for a host, commands first, then
// agents, each by name. A host that takes neither has none.
func Files(h host.Host, o Options) ([]File, error) {
	commands, agents, err := content.InProfile(o.Profile)
	if err != nil {
		return nil, err
	}
	style := Style(h)
	if o.Cairn != "" {
		style.Cairn = o.Cairn
	}
	var files []File
	for _, part := range []struct {
		form   host.File
		pieces []*content.Piece
	}{{h.Prompts.Command, commands}, {h.Prompts.Agent, agents}} {
		at := part.form.Path
		if o.Local && part.form.Local != "" {
			at = part.form.Local
		}
		if at == "" || at == "-" {
			continue
		}
		for _, p := range part.pieces {
			text, err := content.Expand(p, style)
			if err != nil {
				return nil, err
			}
			w := writer{piece: p, file: part.form, tools: h.Prompts.Tools}
			f := File{Path: path.Clean(strings.ReplaceAll(at, "*", p.Name)), Data: []byte(w.write(text))}
			if n := len([]rune(string(f.Data))); n > MaxChars {
				return nil, fmt.Errorf("%s: %s would have %d characters, more than %d", h.Name, f.Path, n, MaxChars)
			}
			files = append(files, f)
		}
	}
	return files, nil
}
