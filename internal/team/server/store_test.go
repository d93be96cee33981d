package server

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

var ctx = context.Background()

func TestDataDirectory(t *testing.T) {
	p := Place{Dir: filepath.Join(t.TempDir(), "a", "data")}
	if _, err := Join(ctx, p); !errors.Is(err, ErrNoData) {
		t.Errorf("before any server: %v", err)
	}
	st, err := Open(ctx, p, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, p, true); !errors.Is(err, ErrLocked) {
		t.Errorf("a second server: %v", err)
	}
	beside, err := Join(ctx, p)
	if err != nil {
		t.Fatalf("beside a server: %v", err)
	}
	beside.Close()
	if enforcesModes {
		filepath.WalkDir(p.Dir, func(name string, _ fs.DirEntry, err error) error {
			if fi, err := os.Stat(name); err != nil || fi.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v, %v", name, fi.Mode(), err)
			}
			return nil
		})
	}
	dbtest.Exec(t, st.DB, `insert into cairn.migrations (name, sha256) values ('9999_future.sql', '')`)
	st.Close()
	for name, err := range map[string]error{"Open": second(Open(ctx, p, true)), "Open --no-migrate": second(Open(ctx, p, false)), "Join": second(Join(ctx, p))} {
		if !errors.Is(err, db.ErrNewer) {
			t.Errorf("%s of a newer database: %v", name, err)
		}
	}
}

func second(_ *Store, err error) error { return err }

func TestBrokenDatabase(t *testing.T) {
	p := Place{Dir: t.TempDir()}
	if err := os.WriteFile(p.Embedded(), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, p, true); err == nil || !strings.Contains(err.Error(), p.Embedded()) {
		t.Errorf("Open: %v", err)
	}
	if checks := Examine(ctx, p, TLS{}); !slices.ContainsFunc(checks, func(c Check) bool { return c.Status == Fail }) {
		t.Errorf("%+v", checks)
	}
	// What failed let go of the directory.
	lock, err := lockDir(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	lock.Unlock()
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() == 0 || !enforcesModes {
		t.Skip("modes do not stop this user")
	}
	dir := t.TempDir()
	os.Chmod(dir, 0o500)
	if _, err := Open(ctx, Place{Dir: dir}, true); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}

func TestBackupAndRestore(t *testing.T) {
	p := Place{Dir: filepath.Join(t.TempDir(), "data")}
	st, err := Open(ctx, p, true)
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Team(t, st.DB, "before")
	file := filepath.Join(t.TempDir(), "backup.db")
	if _, err := Backup(ctx, p, file); err != nil { // the server runs
		t.Fatal(err)
	}
	if _, err := Backup(ctx, p, file); !errors.Is(err, ErrExists) {
		t.Errorf("over a backup: %v", err)
	}
	dbtest.Team(t, st.DB, "after")
	if _, err := Restore(ctx, p, file, true, false); !errors.Is(err, ErrLocked) {
		t.Errorf("under a server: %v", err)
	}
	st.Close()
	if _, err := Restore(ctx, p, file, false, false); !errors.Is(err, ErrExists) {
		t.Errorf("over a database: %v", err)
	}
	good, _ := os.ReadFile(file)
	sum, _ := os.ReadFile(digestFile(file))
	for name, spoil := range map[string]func(){
		"changed":    func() { os.WriteFile(file, append([]byte("X"), good[1:]...), 0o600) },
		"cut off":    func() { os.WriteFile(file, good[:len(good)/2], 0o600) },
		"of another": func() { os.WriteFile(digestFile(file), []byte(strings.Repeat("0", 64)+"  x\n"), 0o600) },
		"no digest":  func() { os.WriteFile(digestFile(file), []byte("x\n"), 0o600) },
	} {
		spoil()
		if _, err := Restore(ctx, p, file, true, false); !errors.Is(err, ErrBackup) {
			t.Errorf("%s: %v", name, err)
		}
		os.WriteFile(file, good, 0o600)
		os.WriteFile(digestFile(file), sum, 0o600)
	}
	// Pages of a backup whose checksum agrees are looked at, too.
	os.Remove(digestFile(file))
	if _, err := Restore(ctx, p, file, true, false); !errors.Is(err, ErrNoDigest) {
		t.Errorf("without a checksum: %v", err)
	}
	torn := append([]byte{}, good...)
	copy(torn[8192:], make([]byte, 4096))
	os.WriteFile(file, torn, 0o600)
	if _, err := Restore(ctx, p, file, true, true); !errors.Is(err, ErrBackup) {
		t.Errorf("with a torn page: %v", err)
	}
	if n := teams(t, p); n != 2 {
		t.Fatalf("%d teams after restores that failed, want 2", n)
	}
	os.WriteFile(file, good, 0o600)
	r, err := Restore(ctx, p, file, true, true)
	if err != nil {
		t.Fatal(err)
	}
	if n := teams(t, p); n != 1 {
		t.Errorf("%d teams after the restore, want 1", n)
	}
	left, _ := filepath.Glob(filepath.Join(p.Dir, ".cairn-*"))
	if r.Kept == "" || len(left) > 0 {
		t.Errorf("%+v, left behind: %v", r, left)
	}
	if err := os.Rename(r.Kept, p.Embedded()); err != nil {
		t.Fatal(err)
	}
	if n := teams(t, p); n != 2 {
		t.Errorf("%d teams in the database that was kept, want 2", n)
	}
}

func teams(t *testing.T, p Place) int {
	t.Helper()
	st, err := Join(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	return dbtest.Count(t, st.DB, `select count(*) from teams`)
}

func TestRestoreRefusesNewer(t *testing.T) {
	p := Place{Dir: t.TempDir()}
	st, err := Open(ctx, p, true)
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Exec(t, st.DB, `insert into cairn.migrations (name, sha256) values ('9999_future.sql', '')`)
	file := filepath.Join(t.TempDir(), "newer.db")
	if err := st.DB.Backup(ctx, file); err != nil {
		t.Fatal(err)
	}
	st.Close()
	to := Place{Dir: t.TempDir()}
	if _, err := Restore(ctx, to, file, false, true); !errors.Is(err, db.ErrNewer) || !errors.Is(err, ErrBackup) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(to.Embedded()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was put there: %v", err)
	}
}

func TestExamine(t *testing.T) {
	p := Place{Dir: filepath.Join(t.TempDir(), "data")}
	if checks := Examine(ctx, p, TLS{}); len(checks) != 1 || checks[0].Status != Fail {
		t.Errorf("without a directory: %+v", checks)
	}
	st, err := Open(ctx, p, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Examine(ctx, p, TLS{}) {
		if c.Status != Good || c.Name == "lock" && c.Detail != "a server runs on it" {
			t.Errorf("while a server runs: %+v", c)
		}
	}
	st.Close()
	status := func(name string) string {
		for _, c := range Examine(ctx, p, TLS{Cert: "/nothing", Key: "/nothing"}) {
			if c.Name == name {
				return c.Status
			}
		}
		return ""
	}
	if got := status("TLS"); got != Fail {
		t.Errorf("a certificate that is not there: %q", got)
	}
	if enforcesModes {
		os.Chmod(p.Embedded(), 0o644)
		if got := status("files"); got != Fail {
			t.Errorf("a database that others read: %q", got)
		}
		if got := status("integrity"); got != Good {
			t.Errorf("the rest is not looked at: integrity %q", got)
		}
	}
}
