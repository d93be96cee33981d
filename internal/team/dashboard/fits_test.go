package dashboard

import (
	"testing"

	"cairn/test/browsertest"
	"cairn/test/cairntest"
)

// The table of changes, which has most columns of all, is seen whole in a window of
// 1280 pixels.
func TestChangesFit(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	site, w := world(t)
	tab := see(t, site+"/t/"+w.Teams[0].Slug+"/quality", browsertest.View{Width: 1280})
	var px int
	if tab.Eval(`(() => { const s = document.querySelector("#changes .scroll"); return s.scrollWidth - s.clientWidth; })()`, &px); px > 0 {
		var widths []int
		tab.Eval(`[...document.querySelectorAll("#changes thead th")].map(c => c.offsetWidth)`, &widths)
		t.Errorf("%d pixels of the table are cut: %v", px, widths)
	}
}
