package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cairn/internal/team/page/browsertest"
)

// TestShots makes a picture of each page of the gallery; SHOTS names the directory.
func TestShots(t *testing.T) {
	dir := os.Getenv("SHOTS")
	if dir == "" {
		t.Skip("SHOTS names no directory")
	}
	url := gallery(t)
	for _, path := range []string{"/t/acme/pulse", "/t/acme/many?weeks=104", "/t/long/empty?weeks=4&repo=acme/app", "/error/404", "/error/401"} {
		for _, width := range []int{360, 768, 1280} {
			for _, dark := range []bool{false, true} {
				scheme := map[bool]string{false: "light", true: "dark"}[dark]
				tab := browsertest.Open(t, url+path, browsertest.View{Width: width, Dark: dark, Still: true})
				tab.Wait("document.readyState === 'complete'")
				tab.Shot(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", filepath.Base(path[:min(len(path), 12)]), width, scheme)))
				if bad := tab.Problems(); len(bad) > 0 && path[1] == 't' {
					t.Errorf("%s: %q", path, bad)
				}
				if px := tab.Overflow(); px > 0 {
					t.Errorf("%s at %d: %d px too wide", path, width, px)
				}
			}
		}
	}
}
