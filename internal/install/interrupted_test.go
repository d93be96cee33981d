package install

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cairn/internal/host"
)

// A renewal that ended right after its manifest: either text may be there, and
// every file is known that was.
func TestRenewalInterrupted(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	put(t, m, target, version("1", pieces...))
	mine := body("1", pieces[0]) + "mine\n"
	write(t, at(target, pieces[0]), mine, 0o600)
	p, err := m.PlanInstall(target, version("2", pieces[:2]...))
	if err == nil {
		_, err = m.backUp(target, p.edited)
	}
	if err == nil {
		err = m.writeManifest(target, p.transition())
	}
	if err != nil {
		t.Fatal(err)
	}
	left := tree(t, m.Home.InstallEdited())

	p, err = m.PlanInstall(target, version("2", pieces[:2]...))
	if err != nil || !slices.Equal(p.Edited, pieces[:1]) || p.edited[0].Base != digest([]byte(body("1", pieces[0]))) {
		t.Fatalf("%+v, %v", p.edited, err)
	}
	if _, err = p.Apply(); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, m.Home.InstallEdited()); got != left {
		t.Errorf("kept twice:\n%s", got)
	}
	if exists(at(target, pieces[2])) || read(t, at(target, pieces[1])) != body("2", pieces[1]) {
		t.Errorf("not completed:\n%s", tree(t, target.Dir))
	}

	// Without the kept texts the manifest still tells the older text from an edit.
	p, err = m.PlanInstall(target, version("3", pieces[:2]...))
	if err == nil {
		err = m.writeManifest(target, p.transition())
	}
	if err == nil {
		err = os.RemoveAll(m.Home.InstallTexts())
	}
	if err != nil {
		t.Fatal(err)
	}
	if p = put(t, m, target, version("3", pieces[:2]...)); len(p.Edited) > 0 {
		t.Errorf("edited: %v", p.Edited)
	}
	takeOut(t, m, target, nil, host.Parts()...)
	if exists(target.Dir) {
		t.Errorf("left:\n%s", tree(t, target.Dir))
	}
}

// Where the manifest is lost, the kept texts say what is ours.
func TestManifestLost(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	put(t, m, target, version("1", pieces...))
	if err := os.Remove(m.manifestPath(target, ".json")); err != nil {
		t.Fatal(err)
	}
	put(t, m, target, version("2", pieces...))
	if got := read(t, at(target, pieces[0])); got != body("2", pieces[0]) {
		t.Errorf("it was not renewed: %q", got)
	}
}

// Who waited for a lock whose holder took its file away does not have it.
func TestLockThatWasRemoved(t *testing.T) {
	t.Parallel()
	m, _ := sandbox(t)
	if err := os.MkdirAll(filepath.Dir(string(m.Home)), 0o755); err != nil {
		t.Fatal(err)
	}
	first, err := m.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan func())
	go func() {
		release, err := m.Lock(context.Background())
		if err != nil {
			t.Error(err)
		}
		got <- release
	}()
	time.Sleep(50 * time.Millisecond) // it waits
	first()
	second := <-got
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if third, err := m.Lock(ctx); err == nil {
		third()
		t.Error("two have the lock")
	}
	second()
	if exists(string(m.Home)) {
		t.Errorf("left:\n%s", tree(t, string(m.Home)))
	}
}
