package update

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNewer(t *testing.T) {
	for _, tt := range []struct{ latest, installed, want string }{
		{"1.2.4", "1.2.3", "1.2.4"}, {"v1.2.4", "v1.2.3", "v1.2.4"}, {"1.10.0", "1.9.9", "1.10.0"}, {"2.0.0", "1.99.99", "2.0.0"},
		{"1.2.3", "1.2.3", ""}, {"1.2.2", "1.2.3", ""}, {"1.2.3", "v1.2.3-0.20260101000000-abcdef", ""}, {"1.2.3", "1.2.3+dirty", ""},
		{"1.3.0", "(devel)", ""}, {"1.3.0", "", ""}, {"", "1.2.3", ""}, {"1.3", "1.2.3", ""}, {"1.2.3.4", "1.2.2", ""}, {"-1.0.0", "0.0.0", ""}, {"1.+2.0", "1.1.0", ""},
	} {
		if got := Newer(tt.latest, tt.installed); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.latest, tt.installed, got, tt.want)
		}
	}
}

// page serves a release with one binary.
func page(t *testing.T, change func(*Release)) string {
	t.Helper()
	binary := []byte("#!/bin/sh\necho new\n")
	sum := sha256.Sum256(binary)
	r := Release{Version: "1.4.0", Assets: []Asset{
		{"plan9", "arm", "/other", "00"}, {"linux", "amd64", "files/cairn", hex.EncodeToString(sum[:])},
	}}
	if change != nil {
		change(&r)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/release.json", func(w http.ResponseWriter, req *http.Request) {
		if agent := req.UserAgent(); agent != "cairn" || len(req.Cookies()) > 0 || req.URL.RawQuery != "" {
			t.Errorf("the request tells of us: %v", req.Header)
		}
		if err := json.NewEncoder(w).Encode(r); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("/files/cairn", func(w http.ResponseWriter, _ *http.Request) { w.Write(binary) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, "http://updates.example.com/cairn", http.StatusFound)
	})
	mux.HandleFunc("/html", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func TestBinary(t *testing.T) {
	ctx := t.Context()
	at := page(t, nil) + "/release.json"
	r, err := Latest(ctx, at)
	if err != nil || r.Version != "1.4.0" {
		t.Fatalf("%v, %+v", err, r)
	}
	if data, err := r.Binary(ctx, at, "linux", "amd64"); err != nil || string(data) != "#!/bin/sh\necho new\n" {
		t.Errorf("%v, %q", err, data)
	}
	if _, err := r.Binary(ctx, at, "linux", "riscv64"); !errors.Is(err, ErrNoAsset) {
		t.Error(err)
	}
	for name, change := range map[string]func(*Release){
		"another sum": func(r *Release) { r.Assets[1].SHA256 = strings.Repeat("0", 64) },
		"no sum":      func(r *Release) { r.Assets[1].SHA256 = "" },
	} {
		at := page(t, change) + "/release.json"
		r, err := Latest(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := r.Binary(ctx, at, "linux", "amd64"); !errors.Is(err, ErrChecksum) || data != nil {
			t.Errorf("%s: %v, %q", name, err, data)
		}
	}
}

func TestRefuses(t *testing.T) {
	at := page(t, func(r *Release) { r.Version = "latest" })
	for name, address := range map[string]string{
		"no version":     at + "/release.json",
		"no JSON":        at + "/html",
		"nothing there":  at + "/gone",
		"not https":      "http://updates.example.com/release.json",
		"led away to it": at + "/away",
		"no address":     "::",
		"a file":         "file:///etc/passwd",
	} {
		if r, err := Latest(t.Context(), address); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Latest(ctx, at+"/release.json"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestLook(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for age, want := range map[time.Duration]bool{0: false, 23 * time.Hour: false, 24 * time.Hour: true, -time.Hour: true} {
		if got := (Look{Checked: now.Add(-age)}).IsDue(now); got != want {
			t.Errorf("%s ago: %v", age, got)
		}
	}
	name := filepath.Join(t.TempDir(), "update.json")
	if !ReadLook(name).IsDue(now) {
		t.Error("without a look")
	}
	for text, want := range map[string]string{
		`{"checked":"2026-11-21T08:00:00Z","latest":"1.4.0","update_available":true}`: "1.4.0",
		`{"latest": 3}`: "", "": "", "[]": "", strings.Repeat(" ", 20<<10) + `{"latest":"1.4.0"}`: "",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Last(name); got != want {
			t.Errorf("%.60q: %q", text, got)
		}
	}
}
