package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/home"
	"cairn/internal/runtimes"
)

// A Root is a directory under which a host keeps its transcripts.
type Root struct {
	Host string // "" when it was named by the user and may hold any
	Dir  string
}

// Roots returns where the agents of this user keep their transcripts, whether
// or not these directories exist. Without a home nobody knows.
func Roots(getenv func(string) string) (roots []Root) {
	for _, r := range runtimes.All() {
		for _, below := range r.Transcripts {
			if dir := r.Dir(home.UserDir(getenv), getenv); dir != "" {
				roots = append(roots, Root{r.Name, filepath.Join(dir, below)})
			}
		}
	}
	return roots
}

// A File is one transcript.
type File struct {
	Path string
	Size int64 // as found; a session that goes on is read up to here
	Mod  time.Time
	Host string // of its root
}

// Files lists the transcripts under roots that were written to since then,
// the oldest first: what a resumed session copied is then the duplicate. A
// root that does not exist is fine; anything else that cannot be read is
// given to warn and left out.
func Files(roots []Root, since time.Time, warn func(error)) []File {
	var files []File
	seen := map[string]bool{}
	for _, root := range roots {
		top, err := filepath.EvalSymlinks(root.Dir) // the root itself may be one: dotfiles are
		if err != nil {
			if !os.IsNotExist(err) {
				warn(err)
			}
			continue
		}
		_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				warn(err)
				return fs.SkipDir
			}
			if !d.Type().IsRegular() || filepath.Ext(name) != ".jsonl" || seen[name] {
				return nil
			}
			fi, err := d.Info()
			if err != nil || fi.ModTime().Before(since) {
				return nil
			}
			seen[name] = true
			files = append(files, File{name, fi.Size(), fi.ModTime(), root.Host})
			return nil
		})
	}
	slices.SortStableFunc(files, func(a, b File) int { return a.Mod.Compare(b.Mod) })
	return files
}

// Newest returns when each host last wrote a line under roots, by the line's
// own time or else the file's. A host without a transcript is not in it.
func Newest(roots []Root) map[string]time.Time {
	newest := map[string]File{}
	for _, f := range Files(roots, time.Time{}, func(error) {}) {
		newest[f.Host] = f // in the order of time
	}
	out := map[string]time.Time{}
	for host, f := range newest {
		out[host] = f.Mod
		if t := lastTime(f); !t.IsZero() {
			out[host] = t
		}
	}
	return out
}

// lastTime is the time of the last line of f that has one in its last 64 KiB.
func lastTime(f File) (last time.Time) {
	const tail = 64 << 10
	file, err := os.Open(f.Path)
	if err != nil {
		return last
	}
	defer file.Close()
	_, _ = file.Seek(max(0, f.Size-tail), io.SeekStart)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 2*tail)
	for lines.Scan() {
		var l struct{ Timestamp time.Time }
		if bytes.Contains(lines.Bytes(), []byte(`"timestamp"`)) && json.Unmarshal(lines.Bytes(), &l) == nil && l.Timestamp.After(last) {
			last = l.Timestamp
		}
	}
	return last
}

// stored returns the file beside transcript that holds a complete output, or
// "". The transcript names it with a path of the machine it was written on,
// which is not to be trusted: only the name counts, and only in the session's
// own directory.
func stored(transcript, named string) string {
	base := named[strings.LastIndexAny(named, `/\`)+1:]
	if base == "" || base[0] == '.' {
		return ""
	}
	dir := filepath.Dir(transcript)
	session := strings.TrimSuffix(transcript, ".jsonl")
	for _, d := range []string{session, filepath.Dir(dir)} { // of a subagent: SESSION/subagents/agent.jsonl
		name := filepath.Join(d, "tool-results", base)
		if fi, err := os.Lstat(name); err == nil && fi.Mode().IsRegular() {
			return name
		}
	}
	return ""
}
