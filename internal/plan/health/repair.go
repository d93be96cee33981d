package health

import (
	"path"
	"strconv"
	"strings"

	"cairn/internal/plan/settings"
)

// createConfig writes the settings of a new project.
func createConfig(l *look, _ Finding) {
	settings.Create(l.Tx, settings.Fresh(nil, l.opts.Getenv))
}

// resetConfig puts a broken config.json aside, where it can be fixed, and
// writes the settings of a new project.
func resetConfig(l *look, f Finding) {
	aside := f.Path + ".broken"
	for n := 2; l.Has(aside); n++ {
		aside = f.Path + ".broken-" + strconv.Itoa(n)
	}
	l.Move(f.Path, aside)
	if f.Path != l.Shared(settings.FileName) {
		return // a workstream's: the project's counts then
	}
	createConfig(l, f)
}

// removeLeftover takes away what a writer left that was killed.
func removeLeftover(l *look, f Finding) { l.Remove(f.Path) }

// backfill gives an archived milestone its entry in MILESTONES.md.
func backfill(l *look, f Finding) {
	l.BackfillMilestone(strings.TrimSuffix(path.Base(f.Path), "-ROADMAP.md"))
}

// regenerateState writes a STATE.md of what roadmap and phases tell.
func regenerateState(l *look, _ Finding) {
	l.RegenerateState(l.opts.Now)
}
