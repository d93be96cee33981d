package install

import (
	"encoding/json"
	"errors"
	"testing"

	"cairn/internal/host"
	"cairn/internal/jsonc"
)

// Whatever settings a user has: what is registered is found again, plain JSON
// stays plain JSON, and taking it out gives the same bytes.
func FuzzRegister(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte("{\"hooks\": {\"PostToolUse\": [ // x\n], \"Stop\": null,}, /* y */}"))
	f.Add([]byte("\ufeff{\r\n\t\"hooks\": null\r\n}"))
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"command":"a"}]}]},"hooks":{ }}`))
	f.Add([]byte(`{"hooks":{"PostToolUse":[null,[],{"hooks":{"0":{}}}]}}`))
	f.Add([]byte("{\"model\": /* mine */ \"opus\", \"line\": {\n// x\n}}"))
	f.Add([]byte(`{"version": 1, "hooks":{"postToolUse":[{"command":"a"}, {"command":"b", "hooks": []}]}}`))
	var claude, flat Target
	claude.Host, _ = host.Find("claude")
	flat.Host = claude.Host
	flat.Host.Shape.Flat = true
	m := Machine{Home: "/home/dev/.cairn", GOOS: "linux"}
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzRegister(t, text, m.registrations(claude, host.Parts()))
		fuzzRegister(t, text, m.registrations(flat, host.Parts()))
	})
}

func fuzzRegister(t *testing.T, text []byte, want []registration) {
	ours := func(command string) bool { return command == want[0].handler.Command }
	d, err := jsonc.Parse(text)
	if err != nil || countOurs(d, ours) > 0 {
		return
	}
	var members []SetMember
	for _, k := range []SetMember{{Path: []string{"line"}, Value: `{"a": [1]}`}, {Path: []string{"hooks", "of", "ours"}, Value: "true"}, {Path: []string{"model"}, Value: "1"}} {
		if d.Kind(pathOf(k.Path)) != 0 {
			k.Was = d.Text(pathOf(k.Path))
		}
		if !same(d, k) {
			members = append(members, k)
		}
	}
	in, was, err := register(d, want, members)
	var shape *shapeError
	if errors.As(err, &shape) {
		return
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if left := missing(in, want, ours); len(left) > 0 || countOurs(in, ours) != len(want) {
		t.Fatalf("%q: registered\n%s\nmissing %v", text, in.Bytes(), left)
	}
	if json.Valid(text) && !json.Valid(in.Bytes()) {
		t.Fatalf("%q: no longer plain JSON:\n%s", text, in.Bytes())
	}
	if n := countMembers(in, members, ours); n != len(members) {
		t.Fatalf("%q: %d of %d members are set\n%s", text, n, len(members), in.Bytes())
	}
	out, err := unregister(in, ours, members, was, true)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if string(out.Bytes()) != string(text) {
		t.Fatalf("%q: in\n%s\nout %q", text, in.Bytes(), out.Bytes())
	}
}
