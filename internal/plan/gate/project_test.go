package gate

import (
	"context"
	"os"
	"testing"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/test/plantest"
)

// project makes a project of files: name → content.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	plantest.Write(t, root, files)
	return root
}

// repository makes a project that is a git repository, with all its files in
// the first commit.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
	} {
		t.Setenv(name, value)
	}
	root := project(t, files)
	run(t, root, "init", "-q", "-b", "main")
	committed(t, root, "first")
	return root
}

func committed(t *testing.T, root, message string) {
	t.Helper()
	run(t, root, "add", "-A")
	run(t, root, "commit", "-q", "--allow-empty", "-m", message)
}

func run(t *testing.T, root string, args ...string) string {
	t.Helper()
	out, err := git.Run(context.Background(), root, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func gitIn(root string) Git {
	return func(args ...string) (string, error) { return git.Run(context.Background(), root, args...) }
}

// ask runs one gate on a phase of the project.
func ask(t *testing.T, root, stream, gate string, stage Stage, phase string) (r Result, err error) {
	t.Helper()
	w, openErr := plan.Open(root, stream)
	if openErr != nil {
		t.Fatal(openErr)
	}
	id, _ := doc.ParsePhaseID(phase)
	err = w.View(func(tx *plan.Tx) error {
		p := tx.Phase(id)
		r = Look(context.Background(), tx, p).Run(gate, stage)
		return nil
	})
	return r, err
}
