package query

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

// BenchmarkSample measures queries on the project that PLAN_SAMPLE names,
// without the start of the process; scripts/planproject makes one.
func BenchmarkSample(b *testing.B) {
	root := os.Getenv("PLAN_SAMPLE")
	if root == "" {
		b.Skip("PLAN_SAMPLE names no project")
	}
	for _, args := range [][]string{{"history-digest"}, {"stats", "json"}, {"progress", "json"}, {"audit-uat"}, {"validate", "health"}, {"validate", "consistency"}, {"init", "manager"}} {
		b.Run(strings.Join(args, "-"), func(b *testing.B) {
			for b.Loop() {
				env := Env{Dir: root, Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}
				if code := Run(context.Background(), env, args); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}
