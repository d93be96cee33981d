package host

import "testing"

func TestMatchers(t *testing.T) {
	tests := []struct {
		matcher, tool string
		want          bool
	}{
		{"", "Bash", true},
		{"*", "mcp__db__query", true},
		{"Bash", "Bash", true},
		{"Bash", "BashOutput", false},
		{"bash", "Bash", false},
		{"Edit|Bash", "Bash", true},
		{"Edit, Bash", "Bash", true},
		{"Edit|Write", "Bash", false},
		{"mcp__.*", "mcp__db__query", true},
		{"mcp__db", "mcp__db__query", false},
		{"Note.*|Ba", "Bash", true},
		{"Ba(sh", "Bash", false},
		{"^(Bash|Read|Grep|Glob|WebFetch|WebSearch|TaskOutput|mcp__.*)$", "Read", true},
		{"^(Bash|Read|Grep|Glob|WebFetch|WebSearch|TaskOutput|mcp__.*)$", "mcp__db__query", true},
		{"^(Bash|Read|Grep|Glob|WebFetch|WebSearch|TaskOutput|mcp__.*)$", "BashOutput", false},
		{"^(Bash|Read|Grep|Glob|WebFetch|WebSearch|TaskOutput|mcp__.*)$", "ReadMcpResourceTool", false},
	}
	for _, tt := range tests {
		if got := listOrRegexp(tt.matcher, tt.tool); got != tt.want {
			t.Errorf("%q on %s: %v, want %v", tt.matcher, tt.tool, got, tt.want)
		}
	}
}

// Every row must be whole: what one row forgets, install and doctor cannot do.
func TestRows(t *testing.T) {
	for _, h := range All() {
		if found, ok := Find(h.Name); !ok || found.Title != h.Title {
			t.Errorf("%s is not found by its name", h.Name)
		}
		if h.Title == "" || h.ConfigDir == "" {
			t.Errorf("%s: the row is not whole: %+v", h.Name, h)
		}
		if h.RunOnly != "" {
			plans := len(h.HooksOn("linux", Plan)) > 0
			if h.Source == "" || len(h.HooksOn("linux", Compact)) > 0 || plans != (h.Settings != "") || plans != (h.Decode != nil) {
				t.Errorf("%s: a row for the run path only says why, where that is written, and what a plan may hook", h.Name)
			}
			continue
		}
		if h.Settings == "" || h.Timeout == 0 || h.Matches == nil || h.Own == nil && h.Shape.Unit == 0 {
			t.Errorf("%s: the row is not whole: %+v", h.Name, h)
		}
		if ev, err := h.Decode(h.Sample()); err != nil || ev.Kind != CallEnded || ev.Output == nil || len(h.Sample()) > 2000 {
			t.Errorf("%s: the sample is not of a finished call: %+v, %v", h.Name, ev, err)
		}
		if h.Own != nil {
			continue // the file says what it is called for
		}
		for _, tool := range h.ReplaceTools {
			called := false
			for _, k := range h.HooksOn("windows", Compact) {
				called = called || k.Event == h.ReplaceEvent && h.Matches(k.Matcher, tool)
			}
			if !called {
				t.Errorf("%s: no hook of ours is called for %s", h.Name, tool)
			}
		}
	}
	if _, ok := Find("no such host"); ok {
		t.Error("a host that is not there was found")
	}
}
