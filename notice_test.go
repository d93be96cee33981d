package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var allowedLicense = regexp.MustCompile(`^(MIT|Apache-2\.0|BSD-[23]-Clause|ISC|CC0-1\.0|Unlicense)$`)

// Every library is in NOTICE, and nothing in NOTICE has a license that would
// bind those who use cairn.
func TestNotice(t *testing.T) {
	notice, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, line := range strings.Split(string(notice), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(line, "| license |") {
			continue
		}
		project, license := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		named[project] = true
		if !allowedLicense.MatchString(license) {
			t.Errorf("%s: license %q may not be drawn from", project, license)
		}
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(mod), "\n") {
		fields := strings.Fields(line)
		if len(fields) >= 2 && strings.HasPrefix(line, "\t") && !named[fields[0]] {
			t.Errorf("NOTICE does not name %s", fields[0])
		}
	}
}

// Every direct dependency says in go.mod what it is for.
func TestDependenciesHaveReasons(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(mod), "\n") {
		if strings.HasPrefix(line, "\t") && !strings.Contains(line, "// ") {
			t.Errorf("no reason: %s", strings.TrimSpace(line))
		}
		if strings.HasPrefix(line, "replace") {
			t.Errorf("a replaced module would not build elsewhere: %s", line)
		}
	}
}
