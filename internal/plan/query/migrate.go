package query

import (
	"fmt"

	"cairn/internal/plan"
	"cairn/internal/plan/settings"
)

var migrateCommands = []command{
	{name: "migrate-config", run: migrateConfig},
}

// migrateConfig gives the keys of config.json their newer names. It is the
// only query that does: reading understands the older ones.
func migrateConfig(c *call) (result, error) {
	var renamed []settings.Renaming
	change, err := c.change(func(tx *plan.Tx) (err error) {
		renamed, err = settings.Normalize(tx, tx.Path(settings.FileName))
		return err
	})
	if err != nil {
		return result{}, configFailure(err)
	}
	raw := "No legacy keys found"
	if len(renamed) > 0 {
		raw = "Migrated:"
		for _, r := range renamed {
			raw += fmt.Sprintf("\n  %s -> %s", r.From, r.To)
		}
	}
	return dataRaw(object{
		{"migrated", len(renamed) > 0}, {"wrote", len(change.Files) > 0}, {"normalizations", list(renamed)},
	}, raw), nil
}
