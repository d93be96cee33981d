package known

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNewer(t *testing.T) {
	for _, tt := range []struct{ latest, installed, want string }{
		{"1.2.4", "1.2.3", "1.2.4"}, {"v1.2.4", "v1.2.3", "v1.2.4"}, {"1.10.0", "1.9.9", "1.10.0"}, {"2.0.0", "1.99.99", "2.0.0"},
		{"1.2.3", "1.2.3", ""}, {"1.2.2", "1.2.3", ""}, {"1.2.3", "v1.2.3-0.20260101000000-abcdef", ""}, {"1.2.3", "1.2.3+dirty", ""},
		{"1.3.0", "(devel)", ""}, {"1.3.0", "", ""}, {"", "1.2.3", ""}, {"1.3", "1.2.3", ""}, {"1.2.3.4", "1.2.2", ""}, {"-1.0.0", "0.0.0", ""}, {"1.+2.0", "1.1.0", ""},
	} {
		if got := Newer(tt.latest, tt.installed); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.latest, tt.installed, got, tt.want)
		}
	}
}

func TestLook(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for age, want := range map[time.Duration]bool{0: false, 23 * time.Hour: false, 24 * time.Hour: true, -time.Hour: true} {
		if got := (Look{Checked: now.Add(-age)}).IsDue(now); got != want {
			t.Errorf("%s ago: %v", age, got)
		}
	}
	name := filepath.Join(t.TempDir(), "update.json")
	if !Read(name).IsDue(now) {
		t.Error("without a look")
	}
	for text, want := range map[string]string{
		`{"checked":"2026-11-21T08:00:00Z","latest":"1.4.0","update_available":true}`: "1.4.0",
		`{"latest": 3}`: "", "": "", "[]": "", strings.Repeat(" ", 20<<10) + `{"latest":"1.4.0"}`: "",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Last(name); got != want {
			t.Errorf("%.60q: %q", text, got)
		}
	}
}
