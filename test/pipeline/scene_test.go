package pipeline

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// A scene is one session of an agent: a user calls a command, and a model that
// follows its words takes turns. It is a txtar archive. Its comment holds a
// turn per line; the files are what the model writes.
//
//	user plan-phase 1           the command the user calls
//	$ cairn plan next           runs a shell command that succeeds
//	$5 cairn plan gate ship 1   runs one that ends with this exit code
//	prints TEXT                 the last output has this text
//	rarely                      the piece that is read next is none of an ordinary run
//	write PATH FILE             writes a file of the archive to PATH
//	edit PATH OLD => NEW        replaces a text that is there once
//	ask QUESTION => ANSWER      what the user says
//	spawn ROLE ...              starts agents; each plays its next part
//	agent ROLE WHAT ...         begins a part of a role, with what it is given
//	result done                 how an agent's last message ends
//	stop                        the words say to end here
type scene struct {
	name    string
	command string // without prefix
	args    string
	turns   []turn
	parts   map[string][]part // role → its parts, in the order they are spawned
	files   map[string]string
}

// A part is what an agent does that was spawned once.
type part struct {
	given string // what the command that spawned it told it: paths and flags
	turns []turn
}

type turn struct {
	line int
	verb string // $, write, edit, …
	exit int    // of $
	text string
}

func readScene(file string) (*scene, error) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	s := &scene{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), parts: map[string][]part{}, files: map[string]string{}}
	for _, f := range a.Files {
		s.files[f.Name] = string(f.Data)
	}
	role := ""
	for i, line := range strings.Split(string(a.Comment), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		verb, text, _ := strings.Cut(line, " ")
		t := turn{line: i + 1, verb: verb, text: strings.TrimSpace(text)}
		if code, ok := strings.CutPrefix(verb, "$"); ok {
			t.verb = "$"
			if code != "" {
				if t.exit, err = strconv.Atoi(code); err != nil {
					return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
				}
			}
		}
		switch {
		case verb == "user":
			s.command, s.args, _ = strings.Cut(t.text, " ")
		case verb == "agent":
			var given string
			role, given, _ = strings.Cut(t.text, " ")
			s.parts[role] = append(s.parts[role], part{given: given})
		case role != "":
			last := &s.parts[role][len(s.parts[role])-1]
			last.turns = append(last.turns, t)
		default:
			s.turns = append(s.turns, t)
		}
	}
	return s, nil
}
