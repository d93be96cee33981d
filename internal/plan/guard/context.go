package guard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/gofrs/flock"

	"cairn/internal/home"
	"cairn/internal/plan/doc"
)

// How much of the usable window is left when the agent is told, in percent, and
// after how many calls it is told again.
const (
	warnAt     = 35
	criticalAt = 25
	everyCalls = 5
)

// context tells the agent that its window runs full.
func (l *look) context(ev Event) string {
	if ev.Subagent { // it has a window of its own
		return ""
	}
	left, ok := l.left(ev)
	if !ok || left > warnAt || l.plan() && !l.on("hooks.context_warnings") {
		return ""
	}
	critical := left <= criticalAt
	state, planned := l.state()
	say, first := l.remember(ev.Session, critical, planned)
	if first {
		l.stopped(state, left)
	}
	if !say {
		return ""
	}
	return contextText(int(math.Round(left)), critical, planned)
}

func contextText(left int, critical, planned bool) string {
	switch {
	case critical && planned:
		return fmt.Sprintf("[cairn] Context is nearly exhausted: %d %% of the usable window is left. Tell the user, and begin nothing new. "+
			"Where you stopped is noted in STATE.md; commit what is finished, so that a new session can go on by cairn plan next.", left)
	case critical:
		return fmt.Sprintf("[cairn] Context is nearly exhausted: %d %% of the usable window is left. Tell the user, and ask how to go on before you begin anything new.", left)
	case planned:
		return fmt.Sprintf("[cairn] Context runs low: %d %% of the usable window is left. Finish what you are at and do not begin new complex work; between two plans is a good place to stop, since the plan remembers where that was.", left)
	}
	return fmt.Sprintf("[cairn] Context runs low: %d %% of the usable window is left. Avoid exploring without need, and do not begin new complex work.", left)
}

// left is how much of the usable window is left, in percent: by the bridge, else
// by the agent's record of what its last request had.
func (l *look) left(ev Event) (percent float64, ok bool) {
	b, ok := l.readBridge(ev.Session)
	if ok && b.fresh(l.now()) {
		return l.usable(b.Left, b.Size, ev.Reserve), true
	}
	if ev.Used == nil || !ok && !l.plan() { // outside of a project a record is not worth the time
		return 0, false
	}
	used, size, ok := ev.Used()
	if size <= 0 {
		size = b.Size // a session's window stays as large as it was
	}
	if size <= 0 {
		size, _ = l.value("context_window").(int)
	}
	if !ok || size <= 0 || used < 0 || used > size { // then the window is another
		return 0, false
	}
	return l.usable(100-100*float64(used)/float64(size), size, ev.Reserve), true
}

// warned is what is remembered of a session, in claude-ctx-SESSION-warned.json.
type warned struct {
	Calls    int    `json:"callsSinceWarn"`
	Level    string `json:"lastLevel"` // "warning" or "critical"; "": not told yet
	Recorded bool   `json:"criticalRecorded"`
}

// lockPatience is what an agent's call can be held up for.
const lockPatience = 300 * time.Millisecond

// remember counts a call at which there is something to say. say is true for
// the first, when it got critical, and after that many calls; first for the
// first critical one that can be recorded. What cannot be remembered is not
// said, or it would be said each time.
func (g *Guard) remember(session string, critical, planned bool) (say, first bool) {
	name := g.sessionFile(session, "-warned.json")
	if name == "" {
		return false, false
	}
	locked := g.sessionFile(session, "-warned.lock")
	if fi, err := os.Lstat(locked); err == nil && !fi.Mode().IsRegular() {
		return false, false // somebody else's
	}
	lock := flock.New(locked, flock.SetPermissions(home.PrivateFile))
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(g.patience, lockPatience))
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, time.Millisecond); err != nil || !ok {
		return false, false
	}
	defer func() { _ = lock.Close() }()
	var w warned
	if data, err := readSmall(name); err != nil || json.Unmarshal(data, &w) != nil {
		w = warned{}
	}
	level := "warning"
	if critical {
		level = "critical"
	}
	w.Calls++
	say = w.Level == "" || w.Calls >= everyCalls || critical && w.Level != "critical"
	if say {
		w.Calls, w.Level = 0, level
	}
	if first = critical && planned && !w.Recorded; first {
		w.Recorded = true
	}
	data, err := json.Marshal(w)
	if err == nil {
		err = replace(name, data)
	}
	return say && err == nil, first && err == nil
}

// stopped notes in STATE.md, in the background, that the session is at its end.
func (l *look) stopped(state doc.State, left float64) {
	if l.Start == nil {
		return
	}
	at := fmt.Sprintf("context exhaustion at %d%% (%s)", int(math.Round(left)), l.now().UTC().Format(time.DateOnly))
	args := []string{"plan", "-C", l.tx.Root, "state", "session", "--stopped-at", at}
	if l.tx.Stream != "" {
		args = append(args, "--ws", l.tx.Stream)
	}
	if file := state.Value("Resume File"); !doc.Unset(file) {
		args = append(args, "--resume-file", file)
	}
	l.Start(args...)
}
