package health

import (
	"fmt"
	"path"
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/settings"
)

// Checks returns the table.
func Checks() []Check {
	return []Check{
		{Code: "E010", Level: Error, What: "the project is not the home directory", Fix: "change to the project's directory", run: homeDir},
		{Code: "I010", Level: Info, What: "where the project was looked for", Fix: "give another directory with -C", last: true, run: resolvedDir},
		{Code: "E001", Level: Error, What: "there is a planning directory", Fix: "cairn plan init makes one", last: true, run: planningDir},
		{Code: "E002", Level: Error, What: "PROJECT.md is there", Fix: "cairn plan init writes one", run: projectFile},
		{Code: "E003", Level: Error, What: "ROADMAP.md is there", Fix: "write the phases down; cairn plan init makes a template", run: roadmapFile},
		{Code: "E004", Level: Error, What: "STATE.md is there", Fix: "cairn plan health --fix writes one from roadmap and phases",
			RepairName: "regenerateState", run: stateFile, repair: regenerateState},
		{Code: "E005", Level: Error, What: "config.json can be read", Fix: "fix it; cairn plan health --fix puts it aside and writes the defaults",
			RepairName: "resetConfig", run: configBroken, repair: resetConfig},
		{Code: "D001", Level: Error, What: "every document can be read", Fix: "fix or remove the file", run: unreadable},
		{Code: "D006", Level: Error, What: "no document has the conflict markers of a merge", Fix: "decide which lines stay, remove the markers, then git add the file", run: conflicts},
		{Code: "D002", Level: Error, What: "no two phases have the same id", Fix: "cairn plan health --fix renumbers one of them",
			RepairName: "renumberPhase", run: duplicatePhases, repair: renumberPhases},
		{Code: "D008", Level: Warning, What: "files have the number of their phase", Fix: "cairn plan health --fix renames it",
			RepairName: "renameFile", run: misnumbered, repair: renameFile},
		{Code: "D010", Level: Error, What: "what says whether a phase is complete agrees", Fix: "correct the line that is wrong; cairn plan health --fix does it where the phase's files decide",
			RepairName: "agree", run: disputed, repair: agree},

		{Code: "W001", Level: Warning, What: "PROJECT.md has its sections", Fix: "write the section", run: projectSections},
		{Code: "W002", Level: Warning, What: "STATE.md names phases that there are", Fix: "correct STATE.md; cairn plan health --fix follows a phase that has another number now",
			RepairName: "followPhase", run: statePhases, repair: followPhases},
		{Code: "W003", Level: Warning, What: "config.json is there", Fix: "cairn plan health --fix writes the defaults",
			RepairName: "createConfig", run: configMissing, repair: createConfig},
		settingCheck("W004", "model_profile"),
		{Code: "W005", Level: Warning, What: "phase directories have names such as 02-api", Fix: "rename the directory", run: dirNames},
		{Code: "W006", Level: Warning, What: "every phase of the roadmap has a directory", Fix: "cairn plan phase scaffold makes it, or take the phase out of the roadmap", run: phasesWithoutDir},
		{Code: "W007", Level: Warning, What: "every phase directory is in the roadmap", Fix: "add it to the roadmap, or remove the directory",
			run: dirsWithoutPhase},
		{Code: "D009", Level: Info, What: "no removed phase left an empty directory", Fix: "cairn plan health --fix removes it",
			RepairName: "removeEmptyPhase", run: emptyDirs, repair: removeLeftover},
		{Code: "G001", Level: Warning, What: "this clone merges the plan as .gitattributes says", Fix: "cairn plan merge-driver install", run: driverMissing},
		{Code: "W009", Level: Warning, What: "research with a validation architecture has a VALIDATION.md", Fix: "plan the phase again", run: validation},
		{Code: "W010", Level: Warning, What: "every agent is installed", Fix: "cairn install", run: agents},
		{Code: "W011", Level: Warning, What: "STATE.md's phase is not ticked", Fix: "cairn plan phase complete PHASE goes on to the next phase", run: stateTicked},
		settingCheck("W012", "branching_strategy"),
		settingCheck("W013", "context_window"),
		templateCheck("W014", "git.phase_branch_template", "{phase}"),
		templateCheck("W015", "git.milestone_branch_template", "{milestone}"),
		{Code: "W017", Level: Warning, What: "no git worktree was left behind", Fix: "git worktree remove", run: worktrees},
		{Code: "W018", Level: Warning, What: "MILESTONES.md lists every archived milestone", Fix: "cairn plan health --fix adds it",
			RepairName: "backfillMilestones", run: unlistedMilestones, repair: backfill},
		{Code: "W019", Level: Warning, What: "the files of .planning are known ones", Fix: "move it to notes/, or remove it", run: unknownFiles},
		{Code: "C001", Level: Warning, What: "settings are known and have a value that fits", Fix: "cairn plan config set", run: otherSettings},
		{Code: "D003", Level: Warning, What: "frontmatter can be read", Fix: "fix the line", run: frontmatter},
		{Code: "D004", Level: Warning, What: "every summary belongs to a plan", Fix: "rename it after its plan", run: orphans},
		{Code: "D005", Level: Warning, What: "files that look like plans are plans", Fix: "name it NN-MM-PLAN.md to make it one", run: strays},
		{Code: "D011", Level: Warning, What: "lines that begin as a phase are read as one", Fix: "write it as ### Phase 2: Name, or - [ ] **Phase 2: Name**", run: unreadLines},
		{Code: "D012", Level: Warning, What: "STATE.md counts the phases that the roadmap shows as complete", Fix: "tick them in ROADMAP.md, or correct STATE.md", run: stateCount},
		{Code: "D013", Level: Warning, What: "REQUIREMENTS.md has the requirements that phases name", Fix: "cairn plan requirements add ID TEXT, or take it out of the phase", run: unlistedRequirements},
		{Code: "D014", Level: Info, What: "every open requirement is in a phase", Fix: "cairn plan phase edit PHASE --requirement ID", run: uncoveredRequirements},
		{Code: "D015", Level: Info, What: "documents have no gap of their template", Fix: "write what is meant instead of the brackets", run: gaps},
		{Code: "D016", Level: Warning, What: "no phase is called complete whose verification found gaps", Fix: "plan what closes them: plan-phase PHASE --gaps; or complete it with --force --reason TEXT",
			run: deniedPhases},
		{Code: "D007", Level: Info, What: "no killed write left a file", Fix: "cairn plan health --fix removes it", RepairName: "removeLeftover", run: leftovers, repair: removeLeftover},
		{Code: "J001", Level: Warning, What: "no change was cut short", Fix: "cairn plan health --fix takes it back, as does the next change",
			RepairName: "takeBack", run: cutShort, repair: nothingMore},

		{Code: "I001", Level: Info, What: "plans have a summary", Fix: "execute the plan", run: plansWithoutSummary},
		{Code: "J002", Level: Info, What: "nobody is changing the plan", Fix: "none needed: the lock ends with its process", run: locked},
	}
}

func planningDir(l *look) []Finding {
	if l.Exists() {
		return nil
	}
	return []Finding{{Message: l.Path() + "/ directory not found", Path: l.Path()}}
}

func homeDir(l *look) []Finding {
	if !isHome(l.Root) {
		return nil
	}
	return []Finding{{Message: "the plan would be in the home directory", Path: l.Path()}}
}

func resolvedDir(l *look) []Finding {
	if !isHome(l.Root) {
		return nil
	}
	return []Finding{{Message: "resolved directory: " + l.Root}}
}

func projectFile(l *look) []Finding { return l.missing(l.Shared("PROJECT.md")) }

// roadmapFile lets a workstream be that was created and not begun: its first
// milestone makes the roadmap.
func roadmapFile(l *look) []Finding {
	if l.Stream != "" && len(l.ReadDir(l.Path("phases"))) == 0 {
		return nil
	}
	return l.missing(l.Path("ROADMAP.md"))
}

func stateFile(l *look) []Finding { return l.missing(l.Path("STATE.md")) }

func projectSections(l *look) []Finding {
	name := l.Shared("PROJECT.md")
	t := l.text(name)
	if t == nil {
		return nil
	}
	var out []Finding
	for _, section := range []string{"What This Is", "Core Value", "Requirements"} {
		if _, ok := t.Section(section); !ok {
			out = append(out, Finding{Message: "PROJECT.md missing section: ## " + section, Path: name, Fix: "add ## " + section})
		}
	}
	return out
}

func configMissing(l *look) []Finding {
	name := l.Shared(settings.FileName)
	if l.Has(name) || l.settings.Exists() {
		return nil
	}
	return []Finding{{Message: "config.json not found", Path: name}}
}

// agents says which agents of the main path are missing where some are
// installed: where none is, the plan is used without them, and a small profile
// has no more.
func agents(l *look) []Finding {
	in := agent.Look(l.settings, l.Root, l.opts.Getenv)
	if !in.Found || in.All() {
		return nil
	}
	missing := slices.DeleteFunc(slices.Clone(agent.Core()), func(role string) bool { return !slices.Contains(in.Missing, role) })
	if len(missing) == 0 {
		return nil
	}
	return []Finding{{Message: fmt.Sprintf("%d agents are missing in %s, such as %s", len(missing), in.Dir, missing[0])}}
}

func plansWithoutSummary(l *look) []Finding {
	var out []Finding
	for _, p := range l.dirs() {
		for _, f := range p.Plans {
			if f.Summary == "" {
				name := path.Join(path.Base(p.Dir), f.Path)
				out = append(out, Finding{Message: name + " has no SUMMARY.md", Path: path.Join(p.Dir, f.Path)})
			}
		}
	}
	return out
}

var knownFiles = [...]string{
	"PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md", "STATE.md", "MILESTONES.md", "BACKLOG.md", "DECISIONS-INDEX.md", "LEARNINGS.md", "METHODOLOGY.md", "THREADS.md",
	"RETROSPECTIVE.md", "CLAUDE.md", "STATE-ARCHIVE.md", ".continue-here.md",
}

func unknownFiles(l *look) []Finding {
	var out []Finding
	for _, e := range l.entries(l.Path()) {
		if !e.Dir && path.Ext(e.Name) == ".md" && !isKnown(e.Name) {
			out = append(out, Finding{Message: "unknown file in " + l.Path() + ": " + e.Name, Path: l.Path(e.Name)})
		}
	}
	return out
}

func locked(l *look) []Finding {
	if !l.Locked() {
		return nil
	}
	return []Finding{{Message: "another process is changing the plan", Path: l.Path()}}
}

func cutShort(l *look) []Finding {
	out, err := interrupted(l.Workspace)
	if err != nil {
		return []Finding{{Message: reason(err), Path: l.Path()}}
	}
	return out
}

// interrupted tells of a change that was not finished.
func interrupted(w *plan.Workspace) ([]Finding, error) {
	cut, err := w.Interrupted()
	if err != nil || cut == nil {
		return nil, err
	}
	return []Finding{{
		Code: "J001", Level: Warning, Repairable: true, Path: w.Path(), Fix: find("J001").Fix,
		Message: fmt.Sprintf("%q of %s was cut short", cut.Command, cut.Time.Local().Format("2006-01-02 15:04")),
	}}, nil
}

// nothingMore: opening the journal for the repairs has taken the change back.
func nothingMore(*look, Finding) {}
