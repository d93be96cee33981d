// Package browsertest looks at pages as a person's browser would: a headless
// Chromium opens them at a size, in light or dark, and what the console, the
// policy and the network complain of is kept.
//
// Only tests import it. One Chromium serves all tests of a package; see Main.
package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Patience is how long a condition may take to come true.
const Patience = 20 * time.Second

// T is what it needs of a test.
type T interface {
	Helper()
	Name() string
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
	Skipf(format string, args ...any)
	Cleanup(func())
}

// A View is how a page is looked at. Zero is 1280 × 800, light.
type View struct {
	Width, Height int
	Dark          bool
	Still         bool   // prefers-reduced-motion
	Media         string // "print", or "" for a screen
}

// A Tab is one open page.
type Tab struct {
	t   T
	ctx context.Context
	mu  sync.Mutex
	bad []string

	// Close gives the tab back before its test ends.
	Close func()
}

var browser struct {
	sync.Mutex
	ctx   context.Context
	err   error
	close []context.CancelFunc
	idle  []*window
}

// A window is what a tab is shown in. The next page takes it over: a new one
// costs more processor time than most pages.
type window struct {
	ctx   context.Context
	shows atomic.Pointer[Tab]
}

// hear tells the tab that is shown what happens in its page.
func (w *window) hear(event any) {
	if tab := w.shows.Load(); tab != nil {
		tab.hear(event)
	}
}

// take returns a window that shows nothing.
func take(parent context.Context) (*window, error) {
	browser.Lock()
	if n := len(browser.idle); n > 0 {
		defer browser.Unlock()
		w := browser.idle[n-1]
		browser.idle = browser.idle[:n-1]
		return w, nil
	}
	browser.Unlock()
	ctx, stop := chromedp.NewContext(parent)
	w := &window{ctx: ctx}
	if err := chromedp.Listen(ctx, w.hear); err != nil {
		stop()
		return nil, err
	}
	return w, nil
}

// leave makes the window ready for another page, unless it has hung.
func (w *window) leave() {
	ctx, cancel := context.WithTimeout(w.ctx, Patience)
	defer cancel()
	w.shows.Store(nil)
	if _, err := chromedp.Run(ctx, chromedp.Navigate("about:blank")); err != nil {
		return // it ends with the browser
	}
	browser.Lock()
	defer browser.Unlock()
	browser.idle = append(browser.idle, w)
}

// Main runs a package's tests and ends the browser after them. A package that
// uses this one has
//
//	func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
func Main(m interface{ Run() int }) int {
	defer func() {
		browser.Lock()
		defer browser.Unlock()
		for i := len(browser.close) - 1; i >= 0; i-- {
			browser.close[i]()
		}
	}()
	return m.Run()
}

// errNone is that this machine has no Chromium.
var errNone = errors.New("no Chromium on PATH and none named by CHROMIUM; scripts/setup.sh installs one")

func find() (string, error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path, nil
		}
	}
	return "", errNone
}

// start returns the browser of this process; the first call starts it.
func start() (context.Context, error) {
	browser.Lock()
	defer browser.Unlock()
	if browser.ctx != nil || browser.err != nil {
		return browser.ctx, browser.err
	}
	var path string
	if path, browser.err = find(); browser.err != nil {
		return nil, browser.err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(path), chromedp.Flag("headless", "new"), chromedp.WSURLReadTimeout(3*Patience))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // root, as in a container, can have none
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser.close = append(browser.close, stop)
	ctx, stop = chromedp.NewContext(ctx)
	browser.close = append(browser.close, stop)
	if err := chromedp.Do(ctx); err != nil {
		browser.err = fmt.Errorf("%s did not start: %w", path, err)
		return nil, browser.err
	}
	browser.ctx = ctx
	return ctx, nil
}

// Open opens a URL, or a file by its absolute path. Under -short and without a
// Chromium the test is skipped; without one and with CI set it fails.
func Open(t T, url string, v View) *Tab {
	t.Helper()
	if short := flag.Lookup("test.short"); short != nil && short.Value.String() == "true" {
		t.Skipf("-short leaves browsers out")
	}
	parent, err := start()
	if errors.Is(err, errNone) && os.Getenv("CI") == "" {
		t.Skipf("%v", err)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	if filepath.IsAbs(url) {
		url = "file://" + filepath.ToSlash(url)
	}
	w, err := take(parent)
	if err != nil {
		t.Fatalf("new tab: %v", err)
	}
	tab := &Tab{t: t, ctx: w.ctx, Close: sync.OnceFunc(w.leave)}
	t.Cleanup(tab.Close)
	w.shows.Store(tab)
	tab.do("open "+url, listening, v.show, chromedp.Navigate(url))
	return tab
}

func listening(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
	if err == nil {
		_, err = cdp.Call(ctx, t, network.Enable, network.EnableParams{})
	}
	return chromedp.Void{}, err
}

// show is the action that makes a tab look so.
func (v View) show(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	if v.Width == 0 {
		v.Width = 1280
	}
	if v.Height == 0 {
		v.Height = 800
	}
	scheme, motion := "light", "no-preference"
	if v.Dark {
		scheme = "dark"
	}
	if v.Still {
		motion = "reduce"
	}
	if _, err := chromedp.EmulateViewport(int64(v.Width), int64(v.Height))(ctx, t); err != nil {
		return chromedp.Void{}, err
	}
	_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: v.Media, Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
	}})
	return chromedp.Void{}, err
}

// Look changes how the open page is looked at.
func (tab *Tab) Look(v View) {
	tab.t.Helper()
	tab.do("look", v.show)
}

// hear keeps what a developer would see in red.
func (tab *Tab) hear(event any) {
	text := ""
	switch e := event.(type) {
	case *log.EventEntryAdded: // policy violations and failed loads are told here
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			text = string(e.Entry.Source) + ": " + e.Entry.Text + " " + e.Entry.URL
		}
	case *runtime.EventExceptionThrown:
		text = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			text = "console"
			for _, arg := range e.Args {
				text += " " + string(arg.Value) + arg.Description
			}
		}
	}
	if text != "" {
		tab.mu.Lock()
		tab.bad = append(tab.bad, text)
		tab.mu.Unlock()
	}
}

// Problems returns what the console, the policy and the network complained of
// so far: errors and warnings.
func (tab *Tab) Problems() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.bad...)
}

// do runs steps that give no value.
func (tab *Tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	run(tab, what, chromedp.Steps(steps...))
}

func run[V any](tab *Tab, what string, action chromedp.Action[V]) V {
	tab.t.Helper()
	value, err := try(tab, action)
	if err != nil {
		tab.t.Fatalf("%s: %v; the browser says %q", what, err, tab.Problems())
	}
	return value
}

func try[V any](tab *Tab, action chromedp.Action[V]) (V, error) {
	ctx, cancel := context.WithTimeout(tab.ctx, 2*Patience)
	defer cancel()
	return chromedp.Run(ctx, action)
}

// Eval runs an expression in the page, waits if it is a promise, and stores
// its value in out; nil is for a value that is not wanted.
func (tab *Tab) Eval(js string, out any) {
	tab.t.Helper()
	if out == nil {
		tab.do(js, chromedp.Evaluate[chromedp.Void](js, chromedp.EvalAwaitPromise))
		return
	}
	if err := json.Unmarshal(run(tab, js, chromedp.Evaluate[[]byte](js, chromedp.EvalAwaitPromise)), out); err != nil {
		tab.t.Fatalf("%s: %v", js, err)
	}
}

// Text returns the text of the first element that a selector finds, as it is
// shown; "" when there is none.
func (tab *Tab) Text(selector string) (text string) {
	tab.t.Helper()
	tab.Eval(fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector), &text)
	return text
}

// Wait waits until an expression is true. While one page makes room for the
// next, there is none to ask.
func (tab *Tab) Wait(js string) {
	tab.t.Helper()
	for end := time.Now().Add(Patience); ; {
		got, err := try(tab, chromedp.Evaluate[[]byte]("!!("+js+")"))
		if err == nil && string(got) == "true" {
			return
		}
		if time.Now().After(end) {
			if err != nil {
				tab.t.Fatalf("%s: %v; the browser says %q", js, err, tab.Problems())
			}
			tab.t.Fatalf("never true: %s; the page shows %q, the browser says %q", js, tab.Text("body"), tab.Problems())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Keys presses keys one after another: characters, and keys that package
// chromedp/kb names, such as kb.Escape. A page that takes a key for itself
// keeps it from being typed.
func (tab *Tab) Keys(keys ...string) {
	tab.t.Helper()
	for _, key := range keys {
		for _, r := range key {
			tab.do("key "+key, press(r))
		}
	}
}

func press(r rune) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for _, e := range kb.Encode(r) {
			if e.Type == input.DispatchKeyEventTypeChar {
				continue // a key that goes down with its text types it, if the page lets it
			}
			if k := kb.Keys[r]; e.Type != input.DispatchKeyEventTypeKeyUp && k != nil && k.Print {
				e.Type, e.Text, e.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, k.Text, k.Unmodified
			}
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
				return chromedp.Void{}, err
			}
		}
		return chromedp.Void{}, nil
	}
}

// Click clicks the first element that a selector finds.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	tab.do("click "+selector, chromedp.Click(selector))
}

// Shot writes a picture of the whole page, however long, as a PNG file, and
// makes the directories that it stands in.
func (tab *Tab) Shot(file string) {
	tab.t.Helper()
	tab.shot(file, true)
}

// ShotWindow does it of what is seen without scrolling.
func (tab *Tab) ShotWindow(file string) {
	tab.t.Helper()
	tab.shot(file, false)
}

func (tab *Tab) shot(file string, beyond bool) {
	tab.t.Helper()
	picture := run(tab, "picture", func(ctx context.Context, t *chromedp.Target) (*page.CaptureScreenshotResult, error) {
		got, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &beyond})
		return &got, err
	})
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(file, picture.Data, 0o644)
	}
	if err != nil {
		tab.t.Fatalf("picture: %v", err)
	}
}

// Overflow says by how many pixels the page is wider than its window; 0 is what a
// page should be.
func (tab *Tab) Overflow() (px int) {
	tab.t.Helper()
	tab.Eval("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)", &px)
	return px
}
