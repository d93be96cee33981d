// Package calls sees to it that the output of a call that failed in an agent's
// shell reaches the agent compacted, where no hook can replace it afterwards.
//
// The agent gives the shell of a call a file as its stdout, and reads that file
// when the shell has ended. A line that runs before each command sets an EXIT
// trap. It does nothing where the call succeeds. Otherwise it starts `cairn
// shell-exit`, which is [End]: the file's text is compacted and takes the place
// of the original in the same file. While the command runs nothing of ours
// does, so its streams, processes and signals are as ever.
//
// hook writes the line and the notes on calls; cli calls End. What is cut
// belongs to compact, what of a script is the agent's command to host.
package calls

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Shell is the agent's shell, as far as we prepare it. A nil one does
// nothing.
type Shell struct {
	EnvFile string    // sourced before every command of the session; "" when the host has none
	Binary  string    // our own, absolute
	Home    home.Home // the notes are under it
}

//go:embed block.sh
var source string

// The block stands between these, so that it can be found and replaced. Older
// releases wrote one of many lines, from oldBegin on.
const (
	blockBegin = ": '>>> cairn >>>';"
	oldBegin   = "# >>> cairn >>>"
	blockEnd   = "# <<< cairn <<<"
)

// WriteBlock puts the block into the file that the host sources before every
// command. A session that is resumed or cleared gets no second one.
func (s *Shell) WriteBlock() error {
	if s == nil || s.EnvFile == "" {
		return nil
	}
	old, err := os.ReadFile(s.EnvFile)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	rest, ok := RemoveBlock(string(old))
	if !ok {
		return fmt.Errorf("%s: the block of cairn has no end", s.EnvFile)
	}
	text := s.block() + rest // before others' lines, which may be many
	if text == string(old) {
		return nil
	}
	return atomicfile.WriteFile(s.EnvFile, []byte(text), home.PrivateFile)
}

// block is source as one line.
func (s *Shell) block() string {
	var lines []string
	for line := range strings.Lines(source) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return strings.NewReplacer("@BIN@", quote(s.Binary), "@DIR@", quote(string(s.Home))).Replace(strings.Join(lines, " ")) + "\n"
}

// RemoveBlock returns a file's text without our block; ok is false if it has no
// end, since somebody cut it.
func RemoveBlock(text string) (rest string, ok bool) {
	for _, begin := range []string{blockBegin, oldBegin} {
		from := strings.Index(text, begin)
		if from < 0 {
			continue
		}
		_, after, found := strings.Cut(text[from:]+"\n", blockEnd+"\n")
		if !found {
			return text, false
		}
		text = text[:from] + strings.TrimSuffix(after, "\n")
	}
	return text, true
}

// RemoveBlocks takes our block out of every file that the pattern matches. A file
// with nothing else in it goes, and so does its directory if it is empty then.
func RemoveBlocks(pattern string) {
	files, _ := filepath.Glob(pattern)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		switch rest, ok := RemoveBlock(string(data)); {
		case !ok || rest == string(data):
		case rest == "":
			_ = os.Remove(name)
			_ = os.Remove(filepath.Dir(name))
		default:
			_ = atomicfile.WriteFile(name, []byte(rest), home.PrivateFile)
		}
	}
}

// quote makes s one word for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
