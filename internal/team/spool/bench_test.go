package spool

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

func BenchmarkDrain500(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := Open(filepath.Join(b.TempDir(), "queue"))
		for n := range 500 {
			if _, err := s.Put("k", "k", []byte(fmt.Sprint(n))); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		for n := 0; n < 500; {
			list, err := s.Claim(10, time.Now())
			if err != nil {
				b.Fatal(err)
			}
			for _, c := range list {
				if err := c.Done(); err != nil {
					b.Fatal(err)
				}
				n++
			}
		}
	}
}
