package plan

import (
	"path"
	"strings"

	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// DirSlug returns the part of the phase's directory after its number: of the
// one there is, else of the one it would get.
func (p *Phase) DirSlug() string {
	if p.Slug != "" {
		return p.Slug
	}
	return text.LetterSlug(p.Name, doc.SlugLength)
}

// DirOf returns where the phase's directory is, or belongs. The code is the
// project's; see NewPhase.
func (tx *Tx) DirOf(p *Phase, code string) string {
	if p.Dir != "" {
		return p.Dir
	}
	return tx.dirOf(p.ID, p.DirSlug(), code)
}

func (tx *Tx) dirOf(id doc.PhaseID, slug, code string) string {
	name := id.Padded()
	if code != "" && id.Number >= 0 {
		name = code + "-" + name
	}
	return tx.Path("phases", strings.TrimSuffix(name+"-"+slug, "-"))
}

// makeDir makes a phase's directory, which git keeps although it is empty.
func (tx *Tx) makeDir(dir string) {
	tx.Mkdir(dir)
	tx.Write(path.Join(dir, ".gitkeep"), []byte{})
}

// Field returns a field of the phase's section of the roadmap: Goal, Depends
// on, Requirements, Mode, Plans. Without a roadmap or a section there is none.
func (p *Phase) Field(r *doc.Roadmap, name string) (doc.Field, bool) {
	if r == nil || p.Section == nil {
		return doc.Field{}, false
	}
	return r.PhaseField(*p.Section, name)
}

// IsDocument reports whether a file is a phase's document of that kind, such
// as UAT: numbered (02-UAT.md) or bare.
func IsDocument(name, kind string) bool {
	return name == kind+".md" || strings.HasSuffix(name, "-"+kind+".md")
}
