package dashboard

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/internal/team/evalpage"
	"cairn/internal/team/page"
)

//go:embed assets
var files embed.FS

// An asset is what pages read besides themselves.
type asset struct {
	kind         string
	body, packed []byte // packed with gzip
}

// assets are read and packed once, by name; sum names this version of them, so
// that browsers may keep them for good.
var assets = sync.OnceValues(func() (sum string, list map[string]asset) {
	css, js := page.Base()
	list = map[string]asset{
		"dashboard.css": pack("text/css; charset=utf-8", css, file("uplot/uPlot.min.css"), file("dashboard.css"), file("chart.css")),
		"dashboard.js":  pack("text/javascript; charset=utf-8", js, file("dashboard.js")),
		"chart.js":      pack("text/javascript; charset=utf-8", file("uplot/uPlot.iife.min.js"), file("chart.js")),
	}
	for name, body := range evalpage.Assets() {
		kind := "text/javascript; charset=utf-8"
		if strings.HasSuffix(name, ".css") {
			kind = "text/css; charset=utf-8"
		}
		list[name] = pack(kind, body)
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(list)) {
		h.Write(list[name].body)
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), list
})

func pack(kind string, parts ...[]byte) asset {
	a := asset{kind: kind, body: bytes.Join(parts, []byte("\n"))}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one there is
	_, _ = w.Write(a.body)                                // a buffer takes all
	_ = w.Close()
	a.packed = b.Bytes()
	return a
}

func file(name string) []byte {
	data, err := files.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return data
}

// address is where an asset is read from.
func address(name string) string {
	sum, _ := assets()
	return "/assets/" + sum + "/" + name
}

func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	sum, list := assets()
	a, ok := list[r.PathValue("file")]
	if !ok || r.PathValue("sum") != sum {
		p.missing(w, r)
		return
	}
	body := a.body
	h := w.Header()
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		body = a.packed
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(body) // who has gone does not get it
}
