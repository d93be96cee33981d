package render

import (
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"

	"cairn/internal/host"
	"cairn/internal/plan/content"
)

// Every file has a head that a parser of its format takes, with a description.
func TestHeadsAreValid(t *testing.T) {
	for _, h := range host.All() {
		for _, profile := range content.Profiles() {
			files, err := Files(h, Options{Profile: profile})
			if err != nil {
				t.Error(err)
			}
			for _, f := range files {
				var head map[string]any
				switch {
				case strings.HasSuffix(f.Path, ".toml"):
					err = toml.Unmarshal(f.Data, &head)
				default:
					front, _, ok := strings.Cut(strings.TrimPrefix(string(f.Data), "---\n"), "\n---\n")
					if !ok {
						t.Errorf("%s: %s has no head", h.Name, f.Path)
					}
					err = yaml.Unmarshal([]byte(front), &head)
				}
				if text, _ := head["description"].(string); err != nil || text == "" {
					t.Errorf("%s: %s: its head is %v, %v", h.Name, f.Path, head, err)
				}
			}
		}
	}
}
