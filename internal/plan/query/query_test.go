package query

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/test/plantest"
)

// ask runs one call in dir and returns what it printed.
func ask(t *testing.T, dir string, environ map[string]string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Run(context.Background(), Env{
		Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string { return environ[name] },
	}, args)
	return out.String(), errs.String(), code
}

// project makes a directory of files: name → content.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	plantest.Write(t, root, files)
	return root
}

func TestGrammar(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/phases/01-base/01-01-PLAN.md":                   "",
		".planning/workstreams/side/phases/01-aside/01-01-PLAN.md": "",
		".planning/sub/phases/01-below/01-01-PLAN.md":              "",
	})
	for _, tc := range []struct {
		args    string
		environ map[string]string
		stdout  string
		stderr  string
		code    int
	}{
		{args: "find-phase 1 --pick directory", stdout: ".planning/phases/01-base"},
		{args: "--pick directory find-phase --ws side 1", stdout: ".planning/workstreams/side/phases/01-aside"},
		{args: "find-phase 1 --ws=side --pick=phase_slug", stdout: "aside"},
		{args: "find-phase 1 --pick phase_slug", environ: map[string]string{"GSD_WORKSTREAM": "side"}, stdout: "aside"},
		{args: "find-phase 1 --pick phase_slug", environ: map[string]string{"GSD_PROJECT": "sub"}, stdout: "below"},
		{args: "from-gsd2", stderr: "Error: Not in cairn: the files of .gsd/ are not known here; cairn plan init starts a plan\n", code: 1},
		{args: "find-phase 1 --pick plans[0]", stdout: "01-01-PLAN.md"},
		{args: "find-phase 1 --pick plans[-1]", stdout: "01-01-PLAN.md"},
		{args: "find-phase 1 --pick plans", stdout: `["01-01-PLAN.md"]`},
		{args: "find-phase 1 --pick plans[7]", stderr: "Warning: no field \"plans[7]\" in the result\n"},
		{args: "find-phase 9 --pick directory"},
		{args: "find-phase 1 --pick nothing", stderr: "Warning: no field \"nothing\" in the result\n"},
		{args: "find-phase", stderr: "Error: phase identifier required\n", code: 1},
		{args: "find-phase --json-errors", stderr: `{"ok":false,"reason":"sdk_missing_arg","message":"phase identifier required"}` + "\n", code: 1},
		{args: "nosuch", stderr: "Error: Unknown command: nosuch\n", code: 1},
		{args: "find-fase 1", stderr: "Error: Unknown command: find-fase (did you mean \"find-phase\"?)\n", code: 1},
		{args: "stat load", stderr: "Error: Unknown command: stat (did you mean \"state\"?)\n", code: 1},
		{args: "no.such", stderr: "Error: Unknown command: no.such (did you mean \"no such\"?)\n", code: 1},
		{args: "find-phase 1 --version", stderr: "Error: Unknown flag: --version\n", code: 1},
		{args: "find-phase 1 --ws ../x", stderr: "Error: Invalid workstream name: must be alphanumeric, hyphens, underscores, or dots\n", code: 1},
		{args: "find-phase 1 --cwd", stderr: "Error: Missing value for --cwd\n", code: 1},
		{args: "find-phase 1 --cwd /no/such/dir", stderr: "Error: Invalid --cwd: /no/such/dir\n", code: 1},
	} {
		t.Run(tc.args, func(t *testing.T) {
			stdout, stderr, code := ask(t, dir, tc.environ, strings.Fields(tc.args)...)
			if stdout != tc.stdout || stderr != tc.stderr || code != tc.code {
				t.Errorf("printed %q, said %q, exit %d; want %q, %q, %d", stdout, stderr, code, tc.stdout, tc.stderr, tc.code)
			}
		})
	}
	stdout, _, code := ask(t, dir, nil, "find-phase", "-h")
	if code != 0 || !strings.HasPrefix(stdout, "Usage: gsd-tools") || !strings.Contains(stdout, "\nCommands: ") {
		t.Errorf("help printed %q, exit %d", stdout, code)
	}
	if _, stderr, code := ask(t, dir, nil); code != 1 || !strings.HasPrefix(stderr, "Usage: gsd-tools") {
		t.Errorf("without arguments it said %q, exit %d", stderr, code)
	}
}

// The compatibility surface reads a project and leaves it as it was.
func TestReadsWriteNothing(t *testing.T) {
	dir := project(t, map[string]string{".planning/phases/01-base/01-01-PLAN.md": "", ".planning/config.json": `{"depth":"quick"}`})
	ask(t, dir, nil, "find-phase", "1")
	entries, err := os.ReadDir(filepath.Join(dir, ".planning"))
	if err != nil || len(entries) != 2 {
		t.Errorf("the planning directory holds %v, %v", entries, err)
	}
}
