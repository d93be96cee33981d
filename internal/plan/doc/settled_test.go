package doc

import "testing"

func TestSaysSettled(t *testing.T) {
	for item, want := range map[string]bool{
		"the key is missing — RESOLVED by 01-01": true, "~~no key~~ **Cleared 2026-08-20**": true, "✅ [Phase 3] no key": true, "**RESOLVED (2026-08-13):** no key": true,
		"the key is not resolved": false, "NOT RESOLVED: no key": false, "UNRESOLVED: no key": false, "how names are resolved": false, "no key": false,
	} {
		if got := SaysSettled(item); got != want {
			t.Errorf("%q is settled: %v", item, got)
		}
	}
}
