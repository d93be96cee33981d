package guard

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/internal/plan/doc"
)

func percent(f float64) *float64 { return &f }

func says(text string) func() string { return func() string { return text } }

var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// What the line says, without its colors.
func TestLine(t *testing.T) {
	const model, dir = "Sonnet 4.5", "/home/dev/proj"
	tests := []struct {
		name, config string
		status       Status
		guard        Guard
		want         string
	}{
		{"as it begins", "", Status{Model: model, Dir: dir}, Guard{}, "Sonnet 4.5 │ proj"},
		{"nothing used", "", Status{Model: model, Dir: dir, Left: percent(100)}, Guard{}, "Sonnet 4.5 │ proj │ ██████████ 100%"},
		{"half used", "", Status{Model: model, Dir: dir, Left: percent(58.25)}, Guard{}, "Sonnet 4.5 │ proj │ █████░░░░░ 50%"},
		{"only the reserve is left", "", Status{Model: model, Dir: dir, Left: percent(16.5)}, Guard{}, "Sonnet 4.5 │ proj │ 💀 ░░░░░░░░░░ 0%"},
		{"less", "", Status{Model: model, Dir: dir, Left: percent(-3)}, Guard{}, "Sonnet 4.5 │ proj │ 💀 ░░░░░░░░░░ 0%"},
		{
			"another reserve", "", Status{Model: model, Dir: dir, Left: percent(75), Size: 200_000},
			Guard{Getenv: func(string) string { return "100000" }}, "Sonnet 4.5 │ proj │ █████░░░░░ 50%",
		},
		{
			"all is reserved", "", Status{Model: model, Dir: dir, Left: percent(75), Size: 200_000},
			Guard{Getenv: func(string) string { return "300000" }}, "Sonnet 4.5 │ proj │ 💀 ░░░░░░░░░░ 0%",
		},
		{"savings", "", Status{Model: model, Dir: dir, Left: percent(100)}, Guard{Saved: func(string) int { return 12_345 }}, "Sonnet 4.5 │ proj │ ██████████ 100% saved 12.3k"},
		{"what it does", "", Status{Model: model, Dir: dir, Task: says("Writing tests")}, Guard{}, "Sonnet 4.5 │ Writing tests │ proj"},
		{"a newer version", "", Status{Model: model, Dir: dir}, Guard{Newer: says("1.4.0")}, "⬆ cairn update (1.4.0) │ Sonnet 4.5 │ proj"},
		{"none", "", Status{Model: model, Dir: dir}, Guard{Newer: says("")}, "Sonnet 4.5 │ proj"},
		{"the plan", "{}", Status{Model: model}, Guard{}, "Sonnet 4.5 │ v1.0 Billing [███░░░░░░░] 25% · executing · API (2/5) │ DIR"},
		{"a task first", "{}", Status{Model: model, Task: says("Writing")}, Guard{}, "Sonnet 4.5 │ Writing │ DIR"},
		{"the context in front", `{"statusline":{"context_position":"front"}}`, Status{Model: model, Left: percent(100), Task: says("x")}, Guard{}, "██████████ 100% │ Sonnet 4.5 │ x │ DIR"},
		{"the last command", `{"statusline":{"show_last_command":true}}`, Status{Model: model, Task: says("x"), Command: says("/cairn-next")}, Guard{}, "Sonnet 4.5 │ x │ DIR │ /cairn-next"},
		{"not asked for", `{}`, Status{Model: model, Task: says("x"), Command: says("/cairn-next")}, Guard{}, "Sonnet 4.5 │ x │ DIR"},
		{"what agents cost", "", Status{Model: model, Dir: dir}, Guard{Spent: func() (string, int) { return "$4.10 today", 0 }}, "Sonnet 4.5 │ proj │ $4.10 today"},
		{"nothing was spent", "", Status{Model: model, Dir: dir}, Guard{Spent: func() (string, int) { return "", 0 }}, "Sonnet 4.5 │ proj"},
		{"what a terminal would obey", "", Status{Model: "a\x1b]0;evil\x07b\u202ec", Dir: "/x/y\nz", Task: says("\x1b[2J")}, Guard{}, "a ]0;evil bc │ [2J │ y z"},
	}
	for _, tt := range tests {
		d := newDesk(t, tt.config)
		tt.status.Reserve = Reserve{Env: "KEPT_FREE", Percent: 16.5}
		d.Getenv, d.Saved, d.Newer, d.Spent = tt.guard.Getenv, tt.guard.Saved, tt.guard.Newer, tt.guard.Spent
		if d.Getenv == nil {
			d.Getenv = func(string) string { return "" }
		}
		if tt.status.Dir == "" {
			tt.status.Dir = d.root
		}
		got := strings.ReplaceAll(colors.ReplaceAllString(d.Line(tt.status), ""), filepath.Base(d.root), "DIR")
		if got != tt.want {
			t.Errorf("%s: %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// The color says how much of what can be used is used.
func TestLineColors(t *testing.T) {
	for left, want := range map[float64]string{
		51: "\x1b[32m", 50: "\x1b[33m", 36: "\x1b[33m", 35: "\x1b[38;5;208m", 26: "\x1b[38;5;208m", 25: "\x1b[5;31m💀 ", 0: "\x1b[5;31m💀 ",
	} {
		if got := meter(left); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %q, want %q", left, got, want)
		}
	}
}

func TestSpentColors(t *testing.T) {
	for level, want := range map[int]string{0: "\x1b[2m", 80: "\x1b[33m", 100: "\x1b[31m"} {
		if got := spent("$4.10 today", level); !strings.HasPrefix(got, want) {
			t.Errorf("%d: %q, want %q", level, got, want)
		}
	}
}

// The line leaves the bridge once it knows what is left.
func TestLineLeavesBridge(t *testing.T) {
	d := newDesk(t, "")
	d.Line(Status{Session: "s", Dir: d.root})
	if entries, _ := os.ReadDir(d.Temp); len(entries) > 0 {
		t.Errorf("left %v", entries)
	}
	d.Line(Status{Session: "s", Dir: d.root, Left: percent(30), Size: 1000})
	if b, ok := d.readBridge("s"); !ok || b.Left != 30 || b.Size != 1000 || b.Timestamp != d.now.Unix() {
		t.Errorf("%+v, %v", b, ok)
	}
}

func TestPosition(t *testing.T) {
	front := func(lines string) string {
		return "---\nmilestone: v2\nstatus: executing\n" + lines + "\n---\n\nPhase: 2 of 5 (API)\n"
	}
	tests := []struct{ state, want string }{
		{front("active_phase: 3.1"), "v2 · Phase 3.1 · executing"},
		{front("next_action: plan\nnext_phases: [4, 5]"), "v2 · next plan 4/5"},
		{front("next_action: plan"), "v2 · executing · API (2/5)"},
		{front("progress:\n  percent: 100"), "v2 [██████████] 100% · milestone complete"},
		{front("progress:\n  total_phases: 3\n  completed_phases: 3"), "v2 · milestone complete"},
		{front("progress:\n  total_phases: 7\n  completed_phases: 3\n  percent: 44"), "v2 [████░░░░░░] 44% · executing · API (2/7)"},
		{"**Current Phase:** 02\n**Status:** Planning\n", "Planning · ph 02"},
		{"Progress: [█░░░░░░░░░] 10%\nStatus: Ready to plan\n", "[█░░░░░░░░░] 10% · Ready to plan"},
		{"", ""},
		{"# State\n\nnothing here\n", ""},
	}
	for _, tt := range tests {
		if got := said(doc.State{Text: doc.Parse([]byte(tt.state))}); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.state, got, tt.want)
		}
	}
}

// Where there is a roadmap the line says what `cairn plan next` goes by, whatever
// STATE.md says; only what that wants to be shown comes before it.
func TestLineAsksTheFiles(t *testing.T) {
	line := func(d *desk) string { return colors.ReplaceAllString(d.Line(Status{Model: "m", Dir: d.root}), "") }
	d := newDesk(t, "{}")
	d.write(t, ".planning/ROADMAP.md", "# R\n- [x] **Phase 1: Base**\n- [ ] **Phase 2: Api**\n")
	d.write(t, ".planning/phases/02-api/02-01-PLAN.md", "x\n")
	d.write(t, ".planning/phases/02-api/02-02-PLAN.md", "x\n")
	d.write(t, ".planning/phases/02-api/02-01-SUMMARY.md", "x\n")
	for _, step := range []struct{ file, text, want string }{
		{"", "", "v1.0 Billing [████████░░] 75% · in progress · phase 2 Api (2/2)"},
		{".planning/phases/02-api/02-02-SUMMARY.md", "x\n", "v1.0 Billing [██████████] 99% · executed · phase 2 Api (2/2)"},
		{".planning/phases/02-api/02-VERIFICATION.md", "---\nstatus: gaps_found\n---\n", "v1.0 Billing [██████████] 99% · gaps · phase 2 Api (2/2)"},
		{".planning/ROADMAP.md", "# R\n- [x] **Phase 1: Base**\n- [x] **Phase 2: Api**\n", "v1.0 Billing [██████████] 100% · milestone complete"},
		{".planning/STATE.md", strings.Replace(stateText, "status:", "active_phase: 3.1\nstatus:", 1), "v1.0 Billing [███░░░░░░░] 25% · Phase 3.1 · executing"},
	} {
		if step.file != "" {
			d.write(t, step.file, step.text)
		}
		if got, want := line(d), "m │ "+step.want+" │ "+filepath.Base(d.root); got != want {
			t.Errorf("%s: %s, want %s", step.file, got, want)
		}
	}
}
