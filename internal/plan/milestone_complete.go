package plan

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

const milestonesFile = "MILESTONES.md"

// MilestoneCompletion is how a milestone is to be completed.
type MilestoneCompletion struct {
	Version       string
	Name          string   // "" takes the roadmap's
	Date          string   // 2026-01-31
	ArchivePhases bool     // the phases' directories move to the archive
	Open          []string // what it leaves open, for MILESTONES.md
	Reason        string   // why it is completed all the same
	Fold          bool     // its part of the roadmap is folded, and REQUIREMENTS.md moves to the archive
	NextStep      string   // for STATE.md: what to run to go on
}

// MilestoneCompleted is what CompleteMilestone did.
type MilestoneCompleted struct {
	*MilestoneReport
	Archived     Archived
	Already      bool // MILESTONES.md had the milestone
	StateUpdated bool
}

// Archived says what of a milestone is in the archive.
type Archived struct{ Roadmap, Requirements, Audit, Phases bool }

// Names returns the words for what is in the archive.
func (a Archived) Names() []string {
	var out []string
	for _, it := range []struct {
		is   bool
		name string
	}{{a.Roadmap, "roadmap"}, {a.Requirements, "requirements"}, {a.Audit, "audit"}, {a.Phases, "phases"}} {
		if it.is {
			out = append(out, it.name)
		}
	}
	return out
}

// CompleteMilestone archives ROADMAP.md, REQUIREMENTS.md and the milestone's
// audit under milestones/, puts an entry first in MILESTONES.md, and says so
// in STATE.md. A milestone that has an entry already gets no second one, and
// what is in its archive stays. Whether it is finished is the caller's
// question; see [Tx.UnfinishedPhases].
func (tx *Tx) CompleteMilestone(c MilestoneCompletion) *MilestoneCompleted {
	if !isFileName(c.Version) {
		must.Fail(&InputError{Path: strconv.Quote(c.Version), What: "is not a version such as v1.0"})
	}
	report := tx.Report(c.Version)
	if c.Name != "" {
		report.Name = c.Name
	}
	if report.Name == "" {
		report.Name = c.Version
	}
	done := &MilestoneCompleted{MilestoneReport: report}
	done.Already = tx.enterMilestone(report, c, false)
	tx.archiveDocuments(c, report, done)
	if !done.Already { // while the phases can be counted
		tx.stateMilestoneComplete(c, done)
	}
	if c.Fold && !done.Already {
		tx.fold(c, done)
	}
	if c.ArchivePhases {
		done.Archived.Phases = tx.ArchivePhases(c.Version, report.Phases)
	}
	return done
}

// isFileName reports whether a version can be the beginning of a file's name.
func isFileName(version string) bool {
	return version != "" && version[0] != '.' && !strings.ContainsFunc(version, func(r rune) bool {
		return r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r)
	})
}

// enterMilestone puts the milestone's entry before the others, or if it is an
// old one before those of older versions. It reports whether there is an entry
// already.
func (tx *Tx) enterMilestone(r *MilestoneReport, c MilestoneCompletion, old bool) (already bool) {
	name := tx.Path(milestonesFile)
	t := tx.ReadIfThere(name)
	if t == nil || strings.TrimSpace(t.String()) == "" {
		tx.Write(name, doc.New(append([]string{"# Milestones", ""}, milestoneLines(r, c)...)...).Bytes())
		return false
	}
	if _, ok := milestoneEntry(t, r.Version); ok {
		return true
	}
	at := t.Len()
	for _, h := range t.Headings() {
		version, _ := doc.Version(h.Text)
		if h.Level == 2 && (!old || version != "" && olderVersion(version, r.Version)) {
			at = h.Line
			break
		}
	}
	lines := milestoneLines(r, c)
	if at == t.Len() && t.Line(at-1) != "" {
		lines = append([]string{""}, lines...)
	}
	t.Insert(at, lines...)
	return false
}

// milestoneLines is the entry of a milestone.
func milestoneLines(r *MilestoneReport, c MilestoneCompletion) []string {
	lines := []string{fmt.Sprintf("## %s (Shipped: %s)", milestoneTitle(r.Version, r.Name), c.Date), ""}
	if n := r.Directories(); n > 0 {
		completed := fmt.Sprintf("**Phases completed:** %d phases, %d plans", n, r.Plans)
		if r.Tasks > 0 { // where nothing counts them
			completed += fmt.Sprintf(", %d tasks", r.Tasks)
		}
		lines = append(lines, completed, "")
	}
	if c.Reason != "" {
		lines = append(lines, "**Left open:** "+doc.OneLine(c.Reason), "")
		for _, what := range c.Open {
			lines = append(lines, "- "+doc.OneLine(what))
		}
		if len(c.Open) > 0 {
			lines = append(lines, "")
		}
	}
	if len(r.Accomplishments) > 0 {
		lines = append(lines, "**Key accomplishments:**", "")
		for _, a := range r.Accomplishments {
			lines = append(lines, "- "+doc.OneLine(a))
		}
		lines = append(lines, "")
	}
	return append(lines, "---", "")
}

func milestoneTitle(version, name string) string {
	if name == "" || name == version {
		return version
	}
	return version + " " + name
}

// archiveDocuments copies the roadmap and the requirements and moves the
// audit. What an earlier completion archived stays as it is.
func (tx *Tx) archiveDocuments(c MilestoneCompletion, r *MilestoneReport, done *MilestoneCompleted) {
	at := func(kind string) string { return tx.Path("milestones", c.Version+"-"+kind+".md") }
	done.Archived.Roadmap = tx.archiveCopy(tx.Path("ROADMAP.md"), at("ROADMAP"), nil)
	header := []string{
		"# Requirements Archive: " + milestoneTitle(r.Version, r.Name), "",
		"**Archived:** " + c.Date, "**Status:** SHIPPED", "",
		"The requirements as they stood when the milestone was completed.", "", "---", "",
	}
	done.Archived.Requirements = tx.archiveCopy(tx.Path("REQUIREMENTS.md"), at("REQUIREMENTS"), header)
	if audit := tx.Path(c.Version + "-MILESTONE-AUDIT.md"); tx.Has(audit) && !tx.Has(at("MILESTONE-AUDIT")) {
		tx.Move(audit, at("MILESTONE-AUDIT"))
		done.Archived.Audit = true
	}
}

// fold takes what is in the archive out of the way: the milestone's part of
// the roadmap is folded, REQUIREMENTS.md goes.
func (tx *Tx) fold(c MilestoneCompletion, done *MilestoneCompleted) {
	if requirements := tx.Path("REQUIREMENTS.md"); done.Archived.Requirements && tx.Has(requirements) {
		tx.Remove(requirements)
	}
	tx.foldMilestone(c, done.MilestoneReport)
}

// archiveCopy copies a document with lines put before it, unless the copy is
// there; it reports whether there is one.
func (tx *Tx) archiveCopy(from, to string, header []string) bool {
	if tx.Has(to) {
		return true
	}
	t := tx.ReadIfThere(from)
	if t == nil {
		return false
	}
	t = t.Clone()
	t.Insert(t.Body(), header...)
	tx.Write(to, t.Bytes())
	return true
}

// ArchivePhases moves the directories of phases to the milestone's archive
// and reports whether there were any.
func (tx *Tx) ArchivePhases(version string, phases []*Phase) bool {
	moved := false
	for _, p := range phases {
		if p.Dir == "" || p.Archived != "" {
			continue
		}
		tx.Move(p.Dir, tx.Path("milestones", version+"-phases", path.Base(p.Dir)))
		moved = true
	}
	return moved
}

// BackfillMilestone gives a milestone that is in the archive its entry in
// MILESTONES.md. When it was shipped nobody wrote down, and what was done is
// known when its phases are in the archive too.
func (tx *Tx) BackfillMilestone(version string) {
	report := &MilestoneReport{Version: version}
	if tx.Has(tx.Path("milestones", version+"-phases")) {
		report = tx.Report(version)
	}
	tx.enterMilestone(report, MilestoneCompletion{Version: version, Date: "date unknown"}, true)
}

// olderVersion reports whether v1.2 stands before v1.10.
func olderVersion(a, b string) bool {
	numbers := func(version string) []int {
		var out []int
		for part := range strings.SplitSeq(strings.TrimPrefix(version, "v"), ".") {
			n, _ := strconv.Atoi(part)
			out = append(out, n)
		}
		return out
	}
	return slices.Compare(numbers(a), numbers(b)) < 0
}
