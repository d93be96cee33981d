package local

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/record"
)

func retro(t *testing.T, date string) record.Row {
	t.Helper()
	f, err := record.Read(record.Retro, []byte(`{"date":"`+date+`","metrics":{"commits":47}}`), record.Context{Repo: "acme/app", Time: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	return f.Rows[0]
}

func put(t *testing.T, s *Store, row record.Row, want bool) {
	t.Helper()
	if fresh, err := s.Put(row); err != nil || fresh != want {
		t.Fatalf("put: %v, %v; want %v", fresh, err, want)
	}
}

func all(t *testing.T, s *Store) (keys []string) {
	t.Helper()
	if err := s.Each("retro_snapshots", func(row record.Row) error {
		keys = append(keys, row.IngestKey)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestPut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "records")
	a, b := retro(t, "2026-08-01"), retro(t, "2026-08-08")
	s := Open(dir)
	put(t, s, a, true)
	put(t, s, a, false)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = Open(dir)
	put(t, s, a, false)
	put(t, s, b, true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := all(t, Open(dir)); len(got) != 2 || got[0] != a.IngestKey || got[1] != b.IngestKey {
		t.Errorf("%v", got)
	}
	fi, err := os.Stat(filepath.Join(dir, "retro_snapshots.jsonl"))
	if err != nil || runtime.GOOS != "windows" && fi.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", fi, err)
	}
}

// A process that was killed, and two at once, leave a file that still tells
// what is there.
func TestTornAndTwice(t *testing.T) {
	dir := t.TempDir()
	a, b := retro(t, "2026-08-01"), retro(t, "2026-08-08")
	file := filepath.Join(dir, "retro_snapshots.jsonl")
	text := string(a.Body) + "\n" + string(a.Body) + "\n[]\n" + string(b.Body[:40])
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Open(dir)
	put(t, s, b, true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := all(t, Open(dir)); len(got) != 2 || got[1] != b.IngestKey {
		data, _ := os.ReadFile(file)
		t.Errorf("%v\n%s", got, data)
	}
}

func TestNoKeyNoRow(t *testing.T) {
	s := Open(t.TempDir())
	if _, err := s.Put(record.Row{Table: "retro_snapshots", IngestKey: "x", Body: []byte("{}")}); err == nil || !strings.Contains(err.Error(), "no ingest key") {
		t.Error(err)
	}
}
