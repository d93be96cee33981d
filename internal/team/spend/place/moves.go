package place

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cairn/internal/git"
)

// A Move is an entry of the log of HEAD: it is where it was not before. Git writes
// the time in whole seconds.
type Move struct {
	At     time.Time
	Was    string
	Head   string
	Kind   string // commit, amend, checkout, rebase, merge, rename, …: the first word of git's message
	Branch string // on which HEAD is behind it, as it was called then; "" is none
	Origin string // of a rename: the former name

	When    time.Time // At, as exactly as calls tell
	Session string    // whose call made it, "" if nobody's is known
	dir     string    // of a commit in a working tree that is gone: where its call ran
}

// commits says whether the move made a commit.
func (m *Move) commits() bool {
	switch m.Kind {
	case "commit", "amend", "cherry-pick", "revert", "am":
		return true
	}
	return m.Kind == "merge" && m.Was != m.Head
}

// readLog reads the log of HEAD, or of a branch. Lines that git would not have
// written are left out.
func readLog(name string) (moves []Move) {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if m, ok := parseMove(in.Text()); ok {
			moves = append(moves, m)
		}
	}
	return moves
}

// parseMove reads "OLD NEW Name <address> SECONDS ZONE\tMESSAGE".
func parseMove(line string) (m Move, ok bool) {
	head, message, _ := strings.Cut(line, "\t")
	was, rest, ok1 := strings.Cut(head, " ")
	now, who, ok2 := strings.Cut(rest, " ")
	i := strings.LastIndex(who, "> ")
	if !ok1 || !ok2 || i < 0 {
		return m, false
	}
	seconds, _, _ := strings.Cut(who[i+2:], " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return m, false
	}
	m = Move{At: time.Unix(at, 0), Was: was, Head: now}
	m.When = m.At
	verb, what, _ := strings.Cut(message, ": ")
	switch {
	case verb == "checkout":
		m.Kind = "checkout"
		if from, to, ok := strings.Cut(strings.TrimPrefix(what, "moving from "), " to "); ok {
			m.Origin, m.Branch = from, to
		}
	case verb == "Branch" && strings.HasPrefix(what, "renamed "):
		m.Kind = "rename"
		if from, to, ok := strings.Cut(strings.TrimPrefix(what, "renamed "), " to "); ok {
			m.Origin, m.Branch = short(from), short(to)
		}
	case verb == "commit (amend)":
		m.Kind = "amend"
	case strings.HasPrefix(verb, "commit"):
		m.Kind = "commit"
	case strings.HasPrefix(verb, "rebase") || strings.HasPrefix(verb, "pull") && strings.HasSuffix(verb, ")"): // pull --rebase (pick)
		m.Kind = "rebase"
		if branch, ok := strings.CutPrefix(what, "returning to "); ok {
			m.Branch = short(branch)
		}
	case strings.HasPrefix(verb, "merge") || strings.HasPrefix(verb, "pull"):
		m.Kind = "merge"
		if strings.HasPrefix(what, "Fast-forward") {
			m.Kind = "forward"
		}
	default:
		m.Kind, _, _ = strings.Cut(verb, " ")
	}
	return m, true
}

func short(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// branches fills in on which branch each move left HEAD, of which the log tells
// only where that changes. now is the one that is checked out.
func branches(moves []Move, now string, detached func(name string) bool) {
	at := now
	none := func(name string) bool { return git.IsHash(name, 40) || detached(name) }
	for i := range moves {
		if m := &moves[i]; m.Kind == "checkout" && m.Origin != "" && none(m.Origin) {
			m.Origin = ""
		}
	}
	for i := range moves { // before the first change it is the one that was left
		if m := &moves[i]; m.Kind == "checkout" || m.Kind == "rename" {
			at = m.Origin
			break
		}
	}
	for i := range moves {
		m := &moves[i]
		switch {
		case m.Kind == "checkout" && (git.IsHash(m.Branch, 4) && strings.HasPrefix(m.Head, m.Branch) || none(m.Branch)):
			m.Branch, at = "", ""
		case m.Branch != "":
			at = m.Branch
		default:
			m.Branch = at
		}
	}
	if n := len(moves); n > 0 && now != "" && moves[n-1].Branch == "" {
		moves[n-1].Branch = now
	}
}

// headBranch is the branch that is checked out, "" for none.
func headBranch(gitDir string) string {
	data, err := os.ReadFile(filepath.Join(gitDir, "HEAD"))
	if err != nil || len(data) > 4096 {
		return ""
	}
	if ref, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: refs/heads/"); ok {
		return ref
	}
	return ""
}
