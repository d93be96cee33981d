package hook

import (
	"bytes"
	"strings"
	"testing"

	"cairn/internal/compact"
	"cairn/internal/host"
)

// answering is a host with one finished call.
func answering(out *host.Output) host.Host {
	return host.Host{Decode: func([]byte) (host.Event, error) {
		return host.Event{Kind: host.CallEnded, Tool: "Bash", Command: "tool", ExitCode: new(int), Output: out}, nil
	}}
}

func encode(texts []string) ([]byte, error) { return []byte(strings.Join(texts, "\n")), nil }

// What stands in for an output of which the host passes on a part is measured
// by that part, is short, and shows where the host left something out.
func TestClippedByTheHost(t *testing.T) {
	const mark = "[… about 9 KB that the host left out …]"
	long := numbered(1500) + strings.Repeat("the very same line here\n", 400)
	little := func(string) compact.Options { return compact.Options{Level: compact.Minimal} }
	tests := []struct {
		name   string
		out    host.Output
		answer bool
	}{
		{"long", host.Output{Texts: []string{long}, Passed: 10_000}, true},
		{"a marker", host.Output{Texts: []string{strings.Repeat("same\n", 3000) + mark + "\n" + strings.Repeat("same\n", 3000)}, Passed: 10_000, Clipped: mark}, true},
		{"more than the model would get", host.Output{Texts: []string{long}, Passed: 6000}, false},
	}
	for _, tt := range tests {
		tt.out.Encode = encode
		var out bytes.Buffer
		if err := Run(answering(&tt.out), strings.NewReader("{}"), &out, Settings{Compact: little}); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		got := out.String()
		if (got != "") != tt.answer || len(got) > maxPreview+1 || strings.Count(got, tt.out.Clipped+"\n") < 1 && tt.answer {
			t.Errorf("%s: %d bytes: %.300q", tt.name, len(got), got)
		}
	}
}

// A result that the host would not take in another form was not replaced, and
// is not counted as a saving.
func TestNoAnswerIsNoSaving(t *testing.T) {
	none := func([]string) ([]byte, error) { return nil, nil }
	for name, tt := range map[string]struct {
		encode func([]string) ([]byte, error)
		saved  bool
	}{"answered": {encode, true}, "not answered": {none, false}} {
		var used []compact.Meta
		set := Settings{Compact: plain, Used: func(_ string, _ compact.Envelope, m compact.Meta) { used = append(used, m) }}
		var out bytes.Buffer
		h := answering(&host.Output{Texts: []string{lines(3000)}, Encode: tt.encode})
		if err := Run(h, strings.NewReader("{}"), &out, set); err != nil || (out.Len() > 0) != tt.saved {
			t.Errorf("%s: %v, printed %d bytes", name, err, out.Len())
		}
		if len(used) != 1 || (used[0].TokensAfter < used[0].TokensBefore) != tt.saved {
			t.Errorf("%s: counted %+v", name, used)
		}
	}
}
