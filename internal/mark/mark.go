// Package mark notes where a session of an agent stood behind each of its calls: in
// which working tree, on which branch, at which commit. A hook writes it, so it
// starts no process, opens no database and reads two small files of git's. Nothing
// of what was said or done is in it.
package mark

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Mark is where HEAD was behind a call.
type Mark struct {
	At      time.Time `json:"at"`
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Sub     string    `json:"sub,omitempty"` // of a subagent: its id
	Dir     string    `json:"dir"`           // in which the call ran
	Branch  string    `json:"branch,omitempty"`
	Head    string    `json:"head"`
}

// most is how large the file may become where nobody asks what agents cost: then
// nothing more is noted until somebody does.
const most = 32 << 20

// Append adds a mark to a file. Lines of several processes do not mix.
func Append(name string, m Mark) error {
	if fi, err := os.Stat(name); err == nil && fi.Size() > most {
		return nil
	}
	line, err := m.line()
	if err != nil {
		return err
	}
	return atomicfile.Append(name, append(line, '\n'), home.PrivateDir, home.PrivateFile)
}

// line is what json.Marshal writes, without a look at the type by reflection in
// every hook where no string needs it.
func (m Mark) line() ([]byte, error) {
	at, err := m.At.UTC().MarshalJSON()
	if err != nil {
		return nil, err
	}
	b := append(append(make([]byte, 0, 512), `{"at":`...), at...)
	for _, s := range [...]struct{ key, value string }{
		{`,"agent":"`, m.Agent}, {`,"session":"`, m.Session}, {`,"sub":"`, m.Sub}, {`,"dir":"`, m.Dir}, {`,"branch":"`, m.Branch}, {`,"head":"`, m.Head},
	} {
		for i := range len(s.value) {
			if c := s.value[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
				return json.Marshal(m)
			}
		}
		if s.value != "" {
			b = append(append(append(b, s.key...), s.value...), '"')
		}
	}
	return append(b, '}'), nil
}

// Parse reads a line. What is none, as what a machine left that lost its power, is
// left out.
func Parse(line []byte) (m Mark, ok bool) {
	line = bytes.TrimSpace(line)
	if i := bytes.LastIndex(line, []byte(`{"at":"`)); i > 0 {
		line = line[i:]
	}
	ok = json.Unmarshal(line, &m) == nil && m.Session != "" && m.Head != "" && !m.At.IsZero()
	return m, ok
}

// Look reads where HEAD is in the working tree that a directory is in. ok is false
// outside of a repository, and where there is no commit yet.
func Look(dir string) (branch, head string, ok bool) {
	gitDir, common := find(dir)
	if gitDir == "" {
		return "", "", false
	}
	at := read(filepath.Join(gitDir, "HEAD"))
	ref, symbolic := strings.CutPrefix(at, "ref: ")
	if !symbolic {
		return "", at, isHash(at)
	}
	branch = strings.TrimPrefix(ref, "refs/heads/")
	if head = read(filepath.Join(common, filepath.FromSlash(ref))); head == "" {
		head = packed(common, ref)
	}
	return branch, head, isHash(head)
}

// find returns the git directory of a working tree, and the one that it shares.
func find(dir string) (gitDir, common string) {
	for {
		name := filepath.Join(dir, ".git")
		if fi, err := os.Stat(name); err == nil {
			if fi.IsDir() {
				return name, name
			}
			named, ok := strings.CutPrefix(read(name), "gitdir: ")
			if !ok {
				return "", ""
			}
			if !filepath.IsAbs(named) {
				named = filepath.Join(dir, named)
			}
			if admin := filepath.Dir(named); filepath.Base(admin) == "worktrees" {
				return named, filepath.Dir(admin)
			}
			return named, named
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ""
		}
		dir = up
	}
}

// packed looks a ref up among those that git put into one file.
func packed(common, ref string) string {
	data, err := os.ReadFile(filepath.Join(common, "packed-refs"))
	if err != nil {
		return ""
	}
	i := bytes.Index(data, []byte(" "+ref+"\n"))
	if i < 40 {
		return ""
	}
	return string(data[bytes.LastIndexByte(data[:i], '\n')+1 : i])
}

// read is a small file's text, "" for anything else.
func read(name string) string {
	fi, err := os.Stat(name)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > 4096 {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

func isHash(s string) bool {
	return len(s) >= 40 && strings.Trim(s, "0123456789abcdef") == ""
}
