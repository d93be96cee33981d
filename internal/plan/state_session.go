package plan

import (
	"cmp"

	"cairn/internal/plan/doc"
)

// Session is where a session of work ended.
type Session struct {
	LastDate   string `json:"last_date"`
	StoppedAt  string `json:"stopped_at"`
	ResumeFile string `json:"resume_file"`
}

// sessionSections are the names of the section that holds a Session.
var sessionSections = []string{"Session Continuity", "Session"}

// Stop writes when and where the session stopped, into the fields there are,
// and returns their names. An empty stoppedAt stays as it is; an empty
// resumeFile is None.
func (s *State) Stop(stoppedAt, resumeFile string) []string {
	var t touched
	t.add("Last session", s.Set("Last session", s.stamp()))
	t.add("Last Date", s.Set("Last Date", s.stamp()))
	if stoppedAt != "" {
		t.add("Stopped At", s.Set("Stopped At", stoppedAt))
	}
	t.add("Resume File", s.Set("Resume File", cmp.Or(resumeFile, "None")))
	return t
}

// AddSession makes the section that Stop writes, if it is not there.
func (s *State) AddSession() {
	if _, ok := s.Section(sessionSections...); ok || len(s.Values("Stopped At")) > 0 {
		return
	}
	s.AddSection(2, sessionSections[0], "Last session: None", "Stopped at: None", "Resume file: None")
}

// Session returns where the last session stopped.
func (s *State) Session() Session {
	in := func(names ...string) string {
		sec, ok := s.Section(sessionSections...)
		for _, name := range names {
			if f, found := s.Field(sec.Start, sec.End, name); ok && found && f.Value != "" {
				return f.Value
			}
		}
		return ""
	}
	return Session{
		LastDate:   in("Last Date", "Last session"),
		StoppedAt:  cmp.Or(in("Stopped At"), s.Value("Stopped At")),
		ResumeFile: cmp.Or(in("Resume File"), s.Value("Resume File")),
	}
}

// SwitchMilestone begins another milestone: the frontmatter names it and its
// counters are zero, the position is reset, and what was known of the current
// phase is not started.
func (s *State) SwitchMilestone(version, name string) {
	what := "Milestone " + version + " started"
	s.SetPosition("Phase", "Not started (defining requirements)")
	s.SetPosition("Plan", "—")
	for _, name := range []string{"Current Phase", "Current Phase Name", "Current Plan"} {
		s.Set(name, "Not started")
	}
	for _, name := range []string{"Total Phases", "Completed Phases", "Total Plans in Phase"} {
		s.Set(name, "0")
	}
	for _, name := range []string{"Paused At", "Stopped At"} {
		s.Set(name, "None")
	}
	s.Set("Status", "Defining requirements")
	s.Set("Progress", doc.Bar(0))
	s.SetActivity(s.today(), what)
	s.Set("Last Activity Description", what)
	for _, m := range [][2]string{{"gsd_state_version", "1.0"}, {"milestone", version}, {"milestone_name", name}} {
		if err := s.SetFront(doc.OneLine(m[1]), m[0]); err != nil {
			s.refuse(err.Error())
			return
		}
	}
	for _, key := range []string{"current_phase", "current_phase_name", "current_plan", "stopped_at", "paused_at"} {
		s.UnsetFront(key)
	}
	s.counts, s.word = countZero, "planning"
}
