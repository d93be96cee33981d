package shim

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/rule"
)

// A host that moves a call to the background at its timeout shows the agent
// what was written until then: something must be.
func TestFirstPartComesBeforeTheTimeout(t *testing.T) {
	tests := map[string]struct {
		call Call
		env  string
	}{
		"named by the call":  {Call{Timeout: 500 * time.Millisecond}, ""},
		"set for every call": {Call{}, "500"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := os.Create(filepath.Join(t.TempDir(), "out"))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			lib := rule.Load()
			p := newPacer(Options{
				Args: []string{"make", "all"}, Stdout: out, Compact: compact.Options{Library: lib},
				Getenv: func(k string) string { return map[string]string{"BASH_DEFAULT_TIMEOUT_MS": tt.env}[k] },
			}, tt.call)
			if !p.patient {
				t.Fatal("make is not taken for a tool that ends soon")
			}
			size := func() int64 { fi, _ := out.Stat(); return fi.Size() }
			for time.Since(p.start) < 300*time.Millisecond {
				p.follow([]byte("tick\n"))
				time.Sleep(20 * time.Millisecond)
			}
			if size() > 0 {
				t.Error("a part came while the output may be held")
			}
			for time.Since(p.start) < 450*time.Millisecond {
				p.follow([]byte("tick\n"))
				time.Sleep(20 * time.Millisecond)
			}
			if size() == 0 {
				t.Error("nothing was shown at 80 % of the timeout")
			}
		})
	}
}
