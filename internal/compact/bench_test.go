package compact

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/compact/rule"
)

// BenchmarkFamily compacts all captured outputs of a family.
func BenchmarkFamily(b *testing.B) {
	families := map[string][]Fixture{}
	var order []string
	for _, name := range fixtures(b) {
		family := filepath.Base(filepath.Dir(name))
		if families[family] == nil {
			order = append(order, family)
		}
		families[family] = append(families[family], readFixture(b, name))
	}
	lib := rule.Load()
	for _, family := range order {
		b.Run(family, func(b *testing.B) {
			bytes := 0
			for _, f := range families[family] {
				bytes += len(f.CombinedText)
			}
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range families[family] {
					Compact(f.Envelope, Options{Level: Normal, Library: lib})
				}
			}
		})
	}
}

// BenchmarkMillionLines streams a log of a service: a few statements with
// other numbers each time, and now and then an error.
func BenchmarkMillionLines(b *testing.B) {
	const n = 1_000_000
	log := serviceLog(n)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		s := NewStream(Envelope{Command: "./serve"}, Options{Level: Normal})
		for rest := log; len(rest) > 0; {
			k := min(len(rest), 64<<10)
			s.Write(rest[:k])
			rest = rest[k:]
		}
		s.Finish(new(int))
	}
}

// BenchmarkMillionPrefixed streams what three services print in turns.
func BenchmarkMillionPrefixed(b *testing.B) {
	const n = 1_000_000
	var w strings.Builder
	for i := range n {
		fmt.Fprintf(&w, "%s | === RUN   TestCart/%d\n", []string{"api-1   ", "worker-1", "db-1    "}[i/4%3], i)
	}
	out := []byte(w.String())
	b.SetBytes(int64(len(out)))
	b.ReportAllocs()
	for b.Loop() {
		s := NewStream(Envelope{Command: "docker compose up"}, Options{Level: Normal})
		for rest := out; len(rest) > 0; {
			k := min(len(rest), 64<<10)
			s.Write(rest[:k])
			rest = rest[k:]
		}
		if s.Finish(new(int)); s.pieces == nil {
			b.Fatal("no prefix was learnt")
		}
	}
}

func serviceLog(n int) []byte {
	var b strings.Builder
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for i := range n {
		at = at.Add(7 * time.Millisecond)
		stamp := at.Format("2006-01-02T15:04:05.000Z")
		switch {
		case i%997 == 0:
			fmt.Fprintf(&b, "%s ERROR payment failed: order=%d gateway timeout after 3000ms\n", stamp, i)
		case i%3 == 0:
			fmt.Fprintf(&b, "%s INFO  GET /api/orders/%d 200 %dms user=%x\n", stamp, i, i%90, i*31)
		case i%3 == 1:
			fmt.Fprintf(&b, "%s DEBUG cache hit key=order:%d shard=%d ttl=%ds\n", stamp, i, i%16, i%600)
		default:
			fmt.Fprintf(&b, "%s INFO  worker-%d finished job %d in %dms\n", stamp, i%8, i, i%400)
		}
	}
	return []byte(b.String())
}
