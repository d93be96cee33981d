package dashboard

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The cache counts the real size of what it holds, long names included.
func TestBytesOfWhatIsKept(t *testing.T) {
	type row struct {
		Name  string
		At    time.Time
		Parts []string
		By    map[string]*int
		ID    [16]byte
	}
	one := 1
	make1 := func() (list []row) {
		for range 2000 {
			list = append(list, row{Name: strings.Repeat("n", 3000), At: time.Now(), Parts: []string{strings.Repeat("p", 700)}, By: map[string]*int{strings.Repeat("k", 900): &one}})
		}
		return list
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	list := make1()
	runtime.GC()
	runtime.ReadMemStats(&after)
	took, said := float64(after.HeapAlloc-before.HeapAlloc), float64(bytesOf(reflect.ValueOf(list)))
	if said < 0.6*took || said > 1.5*took {
		t.Errorf("said %.0f, took %.0f", said, took)
	}
	runtime.KeepAlive(list)
}
