package judge

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/home"
)

// A Log writes down every request and answer in full, in one file for each
// test: DIR/YYYYMMDD-TEST-RANDOM.txt, for its owner only. Headers are not
// written, so no key is. A nil Log writes nothing.
type Log struct {
	Dir string
	Now func() time.Time

	mu    sync.Mutex
	files map[string]string // of each test
}

func (l *Log) write(test, title string, data []byte) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	name := l.files[test]
	if name == "" {
		if os.MkdirAll(l.Dir, home.PrivateDir) != nil {
			return
		}
		name = filepath.Join(l.Dir, fmt.Sprintf("%s-%s-%s.txt", l.Now().Format("20060102"), fileName(test), strings.ToLower(rand.Text()[:8])))
		if l.files == nil {
			l.files = map[string]string{}
		}
		l.files[test] = name
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, home.PrivateFile)
	if err != nil {
		return
	}
	defer f.Close()
	if v := jsontext.Value(data); v.IsValid() {
		if v = v.Clone(); v.Indent() == nil {
			data = v
		}
	}
	fmt.Fprintf(f, "=== %s %s\n%s\n\n", l.Now().Format(time.RFC3339), title, data)
}

// fileName makes a test's name one of a file.
func fileName(test string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, test)
	if r := []rune(name); len(r) > 60 {
		name = string(r[:60])
	}
	return cmp.Or(strings.Trim(name, "-"), "case")
}
