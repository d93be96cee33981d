package retro

import "time"

// A Report is what was measured in a period. As JSON its members are columns of
// the table retro_snapshots.
type Report struct {
	Date         string            `json:"date"`   // its last day, YYYY-MM-DD
	Period       string            `json:"period"` // 7d
	OccurredAt   time.Time         `json:"occurred_at"`
	Metrics      Metrics           `json:"metrics"`
	Authors      map[string]Author `json:"authors"`                 // people and agents by name, without bots
	VersionRange []string          `json:"version_range,omitempty"` // the version before the period and the last in it
	StreakDays   int               `json:"streak_days"`             // days in a row with a commit, until the last day or the one before
	Tweetable    string            `json:"tweetable"`
	TestHealth   TestHealth        `json:"test_health"`

	// From and To bound the period: [From, To).
	From time.Time `json:"-"`
	To   time.Time `json:"-"`
	// Shallow says that the clone lacks history which the period may need.
	Shallow bool `json:"-"`
}

// Metrics are the team's numbers. Shares are from 0 to 1.
type Metrics struct {
	Commits      int `json:"commits"`      // without merges and bots
	Contributors int `json:"contributors"` // people who wrote or co-wrote one
	PRsMerged    int `json:"prs_merged"`
	Merges       int `json:"merges"`

	Insertions int     `json:"insertions"` // lines
	Deletions  int     `json:"deletions"`
	NetLOC     int     `json:"net_loc"`
	TestLOC    int     `json:"test_loc"` // insertions in tests
	TestRatio  float64 `json:"test_ratio"`
	Files      int     `json:"files_changed"`

	ActiveDays        int      `json:"active_days"`
	Sessions          int      `json:"sessions"`
	DeepSessions      int      `json:"deep_sessions"`
	AvgSessionMinutes float64  `json:"avg_session_minutes"`
	LOCPerSessionHour *float64 `json:"loc_per_session_hour,omitempty"` // nil: no session has a length
	PeakHour          *int     `json:"peak_hour,omitempty"`            // 0 to 23, where the author was; nil: no commit

	FeatPct float64 `json:"feat_pct"`
	FixPct  float64 `json:"fix_pct"`

	AIAssistedCommits int            `json:"ai_assisted_commits"`
	Agents            map[string]int `json:"agents,omitempty"` // commits that each agent wrote or co-wrote
	BotCommits        int            `json:"bot_commits"`
	Bots              map[string]int `json:"bots,omitempty"` // commits of each bot

	Hours    []int     `json:"hours"` // commits by hour of the author's day, 24
	Days     []int     `json:"days"`  // commits by day of the period, the first first
	Hotspots []Hotspot `json:"hotspots"`

	Timezone string `json:"timezone,omitempty"` // whose days, where it is not UTC
	Path     string `json:"path,omitempty"`     // the directory, where it is not all
}

// An Author is what one person, or an agent that commits by itself, did.
type Author struct {
	Email             string  `json:"email,omitempty"`
	Agent             bool    `json:"agent,omitzero"`
	Commits           int     `json:"commits"`
	CoAuthored        int     `json:"co_authored"` // commits of others
	Insertions        int     `json:"insertions"`
	Deletions         int     `json:"deletions"`
	TestLOC           int     `json:"test_loc"`
	TestRatio         float64 `json:"test_ratio"`
	ActiveDays        int     `json:"active_days"`
	StreakDays        int     `json:"streak_days"`
	Sessions          int     `json:"sessions"`
	DeepSessions      int     `json:"deep_sessions"`
	AvgSessionMinutes float64 `json:"avg_session_minutes"`
	PeakHour          *int    `json:"peak_hour,omitempty"`
	AIAssistedCommits int     `json:"ai_assisted_commits"`
	PRsMerged         int     `json:"prs_merged"`
	TopArea           string  `json:"top_area,omitempty"`
	TopAreas          []Area  `json:"top_areas,omitempty"`
}

// An Area is a directory at the top, or two deep where all is in one.
type Area struct {
	Path    string `json:"path"`
	Changes int    `json:"changes"` // files changed, once per commit
}

// A Hotspot is a file that changed often, by the name that it has at the end.
type Hotspot struct {
	Path    string `json:"path"`
	Changes int    `json:"changes"` // commits that changed it
}

// TestHealth is what happened to tests.
type TestHealth struct {
	FilesChanged int `json:"test_files_changed"`
	Commits      int `json:"test_commits"` // commits that changed a test
}

// A Ship is a version that was tagged or a pull request that was merged.
type Ship struct {
	Version string // the tag; "" is a pull request
	Number  int    // of the pull request
	SHA     string // the commit
	Title   string
	Author  string // who wrote it, by .mailmap
	Email   string
	Branch  string    // where the pull request came from, "" where git does not know
	URL     string    // of the pull request, "" where the remote tells no host
	At      time.Time // of the tag, or when it was merged
}
