package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A shelf keeps the outputs of a project's tool: KEY.EXIT.txt is one, KEY.cairn.txt
// what is left of it, KEY.among.txt what is left of it between two passing runs,
// KEY.fault.txt what was wrong.
type shelf struct {
	dir   string
	again bool // what is kept is not made anew
}

// key names the output of a run with a fault.
func (p *project) key(f fault) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %q", p.Run, f.file, f.line, f.now))
	return fmt.Sprintf("%x", sum[:6])
}

// get returns an output and its exit code.
func (s shelf) get(key string, run func() (text string, exit int)) (string, int, error) {
	kept, err := filepath.Glob(filepath.Join(s.dir, key+".[0-9]*.txt"))
	if err != nil {
		return "", 0, err
	}
	if s.again && len(kept) == 1 {
		exit, err := strconv.Atoi(strings.Split(filepath.Base(kept[0]), ".")[1])
		if err != nil {
			return "", 0, err
		}
		text, err := os.ReadFile(kept[0])
		return string(text), exit, err
	}
	for _, name := range kept {
		if err := os.Remove(name); err != nil {
			return "", 0, err
		}
	}
	text, exit := run()
	return text, exit, s.keep(key, strconv.Itoa(exit), text)
}

func (s shelf) keep(key, of, text string) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, key+"."+of+".txt"), []byte(text), 0o600)
}
