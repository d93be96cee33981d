package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Axe returns what axe-core finds on the open page that keeps people from
// reading or using it: a line for each finding of serious or critical impact.
// Where axe-core is not installed it finds nothing, and says why;
// scripts/setup.sh installs it. It runs over the debugger, which the page's
// policy does not bind.
func (tab *Tab) Axe() (findings []string) {
	tab.t.Helper()
	script, err := axe()
	if err != nil {
		tab.t.Logf("not looked at: %v", err)
		return nil
	}
	tab.Eval("(() => { if (!window.axe) {"+script+"\n} })()", nil)
	tab.Eval(`axe.run(document, { resultTypes: ["violations"] }).then(found => found.violations
		.filter(v => v.impact === "serious" || v.impact === "critical")
		.flatMap(v => v.nodes.slice(0, 5).map(n => v.impact + " " + v.id + ": " + n.target.join(" ") + ": " + (n.any[0] || n.all[0] || n.none[0] || {}).message)))`, &findings)
	return findings
}

// axe reads axe-core's script, which is somewhere above a test's directory.
func axe() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "test", "axe", "node_modules", "axe-core", "axe.min.js"))
		if err == nil {
			return strings.TrimSpace(string(data)), nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("axe-core is not installed: scripts/setup.sh")
		}
	}
}
