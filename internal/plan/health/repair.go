package health

import (
	"path"
	"strconv"
	"strings"

	"cairn/internal/plan/settings"
)

// createConfig writes the settings of a new project.
func createConfig(l *look, _ Finding) error {
	_, _, err := settings.Create(l.Tx, settings.Fresh(nil, l.opts.Getenv))
	return err
}

// resetConfig puts a broken config.json aside, where it can be fixed, and
// writes the settings of a new project.
func resetConfig(l *look, f Finding) error {
	aside := f.Path + ".broken"
	for n := 2; l.Has(aside); n++ {
		aside = f.Path + ".broken-" + strconv.Itoa(n)
	}
	if err := l.Move(f.Path, aside); err != nil {
		return err
	}
	if f.Path != l.Shared(settings.FileName) {
		return nil // a workstream's: the project's counts then
	}
	return createConfig(l, f)
}

// backfill gives an archived milestone its entry in MILESTONES.md.
func backfill(l *look, f Finding) error {
	version := strings.TrimSuffix(path.Base(f.Path), "-ROADMAP.md")
	return l.BackfillMilestone(version)
}

// regenerateState writes a STATE.md of what roadmap and phases tell.
func regenerateState(l *look, _ Finding) error {
	return l.RegenerateState(l.opts.Now)
}
