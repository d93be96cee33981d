package compact

import (
	"strings"
	"testing"
)

// What ran in a CI job is cut by its own rule, whatever gh puts before its
// lines, and each line is there without that once.
func TestLogOfACIJob(t *testing.T) {
	at := "2026-11-20T20:11:22.3358517Z "
	var b strings.Builder
	for _, l := range []string{"##[group]Run go test ./...", "shell: /usr/bin/bash -e {0}", "##[endgroup]"} {
		b.WriteString("unit\tTest\t" + at + l + "\n")
	}
	for range 30 {
		b.WriteString("unit\tTest\t" + at + "ok  \texample.com/shop/cart\t0.012s\n")
	}
	for _, l := range []string{"--- FAIL: TestTotal (0.00s)", "    cart_test.go:14: got 450, want 400", "FAIL", "FAIL\texample.com/shop/order\t0.010s", "##[error]Process completed with exit code 1."} {
		b.WriteString("unit\tTest\t" + at + l + "\n")
	}
	b.WriteString("unit\tPost Run actions/checkout@v4\t" + at + "Post job cleanup.\n")
	res := reduce("gh run view 9180 --log-failed", b.String())
	if res.Meta.Rule != "tests/go" {
		t.Errorf("rule %s", res.Meta.Rule)
	}
	holds(t, res, 10, "unit › Test (2026-11-20T20:11:22.3358517Z):", "##[group]Run go test ./...", "--- FAIL: TestTotal", "    cart_test.go:14: got 450, want 400", "##[error]Process completed with exit code 1.")
	for _, gone := range []string{at + "ok", at + "FAIL", "shell:", "Post job"} {
		if strings.Contains(res.Reduced, gone) {
			t.Errorf("%q is there:\n%s", gone, res.Reduced)
		}
	}
	// So is one that was saved to a file.
	if saved := reduce("cat job.log", b.String()); saved.Reduced != res.Reduced {
		t.Errorf("cut otherwise:\n%s", saved.Reduced)
	}
}
