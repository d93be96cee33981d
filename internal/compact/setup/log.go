package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/home"
	"cairn/internal/outside"
	"cairn/internal/term"
	"cairn/internal/text"
)

// maxLog is how large the log may grow before it starts again.
const maxLog = 1 << 20

// Log appends a line to the log of hooks, if that is possible.
func Log(env *outside.Env, err error) {
	name := home.Find(env.Getenv).HookLog()
	if os.MkdirAll(filepath.Dir(name), home.PrivateDir) != nil {
		return
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if fi, serr := os.Stat(name); serr == nil && fi.Size() > maxLog {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, oerr := os.OpenFile(name, flags, home.PrivateFile)
	if oerr != nil {
		return
	}
	defer f.Close()
	// It may quote what a server or a stranger's rule says, and doctor prints it.
	fmt.Fprintf(f, "%s hook %s\n", time.Now().UTC().Format(time.RFC3339), text.Shorten(term.Line(err.Error()), 500))
}
