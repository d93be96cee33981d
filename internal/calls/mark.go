package calls

import (
	"os"
	"path/filepath"
	"time"

	"cairn/internal/home"
)

// markedEvery is how old the mark of a call becomes before it is set again.
const markedEvery = time.Hour

// Mark sets the time by which the doctor sees that an agent still calls us, first at
// install.
func Mark(h home.Home, agent string) {
	name, at := h.Fired(agent), time.Now()
	if fi, err := os.Stat(name); err == nil && at.Sub(fi.ModTime()) < markedEvery || os.Chtimes(name, at, at) == nil {
		return
	}
	if os.MkdirAll(filepath.Dir(name), home.PrivateDir) == nil {
		_ = os.WriteFile(name, nil, home.PrivateFile) // without it, the doctor only knows less
	}
}
