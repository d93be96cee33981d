package compact

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Quota keeps the verifier's calls to a tenth of a session's, rounded up.
// It is for one call: whatever that call's output, one question is asked.
//
// A session is a file to which a byte is appended for each call and another
// for each question. What belongs to no session is counted by the day, and
// has a few questions free.
type Quota struct {
	Dir     string
	Session string // the host's name for it

	counted, asked bool
}

const (
	callMark, askMark = '.', '?'

	quotaShare = 10 // one question in so many calls
	quotaFree  = 20 // questions a day outside of any session
	quotaAge   = 48 * time.Hour
)

// Call counts a finished call of a session. A call that nobody has counted is
// counted when it asks.
func (q *Quota) Call(session string) {
	if q != nil && !q.counted {
		q.Session, q.counted = session, true
		_ = q.append(callMark) // then take sees that nothing is counted
	}
}

// take reports whether the verifier may be asked, and counts that it is.
func (q *Quota) take(always bool) bool {
	if q == nil {
		return true
	}
	if q.asked {
		return false
	}
	q.Call(q.Session)
	marks, _ := os.ReadFile(q.file())
	asked := bytes.Count(marks, []byte{askMark})
	allowed := (len(marks) - asked + quotaShare - 1) / quotaShare
	if q.Session == "" {
		allowed = max(allowed, quotaFree)
	}
	if asked >= allowed && !always {
		return false
	}
	q.asked = true
	return q.append(askMark) == nil || always // what cannot be counted could cost anything
}

func (q *Quota) file() string {
	if q.Session == "" {
		return filepath.Join(q.Dir, time.Now().UTC().Format("2006-01-02"))
	}
	h := fnv.New64a()
	h.Write([]byte(q.Session)) // a session's name is the host's: never a path
	return filepath.Join(q.Dir, fmt.Sprintf("%016x", h.Sum64()))
}

// append adds a mark. With a new file, those of sessions that are over go.
func (q *Quota) append(mark byte) error {
	if _, err := os.Stat(q.file()); err != nil {
		atomicfile.RemoveOlder(q.Dir, quotaAge, func(e fs.DirEntry) bool { return !e.IsDir() })
	}
	return atomicfile.Append(q.file(), []byte{mark}, home.PrivateDir, home.PrivateFile)
}
