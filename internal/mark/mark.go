// Package mark records the directory, branch and commit of an agent's session after
// each of its shell calls. A hook writes it: it starts no process, opens no database
// and reads two small files of git's. Prompts, commands and outputs are not recorded.
package mark

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/git"
	"cairn/internal/home"
)

// A Mark is where HEAD was after a call.
type Mark struct {
	At      time.Time `json:"at"`
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Sub     string    `json:"sub,omitempty"` // of a subagent: its id
	Dir     string    `json:"dir"`           // in which the call ran
	Branch  string    `json:"branch,omitempty"`
	Head    string    `json:"head"`
}

// most bounds the file on a machine where nobody runs cairn spend: above it nothing
// more is recorded until somebody does.
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

// Parse reads a line, also one that follows the torn half of another: a machine that
// lost power leaves those.
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
	top, ok := git.Top(dir)
	if !ok {
		return "", "", false
	}
	gitDir, common := git.Dir(top)
	at := read(filepath.Join(gitDir, "HEAD"))
	ref, symbolic := strings.CutPrefix(at, "ref: ")
	if !symbolic {
		return "", at, git.IsHash(at, 40)
	}
	branch = strings.TrimPrefix(ref, "refs/heads/")
	if head = read(filepath.Join(common, filepath.FromSlash(ref))); head == "" {
		head = packed(common, ref)
	}
	return branch, head, git.IsHash(head, 40)
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
