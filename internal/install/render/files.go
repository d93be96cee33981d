package render

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

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

// maxChars is how long a file may be: some hosts cut what is longer, and no
// model should have to read it.
const maxChars = 50_000

func limit(f host.File) int {
	if f.Max > 0 {
		return f.Max
	}
	return maxChars
}

// Files returns the files of a profile for a host: commands, agents, each by
// name, then what else its row has. A host that takes neither has none.
func Files(h host.Host, o Options) ([]File, error) {
	if h.Prompts.Command.Told == host.ToldAll && slices.Contains(content.Profiles(), o.Profile) {
		o.Profile = content.Profiles()[0] // the rest is followed as `plan content show` prints it
	}
	commands, roles, err := content.InProfile(o.Profile)
	if err != nil {
		return nil, err
	}
	agents, err := content.Agents(roles)
	if err != nil {
		return nil, err
	}
	style := Style(h, o.Cairn)
	style.Profile = o.Profile
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
			w := writer{piece: p, file: part.form, tools: h.Prompts.Tools, cairn: style.Cairn}
			f := File{Path: path.Clean(strings.ReplaceAll(at, "*", p.Name)), Data: []byte(w.write(text))}
			if n, most := utf8.RuneCount(f.Data), limit(part.form); n > most {
				return nil, fmt.Errorf("%s: %s would have %d characters, more than %d", h.Name, f.Path, n, most)
			}
			files = append(files, f)
			if aside := part.form.Aside; aside.Path != "" && !isForModels(p) {
				files = append(files, File{strings.ReplaceAll(aside.Path, "*", p.Name), []byte(aside.Text)})
			}
		}
	}
	for _, extra := range h.Prompts.Also {
		files = append(files, File{extra.Path, []byte(extra.Text)})
	}
	return files, nil
}
