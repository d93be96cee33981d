package query

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/must"
	"cairn/internal/plan"
)

// learning is one file of the store that all projects of a user share:
// ~/.gsd/knowledge/ID.json.
type learning struct {
	ID      string   `json:"id"`
	Project string   `json:"source_project"`
	Date    string   `json:"date"` // ISO 8601
	Context string   `json:"context"`
	Text    string   `json:"learning"`
	Tags    []string `json:"tags"`
	Hash    string   `json:"content_hash"` // of text and project
}

func learningStore() string { return filepath.Join(must.Get(os.UserHomeDir()), ".gsd", "knowledge") }

// learnings reads the store, the newest first. A file that is not a learning
// is left out.
func learnings() []learning {
	dir := learningStore()
	all := []learning{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		b, err := plan.ReadFile(filepath.Join(dir, e.Name()))
		var l learning
		if err == nil && strings.HasSuffix(e.Name(), ".json") && json.Unmarshal(b, &l) == nil && l.ID != "" {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b learning) int { return strings.Compare(b.Date, a.Date) })
	return all
}

func learningsList(*call) result {
	all := learnings()
	return data(object{{"learnings", all}, {"count", len(all)}})
}

func learningsQuery(c *call) result {
	tag := c.opt("tag")
	require(tag != "", "usage", "Usage: learnings query --tag <tag>")
	all := slices.DeleteFunc(learnings(), func(l learning) bool { return !slices.Contains(l.Tags, tag) })
	return data(object{{"learnings", all}, {"count", len(all)}, {"tag", tag}})
}

// learningsCopy puts each section of the project's LEARNINGS.md into the
// store; what is there already is skipped.
func learningsCopy(c *call) result {
	var sections []learning
	c.look(func(tx *plan.Tx) {
		t, err := tx.Read(c.Shared("LEARNINGS.md"))
		if !errors.Is(err, fs.ErrNotExist) {
			sections = readLearnings(string(must.Get(t, err).Bytes()), filepath.Base(c.Root))
		}
	})
	known := map[string]bool{}
	for _, l := range learnings() {
		known[l.Hash] = true
	}
	created := 0
	for _, l := range sections {
		if !known[l.Hash] {
			writeLearning(l)
			known[l.Hash] = true
			created++
		}
	}
	return data(object{{"total", len(sections)}, {"created", created}, {"skipped", len(sections) - created}})
}

// readLearnings takes each `## heading` with its text for a learning, tagged
// by the words of the heading.
func readLearnings(s, project string) (out []learning) {
	parts := strings.Split("\n"+strings.ReplaceAll(s, "\r\n", "\n"), "\n## ")
	for _, part := range parts[1:] {
		heading, body, _ := strings.Cut(part, "\n")
		heading, body = strings.TrimSpace(heading), strings.TrimSpace(body)
		if body == "" {
			continue
		}
		hash := sum([]byte(body + "\n" + project))
		out = append(out, learning{
			ID: hash[:16], Project: project, Date: time.Now().UTC().Format(time.RFC3339), Context: heading,
			Text: body, Tags: strings.Split(slug(heading), "-"), Hash: hash,
		})
	}
	return out
}

// sum identifies a content.
func sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func writeLearning(l learning) {
	dir := learningStore()
	must.OK(os.MkdirAll(dir, 0o700))
	must.OK(atomicfile.WriteFile(filepath.Join(dir, l.ID+".json"), append(must.Get(marshal(l, "  ")), '\n'), 0o600))
}

func learningsPrune(c *call) result {
	age, inDays := strings.CutSuffix(c.opt("older-than"), "d")
	days, err := strconv.Atoi(age)
	require(err == nil && days >= 0 && inDays, "usage", "Usage: learnings prune --older-than <N>d")
	all := learnings()
	removed := 0
	oldest := time.Now().AddDate(0, 0, -days)
	for _, l := range all {
		if t, err := time.Parse(time.RFC3339, l.Date); err == nil && t.Before(oldest) {
			must.OK(deleteLearning(l.ID))
			removed++
		}
	}
	return data(object{{"removed", removed}, {"kept", len(all) - removed}})
}

func learningsDelete(c *call) result {
	err := deleteLearning(c.arg(0))
	gone := errors.Is(err, fs.ErrNotExist)
	if !gone {
		must.OK(err)
	}
	return data(object{{"id", c.arg(0)}, {"deleted", !gone}})
}

func deleteLearning(id string) error {
	plain := strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	require(plain, "usage", "Invalid learning ID: %s", id)
	return os.Remove(filepath.Join(learningStore(), id+".json"))
}
