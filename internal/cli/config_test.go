package cli

import (
	"slices"
	"strings"
	"testing"

	"cairn/internal/compact"
	"cairn/internal/config"
	"cairn/internal/redact"
)

// config may not import what its settings are for, so the names that both
// know are compared here.
func TestSettingsNameWhatExists(t *testing.T) {
	t.Parallel()
	kinds, err := config.Find(config.CompactTeeRedact)
	if err != nil || !slices.Equal(kinds.Allowed, redact.Kinds()) || kinds.Default != strings.Join(redact.Kinds(), ",") {
		t.Errorf("%s: %q, but redact knows %q", kinds.Key, kinds.Allowed, redact.Kinds())
	}
	levels, err := config.Find(config.CompactLevel)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range levels.Allowed {
		if _, ok := compact.ParseLevel(name); !ok {
			t.Errorf("%s: compact has no level %s", levels.Key, name)
		}
	}
}
