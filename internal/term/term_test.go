package term

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestHint(t *testing.T) {
	cause := errors.New("the server does not answer")
	err := fmt.Errorf("pull: %w", Hint(cause, "run %s", "cairn sync test"))
	if !errors.Is(err, cause) || HintOf(err) != "run cairn sync test" || HintOf(cause) != "" || Hint(nil, "x") != nil {
		t.Errorf("hint %q of %v", HintOf(err), err)
	}
	var b strings.Builder
	Print(&b, err)
	if want := "cairn: error: pull: the server does not answer\ncairn: hint: run cairn sync test\n"; b.String() != want {
		t.Errorf("printed %q", b.String())
	}
	b.Reset()
	Print(&b, Hint(fmt.Errorf("open a\n::error::\x1b[2J%s", strings.Repeat("é", 5000)), "b\nc"))
	if said := b.String(); !strings.HasPrefix(said, "cairn: error: open a : :error::éé") || !strings.HasSuffix(said, "é…\ncairn: hint: b c\n") || len(said) > 2100 {
		t.Errorf("printed %.100q, %d bytes", said, len(said))
	}
	if IsTerminal(&b) {
		t.Error("a buffer is no terminal")
	}
}
