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
	"strings"
	"testing"
)

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
