package verifier

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// A process that hangs, or that says too much, is ended.
func TestAskChild(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := AskChild(ctx, Request{}, "sleep", "60")
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > 5*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	for script, want := range map[string]string{
		"yes":                               "",
		"echo rubbish":                      "invalid character",
		"echo cairn: error: no >&2; exit 6": "exit status 6: no",
		`echo '{"inputTokens":3,"error":"of no use"}'`: "of no use",
	} {
		a, err := AskChild(t.Context(), Request{}, "sh", "-c", script)
		if err == nil || !strings.Contains(err.Error(), want) || want == "of no use" != (a.InputTokens == 3) {
			t.Errorf("%s: %+v, %v", script, a, err)
		}
	}
}
