package plan

import (
	"embed"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

//go:embed scaffold/*.md
var scaffolds embed.FS

// ScaffoldKinds are the files that ScaffoldFile makes.
func ScaffoldKinds() []string { return []string{"context", "uat", "verification"} }

// ScaffoldFile makes an empty CONTEXT, UAT or VERIFICATION of a phase and
// returns its path. One that is there is left alone.
func (tx *Tx) ScaffoldFile(p *Phase, kind, name string) (file string, created bool, err error) {
	if p.Dir == "" {
		return "", false, term.Hint(&PhaseError{p.ID.String(), "has no directory"}, "cairn plan phase scaffold %s directory makes it", p.ID)
	}
	if !slices.Contains(ScaffoldKinds(), kind) {
		return "", false, &InputError{Path: kind, What: "is not one of " + strings.Join(ScaffoldKinds(), ", ")}
	}
	kind = strings.ToUpper(kind)
	file = path.Join(p.Dir, p.ID.Padded()+"-"+kind+".md")
	if there := p.File(kind); there != "" {
		return path.Join(p.Dir, there), false, nil
	}
	if name == "" {
		name = p.Name
	}
	b, err := scaffolds.ReadFile("scaffold/" + kind + ".md")
	if err != nil {
		return "", false, err
	}
	text := strings.NewReplacer("{{dir}}", path.Base(p.Dir), "{{number}}", p.ID.String(), "{{name}}", doc.OneLine(name),
		"{{date}}", tx.now().Format(time.DateOnly)).Replace(string(b))
	return file, true, tx.Write(file, []byte(text))
}

// ScaffoldDir makes the directory of a phase that has none, or returns the
// one it has.
func (tx *Tx) ScaffoldDir(id doc.PhaseID, slug, code string) (dir string, created bool, err error) {
	p, err := tx.Phase(id)
	if err != nil {
		return "", false, err
	}
	if p != nil && p.Dir != "" && p.Archived == "" {
		return p.Dir, false, nil
	}
	dir = tx.dirOf(id, slug, code)
	return dir, true, tx.makeDir(dir)
}
