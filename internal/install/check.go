package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/jsonc"
)

// How a check ended.
const (
	OK   = "ok"
	Warn = "warn"
	Fail = "fail"
)

// A Check is one finding of the doctor.
type Check struct {
	Host   string   `json:"host"`
	Name   string   `json:"check"`
	Status string   `json:"status"` // OK, Warn or Fail
	Detail string   `json:"detail"`
	Hint   string   `json:"hint,omitempty"`
	Lines  []string `json:"lines,omitempty"` // quoted from a log
}

// checkup collects the findings about one target.
type checkup struct {
	Machine
	target Target
	parts  []host.Part // that are there, or would be
	noted  bool        // a manifest says so
	words  string      // that name the target on a command line
	all    []Check
	files  []settingsFile // readable ones, the user's first
}

type settingsFile struct {
	path string
	doc  *jsonc.Doc
}

func (c *checkup) add(name, status, hint, detail string, args ...any) {
	c.all = append(c.all, Check{Host: c.target.Host.Name, Name: name, Status: status,
		Hint: hint, Detail: fmt.Sprintf(detail, args...)})
}

func (m Machine) checkup(t Target) *checkup {
	return &checkup{Machine: m, target: t, parts: host.Parts(), words: m.Words(t)}
}

// again is what puts in again what is broken.
func (c *checkup) again() string { return "cairn doctor " + c.words + " --fix" }

// RunOnlyHint says what is left where no hook is of use.
const RunOnlyHint = "cairn run -- CMD prints a command's output compacted and keeps its exit code"

// Check examines everything between a host and our hook: the settings that
// register it, the binary they name, and one call of it. Project settings are
// looked for in dir.
func (m Machine) Check(ctx context.Context, t Target, dir string) []Check {
	c := m.checkup(t)
	if mf, err := m.Manifest(t); err == nil && mf != nil {
		c.parts, c.noted = mf.Parts, true
	}
	c.parts = slices.DeleteFunc(slices.Clone(c.parts), func(p host.Part) bool { return !t.Host.Takes(p) })
	if t.Host.RunOnly != "" {
		c.add("hooks", OK, RunOnlyHint, "none for compaction: %s (%s)", t.Host.RunOnly, t.Host.Source)
	}
	if !callsFor(t.Host, c.parts) || t.Settings() == "" || m.elsewhere(t) {
		return c.all
	}
	readable := c.settings(t.Settings())
	c.telemetry()
	for _, name := range t.Host.ProjectSettings {
		if path := filepath.Join(dir, filepath.FromSlash(name)); path != t.Settings() {
			c.settings(path)
		}
	}
	c.offSwitch()
	c.forbidden(dir)
	if !readable {
		return c.all
	}
	registered := c.registered
	if c.target.Host.Own != nil {
		registered = c.ownFile
	}
	if command := registered(); command != "" {
		binary := binaryOf(command, t.Host.Name)
		if c.binaryWorks(binary) && len(t.Host.Sample()) > 0 {
			c.roundTrip(ctx, command)
		}
		c.trust(ctx, command, dir)
	}
	c.rivals()
	return c.all
}

// settings checks that the host will load a file, and reports whether we can.
func (c *checkup) settings(path string) bool {
	fix := c.again()
	f, err := readSettings(path)
	if err != nil {
		c.add("settings", Fail, "", "%v", err)
		return false
	}
	if !f.exists || isBlank(f.data) || c.target.Host.Own != nil && path == c.target.Settings() {
		return true
	}
	d, err := f.parse(f.data)
	if err != nil {
		c.add("settings", Fail, "correct that line: the host ignores the file until then", "%v", err)
		return false
	}
	c.files = append(c.files, settingsFile{path, d})
	if found := extensions(c.target.Host, f.data); len(found) > 0 {
		if path != c.target.Settings() {
			fix = "take it out by hand"
		}
		c.add("settings", Fail, fix, "%s:%d: a %s, for which %s ignores the whole file (%d in all)",
			path, found[0].Line, found[0].What, c.target.Host.Title, len(found))
		return true
	}
	c.add("settings", OK, "", "%s", path)
	return true
}

// telemetry checks that what has the host tell a server is as install wrote it.
func (c *checkup) telemetry() {
	mf, err := c.Manifest(c.target)
	if err != nil || mf == nil || mf.Telemetry == "" {
		return
	}
	for _, k := range c.target.Host.Members {
		if k.Part != host.Telemetry {
			continue
		}
		name := memberFile(c.target, k)
		set := mf.record(name).member(k.Path)
		i := slices.IndexFunc(c.files, func(f settingsFile) bool { return f.path == name })
		if set == nil || i < 0 || !same(c.files[i].doc, *set) {
			c.add("telemetry", Warn, "cairn install "+c.words+" --telemetry "+mf.Telemetry, "%s of %s is not as install sets it", strings.Join(k.Path, "."), name)
			return
		}
	}
	c.add("telemetry", OK, "", "sent to %s", mf.Telemetry)
}

func (c *checkup) offSwitch() {
	name, value, _ := strings.Cut(c.target.Host.OffSwitch, "=")
	var path jsonc.Path
	for _, step := range strings.Split(name, ".") {
		path = path.At(step)
	}
	for _, f := range c.files {
		if name != "" && f.doc.Kind(path) == value[0] {
			c.add("switch", Fail, "remove it", "%s:%d: %s stops every hook", f.path, f.doc.Line(path), name)
		}
	}
}

// forbidden checks that nothing keeps the host from taking our answers.
func (c *checkup) forbidden(project string) {
	if f := c.target.Host.Forbids; f != nil {
		if why := f(c.target.Dir, project); why != "" {
			c.add("answers", Warn, "cairn run -- CMD still compacts", "%s", why)
		}
	}
}

// binaryWorks checks the binary that hooks name.
func (c *checkup) binaryWorks(binary string) bool {
	fix := c.again()
	if below, ok := strings.CutPrefix(binary, "$HOME/"); ok {
		binary = filepath.Join(home.UserDir(c.Getenv), filepath.FromSlash(below))
	}
	if !filepath.IsAbs(binary) {
		c.add("binary", Warn, fix, "%s is looked up on the PATH of the moment", binary)
		return true
	}
	fi, err := os.Stat(binary)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.add("binary", Fail, fix, "%s does not exist", binary)
		return false
	case err != nil:
		c.add("binary", Fail, "", "%v", err)
		return false
	case c.GOOS != "windows" && fi.Mode().Perm()&0o111 == 0:
		c.add("binary", Fail, fix, "%s is not executable", binary)
		return false
	}
	if head, err := headOf(binary); err != nil {
		c.add("binary", Fail, "", "%v", err)
		return false
	} else if c.GOOS != "windows" && head == "MZ" {
		c.add("binary", Warn, "install the Linux binary of cairn", "%s is a Windows program: slow to start, and it sees other paths", binary)
		return true
	}
	if _, err := os.Stat(c.Executable); err == nil && !sameFile(binary, c.Executable) {
		c.add("binary", Warn, fix+" puts this one there", "%s is not the cairn that is running now", binary)
		return true
	}
	c.add("binary", OK, "", "%s", binary)
	return true
}

// headOf returns the first two bytes of a file, or what there is of them.
func headOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 2)
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return string(head[:n]), err
}

// mayCall reports whether a command that is registered may be called here: one
// that install writes, or that stands in the user's own settings. What else the
// repository's settings call ours is whatever its authors wrote.
func (c *checkup) mayCall(command string) bool {
	for _, r := range c.registrations(c.target, c.parts) {
		if r.handler.Command == command {
			return true
		}
	}
	for _, f := range c.files {
		if f.path == c.target.Settings() && !c.target.Local() {
			return slices.ContainsFunc(findHooks(f.doc), func(k found) bool { return k.command == command })
		}
	}
	return c.target.Host.Own != nil
}

func (c *checkup) roundTrip(ctx context.Context, command string) {
	if !c.mayCall(command) {
		c.add("round trip", Warn, "cairn install "+c.words+" registers one of your own", "not tried: only the repository's settings name this hook, and what it runs is not known")
		return
	}
	took, err := call(ctx, command, c.target.Host.Sample(), c.target.Host.Timeout)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		c.add("round trip", Warn, "", "not tried: %v", err)
		return
	case err != nil:
		c.add("round trip", Fail, "", "%v", err)
		return
	}
	c.add("round trip", OK, "", "a captured %s answered in %d ms", c.target.Host.ReplaceEvent, took.Milliseconds())
}

// trust checks that the host runs our hook, where it asks its user first.
func (c *checkup) trust(ctx context.Context, command, project string) {
	h := c.target.Host
	if h.Trust == nil {
		return
	}
	list, err := h.Trust(ctx, c.target.Dir, project)
	if err != nil {
		c.add("trust", Warn, h.Advice, "not known: %v", err)
		return
	}
	for _, k := range list {
		if k.Command == command && !k.Runs {
			c.add("trust", Fail, h.Advice, "%s says that our hook is %s, and does not call it", h.Title, k.State)
			return
		}
	}
	if !slices.ContainsFunc(list, func(k host.Trust) bool { return k.Command == command }) {
		c.add("trust", Fail, c.again(), "%s does not see our hook", h.Title)
		return
	}
	c.add("trust", OK, "", "%s calls our hook", h.Title)
}
