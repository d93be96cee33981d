package render

import (
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"

	"cairn/internal/host"
	"cairn/internal/plan/content"
)

// Every file of every profile can be read by a parser of its format, and what
// a host lists has a description.
func TestFilesAreValid(t *testing.T) {
	for _, h := range host.All() {
		for _, profile := range content.Profiles() {
			files, err := Files(h, Options{Profile: profile})
			if err != nil || len(files) == 0 {
				t.Errorf("%s: %d files, %v", h.Name, len(files), err)
			}
			for _, f := range files {
				head, err := parse(f)
				if err != nil {
					t.Errorf("%s: %s: %v", h.Name, f.Path, err)
				}
				if text, _ := head["description"].(string); text == "" && !strings.HasSuffix(f.Path, ".yaml") {
					t.Errorf("%s: %s: nothing describes it: %v", h.Name, f.Path, head)
				}
			}
		}
	}
}

// parse reads a file whole where that is its format, else its head.
func parse(f File) (members map[string]any, err error) {
	switch {
	case strings.HasSuffix(f.Path, ".toml"):
		err = toml.Unmarshal(f.Data, &members)
	case strings.HasSuffix(f.Path, ".yaml"):
		err = yaml.Unmarshal(f.Data, &members)
	default:
		front, _, _ := strings.Cut(strings.TrimPrefix(string(f.Data), "---\n"), "\n---\n")
		err = yaml.Unmarshal([]byte(front), &members)
	}
	return members, err
}
