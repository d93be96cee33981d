package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func call() Event { return Event{Kind: CallEnded, Tool: "Bash"} }

// When what is left of the window is said, and how.
func TestContext(t *testing.T) {
	used := func(tokens, window int) func() (int, int, bool) {
		return func() (int, int, bool) { return tokens, window, true }
	}
	tests := []struct {
		name, config string
		left         float64 // by the bridge; < 0: there is none
		age          int
		event        Event
		want         string
	}{
		{"plenty", "{}", 80, 1, call(), ""},
		{"above the mark", "{}", 35.4, 1, call(), ""},
		{"at the mark", "{}", 35, 1, call(), "Context runs low: 35 % of the usable window is left. Finish"},
		{"without a plan", "", 35, 1, call(), "35 % of the usable window is left. Avoid exploring"},
		{"critical", "{}", 25, 1, call(), "nearly exhausted: 25 % of the usable window is left. Tell the user, and begin nothing new"},
		{"critical without a plan", "", 3, 1, call(), "ask how to go on"},
		{"switched off", `{"hooks":{"context_warnings":false}}`, 3, 1, call(), ""},
		{"stale", "", 3, 61, call(), ""},
		{"nearly stale", "", 3, 59, call(), "nearly"},
		{"from the future", "", 3, -100, call(), ""},
		{"another session", "", 3, 1, Event{Kind: CallEnded, Session: "t", Tool: "Bash"}, ""},
		{"a subagent", "", 3, 1, Event{Kind: CallEnded, Tool: "Bash", Subagent: true}, ""},
		{"a path for a name", "", 3, 1, Event{Kind: CallEnded, Session: "../s", Tool: "Bash"}, ""},

		{"by the record", "{}", -1, 0, Event{Kind: CallEnded, Used: used(140_000, 0)}, "30 % of the usable window"},
		{"its own window", "{}", -1, 0, Event{Kind: CallEnded, Used: used(140_000, 1_000_000)}, ""},
		{"the window of the settings", `{"context_window": 150000}`, -1, 0, Event{Kind: CallEnded, Used: used(140_000, 0)}, "7 % of the usable window"},
		{"more than the window", "{}", -1, 0, Event{Kind: CallEnded, Used: used(300_000, 0)}, ""},
		{"nothing known", "", -1, 0, Event{Kind: CallEnded, Used: used(190_000, 0)}, ""},
		{"a stale bridge knows the window", "", 99, 3600, Event{Kind: CallEnded, Used: used(190_000, 0)}, "5 % of the usable window"},
		{"what the agent keeps free is not usable", "{}", 44, 1, Event{Kind: CallEnded, Tool: "Bash", Reserve: Reserve{Env: "KEPT_FREE", Percent: 16.5}}, "33 % of the usable window"},
		{"as the status line has it", "{}", 28, 1, Event{Kind: CallEnded, Tool: "Bash", Reserve: Reserve{Env: "KEPT_FREE", Percent: 16.5}}, "nearly exhausted: 14 % of the usable window"},
		{"by the record, likewise", "{}", -1, 0, Event{Kind: CallEnded, Used: used(144_000, 200_000), Reserve: Reserve{Percent: 16.5}}, "nearly exhausted: 14 % of the usable window"},
		{"the bridge is believed first", "{}", 99, 1, Event{Kind: CallEnded, Used: used(190_000, 0)}, ""},
	}
	for _, tt := range tests {
		d := newDesk(t, tt.config)
		if tt.left >= 0 {
			d.bridge(t, tt.left, tt.age)
		}
		got := d.hears(tt.event)
		if !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// It is said at once, then after five calls each, and at once again when it
// gets critical.
func TestDebounce(t *testing.T) {
	d := newDesk(t, "{}")
	var said strings.Builder
	for i := range 20 {
		left := 30.0
		if i >= 8 {
			left = 20
		}
		d.bridge(t, left, 0)
		switch got := d.hears(call()); {
		case strings.Contains(got, "exhausted"):
			said.WriteByte('C')
		case got != "":
			said.WriteByte('W')
		default:
			said.WriteByte('.')
		}
	}
	if got, want := said.String(), "W....W..C....C....C."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := "plan -C " + d.root + " state session --stopped-at context exhaustion at 20% (2026-11-21)"
	if len(d.started) != 1 || d.started[0] != want {
		t.Errorf("started %q, want once %q", d.started, want)
	}
}

// Where there is no STATE.md nothing is recorded, and where the work is to be
// taken up stays.
func TestRecords(t *testing.T) {
	d := newDesk(t, "{}")
	d.write(t, ".planning/STATE.md", stateText+"\n## Session Continuity\n\nResume file: .planning/x.md\n")
	d.bridge(t, 10, 0)
	d.hears(call())
	if len(d.started) != 1 || !strings.HasSuffix(d.started[0], " --resume-file .planning/x.md") {
		t.Errorf("started %q", d.started)
	}
	d = newDesk(t, "")
	d.bridge(t, 10, 0)
	d.hears(call())
	if d.started != nil {
		t.Errorf("without a plan: %q", d.started)
	}
}

// Calls that end at the same time, and a status line that is drawn meanwhile:
// of fifty every fifth is told, the files stay whole, and nothing is left over.
func TestConcurrently(t *testing.T) {
	const calls = 50
	d := newDesk(t, "{}")
	d.patience = time.Minute // or a busy machine leaves some untold
	d.bridge(t, 20, 0)
	var mu sync.Mutex
	said := 0
	started := 0
	d.Start = func(...string) { mu.Lock(); started++; mu.Unlock() }
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			got := d.Answer(Event{Kind: CallEnded, Session: "s", Dir: d.root, Tool: "Bash"})
			mu.Lock()
			defer mu.Unlock()
			if got.Text != "" {
				said++
			}
		})
		all.Go(func() {
			if err := d.writeBridge("s", 20, 200_000); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if said != calls/everyCalls || started != 1 {
		t.Errorf("said %d times, recorded %d times", said, started)
	}
	var b bridge
	decode(t, filepath.Join(d.Temp, "claude-ctx-s.json"), &b)
	var w warned
	decode(t, filepath.Join(d.Temp, "claude-ctx-s-warned.json"), &w)
	if b.Left != 20 || b.Used != 80 || w.Level != "critical" || !w.Recorded {
		t.Errorf("%+v, %+v", b, w)
	}
	entries, _ := os.ReadDir(d.Temp)
	if len(entries) != 3 {
		t.Errorf("left over: %v", entries)
	}
}

// The files are the user's own, and what others put in their place is not
// written to and not waited for.
func TestBridgeFiles(t *testing.T) {
	d := newDesk(t, "")
	d.bridge(t, 20, 0)
	d.hears(call())
	for _, name := range []string{"claude-ctx-s.json", "claude-ctx-s-warned.json", "claude-ctx-s-warned.lock"} {
		fi, err := os.Stat(filepath.Join(d.Temp, name))
		if err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, err, fi)
		}
	}
	mine := fmt.Sprintf(`{"remaining_percentage":3,"timestamp":%d}`, d.now.Unix())
	victim := d.write(t, "victim", mine)
	for name, told := range map[string]bool{"bridge.json": false, "count-warned.json": true, "lock-warned.lock": false} {
		if err := os.Symlink(victim, filepath.Join(d.Temp, "claude-ctx-"+name)); err != nil {
			t.Skip(err)
		}
		session, suffix, _ := strings.Cut(name, "-")
		if suffix != "" {
			if err := d.writeBridge(session, 20, 0); err != nil {
				t.Fatal(err)
			}
		}
		session = strings.TrimSuffix(session, ".json")
		if got := d.hears(Event{Kind: CallEnded, Session: session}); (got != "") != told {
			t.Errorf("a link for %s: %q", name, got)
		}
		if data, _ := os.ReadFile(victim); string(data) != mine {
			t.Errorf("a link for %s was written through: %q", name, data)
		}
	}
	for _, session := range []string{"", "a/b", `a\b`, "..", "a..b", "a\x00b", strings.Repeat("x", 300)} {
		if name := d.sessionFile(session, ".json"); name != "" {
			t.Errorf("%q: %s", session, name)
		}
	}
}

// What is left in the bridge is in the form that others read too.
func TestBridgeForm(t *testing.T) {
	d := newDesk(t, "")
	if err := d.writeBridge("s", 64.6, 200_000); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(d.Temp, "claude-ctx-s.json"))
	want := fmt.Sprintf(`{"session_id":"s","remaining_percentage":64.6,"used_pct":35,"timestamp":%d,"window":200000}`, d.now.Unix())
	if err != nil || string(data) != want {
		t.Errorf("%v, %s, want %s", err, data, want)
	}
	d.write(t, filepath.Join(d.Temp, "claude-ctx-o.json"), `{"session_id":"o","remaining_percentage":20,"used_pct":80,"timestamp":`+fmt.Sprint(d.now.Add(-time.Second).Unix())+`}`)
	if got := d.hears(Event{Kind: CallEnded, Session: "o"}); !strings.Contains(got, "20 %") {
		t.Errorf("another's bridge: %q", got)
	}
}
