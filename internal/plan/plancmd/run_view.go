package plancmd

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/internal/term"
	"cairn/internal/text"
)

// runView is what a person sees of a run: a line for each thing that happens and, on a
// terminal, below them who is at work and for how long.
type runView struct {
	mu    sync.Mutex
	w     io.Writer
	live  bool
	width int
	works []working
}

type working struct {
	name  string
	began time.Time
}

func newRunView(w io.Writer) *runView {
	return &runView{w: w, live: term.IsTerminal(w), width: term.TerminalWidth(w)}
}

// watch draws the last line anew each second until the returned function is called.
func (v *runView) watch() (stop func()) {
	if !v.live {
		return func() {}
	}
	done := make(chan struct{})
	var drawn sync.WaitGroup
	drawn.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				v.mu.Lock()
				fmt.Fprint(v.w, "\r\x1b[K", v.status(now))
				v.mu.Unlock()
			}
		}
	})
	return func() {
		close(done)
		drawn.Wait()
		fmt.Fprint(v.w, "\r\x1b[K")
	}
}

func (v *runView) say(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.live {
		fmt.Fprint(v.w, "\r\x1b[K")
	}
	fmt.Fprintln(v.w, term.Fold(v.w, fmt.Sprintf(format, args...), 7))
}

func (v *runView) work(name string, ends bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if ends {
		v.works = slices.DeleteFunc(v.works, func(w working) bool { return w.name == name })
		return
	}
	v.works = append(v.works, working{name, time.Now()})
}

// status is who is at work, in what a line has room for.
func (v *runView) status(now time.Time) string {
	if len(v.works) == 0 {
		return ""
	}
	var names []string
	for _, w := range v.works {
		names = append(names, w.name+" "+now.Sub(w.began).Round(time.Second).String())
	}
	line := "...    " + strings.Join(names, ", ")
	if v.width > 0 {
		line = text.Cut(line, v.width-1)
	}
	return line
}
