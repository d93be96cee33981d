package dashboard

import (
	"testing"

	"cairn/internal/team/page/browsertest"
)

// Nothing on a page keeps people out, at any size, in light and dark.
func TestAccessible(t *testing.T) {
	url := gallery(t)
	for _, path := range []string{"/t/acme/pulse", "/t/acme/many?weeks=26&repo=acme/app", "/t/long/empty", "/error/404", "/error/401"} {
		tab := browsertest.Open(t, url+path, browsertest.View{})
		tab.Wait("document.readyState === 'complete'")
		for _, v := range []browsertest.View{{Width: 360}, {Width: 768, Dark: true}, {Width: 1280}, {Width: 1280, Dark: true}} {
			tab.Look(v)
			for _, finding := range tab.Axe() {
				t.Errorf("%s at %+v: %s", path, v, finding)
			}
		}
		if bad := tab.Problems(); len(bad) > 0 && path[1] == 't' {
			t.Errorf("%s: the browser complains: %q", path, bad)
		}
	}
}
