package compact

import (
	"os"
	"strings"
	"testing"

	"cairn/internal/compact/rule"
)

// The example in docs/rules.md does what the page says.
func TestDocumentedRule(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "```json\n")
	text, _, _ := strings.Cut(after, "```")
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/shipit.json", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lib := rule.Load(dir)
	if bad := lib.Check(); len(bad) > 0 {
		t.Fatal(bad)
	}
	var b strings.Builder
	b.WriteString("shipit: rolling out release 41\nrelease 41 of shop\n")
	for i := range 40 {
		host := "[web-" + string(rune('a'+i%26)) + "]"
		b.WriteString(host + " connected\n" + host + " unpacking release\n" + host + " linking\n")
		if i == 7 {
			b.WriteString(host + " FAILED\nno space left on device\nwhile writing app.tar\n" + host + " left as it was\n")
			continue
		}
		b.WriteString(host + " healthy\n")
	}
	b.WriteString("rolled out to 39 of 40 hosts\n")
	exit := 1
	res := Compact(Envelope{Command: "shipit up", CombinedText: b.String(), ExitCode: &exit}, Options{Level: Normal, Library: lib})
	for _, want := range []string{"deploy/shipit", "release 41 of shop", "[web-h] FAILED\nno space left on device\nwhile writing app.tar\n[web-h] left as it was", "39 hosts healthy", "rolled out to 39 of 40 hosts"} {
		if !strings.Contains(res.Reduced, want) {
			t.Errorf("no %q in:\n%s", want, res.Reduced)
		}
	}
	if strings.Contains(res.Reduced, "connected") {
		t.Errorf("a dropped line is there:\n%s", res.Reduced)
	}
}
