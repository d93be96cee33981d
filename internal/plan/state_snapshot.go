package plan

import (
	"cmp"
	"strconv"

	"cairn/internal/plan/doc"
)

// Snapshot is STATE.md as data. What it does not say is null. The frontmatter
// is believed before the body.
type Snapshot struct {
	CurrentPhase     *string         `json:"current_phase"`
	CurrentPhaseName *string         `json:"current_phase_name"`
	TotalPhases      *int            `json:"total_phases"`
	CurrentPlan      *string         `json:"current_plan"`
	TotalPlans       *int            `json:"total_plans_in_phase"`
	Status           *string         `json:"status"`
	Percent          *int            `json:"progress_percent"`
	LastActivity     *string         `json:"last_activity"`
	LastActivityDesc *string         `json:"last_activity_desc"`
	Decisions        []Decision      `json:"decisions"`
	Blockers         []string        `json:"blockers"`
	PausedAt         *string         `json:"paused_at"`
	Session          SnapshotSession `json:"session"`
}

// SnapshotSession is the Session of a Snapshot.
type SnapshotSession struct {
	LastDate   *string `json:"last_date"`
	StoppedAt  *string `json:"stopped_at"`
	ResumeFile *string `json:"resume_file"`
}

// Snapshot reads STATE.md as data.
func (s *State) Snapshot() Snapshot {
	front := s.Front()
	text := func(key, body string) *string { return optional(cmp.Or(front.Get(key).Text(), body)) }
	count := func(body int, known bool, path ...string) *int {
		if n, err := strconv.Atoi(front.Get(path...).Text()); err == nil {
			return &n
		}
		if known {
			return &body
		}
		return nil
	}
	number, name := s.Phase()
	phases, hasPhases := s.TotalPhases()
	plan, plans := s.Plan()
	percent, hasPercent := doc.Percent(s.Value("Progress"))
	date, what := s.Activity()
	session := s.Session()
	current := s.Value("Current Plan")
	if current == "" && plan >= 0 {
		current = strconv.Itoa(plan)
	}
	paused := s.Value("Paused At")
	if doc.Unset(paused) {
		paused = ""
	}
	return Snapshot{
		CurrentPhase:     text("current_phase", number),
		CurrentPhaseName: text("current_phase_name", name),
		TotalPhases:      count(phases, hasPhases, "progress", "total_phases"),
		CurrentPlan:      text("current_plan", current),
		TotalPlans:       count(plans, plans >= 0, "total_plans_in_phase"),
		Status:           text("status", s.Value("Status")),
		Percent:          count(percent, hasPercent, "progress", "percent"),
		LastActivity:     text("last_activity", date),
		LastActivityDesc: optional(what),
		Decisions:        s.ListDecisions(),
		Blockers:         s.ListBlockers(),
		PausedAt:         text("paused_at", paused),
		Session:          SnapshotSession{optional(session.LastDate), optional(session.StoppedAt), optional(session.ResumeFile)},
	}
}

func optional(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}
