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
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

var learningCommands = []command{
	{name: "learnings list", run: learningsList},
	{name: "learnings query", run: learningsQuery},
	{name: "learnings copy", run: learningsCopy},
	{name: "learnings prune", run: learningsPrune},
	{name: "learnings delete", run: learningsDelete},
}

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

func learningStore() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".gsd", "knowledge"), err
}

// learnings reads the store, the newest first. A file that is not a learning
// is left out.
func learnings() ([]learning, error) {
	dir, err := learningStore()
	if err != nil {
		return nil, err
	}
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
	return all, nil
}

func learningsList(*call) (result, error) {
	all, err := learnings()
	return data(object{{"learnings", all}, {"count", len(all)}}), err
}

func learningsQuery(c *call) (result, error) {
	tag, _ := c.flag("tag")
	if tag == "" {
		return result{}, fail("usage", "Usage: learnings query --tag <tag>")
	}
	all, err := learnings()
	all = slices.DeleteFunc(all, func(l learning) bool { return !slices.Contains(l.Tags, tag) })
	return data(object{{"learnings", all}, {"count", len(all)}, {"tag", tag}}), err
}

// learningsCopy puts each section of the project's LEARNINGS.md into the
// store; what is there already is skipped.
func learningsCopy(c *call) (result, error) {
	var sections []learning
	err := c.View(func(tx *plan.Tx) error {
		t, err := tx.Read(c.Shared("LEARNINGS.md"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		sections = readLearnings(string(t.Bytes()), filepath.Base(c.Root))
		return nil
	})
	if err != nil {
		return result{}, err
	}
	all, err := learnings()
	if err != nil {
		return result{}, err
	}
	known := map[string]bool{}
	for _, l := range all {
		known[l.Hash] = true
	}
	created := 0
	for _, l := range sections {
		if known[l.Hash] {
			continue
		}
		if err := writeLearning(l); err != nil {
			return result{}, err
		}
		known[l.Hash] = true
		created++
	}
	return data(object{{"total", len(sections)}, {"created", created}, {"skipped", len(sections) - created}}), nil
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
		sum := sha256.Sum256([]byte(body + "\n" + project))
		hash := hex.EncodeToString(sum[:])
		out = append(out, learning{
			ID: hash[:16], Project: project, Date: time.Now().UTC().Format(time.RFC3339), Context: heading,
			Text: body, Tags: strings.Split(text.LetterSlug(heading, doc.SlugLength), "-"), Hash: hash,
		})
	}
	return out
}

func writeLearning(l learning) error {
	dir, err := learningStore()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	b, err := marshal(l, "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(dir, l.ID+".json"), append(b, '\n'), 0o600)
}

func learningsPrune(c *call) (result, error) {
	age, _ := c.flag("older-than")
	days, err := strconv.Atoi(strings.TrimSuffix(age, "d"))
	if err != nil || days < 0 || !strings.HasSuffix(age, "d") {
		return result{}, fail("usage", "Usage: learnings prune --older-than <N>d")
	}
	all, err := learnings()
	if err != nil {
		return result{}, err
	}
	removed := 0
	oldest := time.Now().AddDate(0, 0, -days)
	for _, l := range all {
		if t, err := time.Parse(time.RFC3339, l.Date); err != nil || !t.Before(oldest) {
			continue
		}
		if err := deleteLearning(l.ID); err != nil {
			return result{}, err
		}
		removed++
	}
	return data(object{{"removed", removed}, {"kept", len(all) - removed}}), nil
}

func learningsDelete(c *call) (result, error) {
	id := c.arg(0)
	if id == "" {
		return result{}, fail("usage", "Usage: learnings delete <id>")
	}
	err := deleteLearning(id)
	if errors.Is(err, fs.ErrNotExist) {
		return data(object{{"id", id}, {"deleted", false}}), nil
	}
	return data(object{{"id", id}, {"deleted", true}}), err
}

func deleteLearning(id string) error {
	if strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return fail("usage", "Invalid learning ID: %s", id)
	}
	dir, err := learningStore()
	if err != nil {
		return err
	}
	return os.Remove(filepath.Join(dir, id+".json"))
}
