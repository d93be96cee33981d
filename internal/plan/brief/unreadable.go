package brief

import (
	"cairn/internal/jsonc"
	"cairn/internal/plan"
	"cairn/internal/plan/settings"
)

// unreadable names the documents that the next step is decided by and that cannot
// be read: what is said goes by the others.
func unreadable(tx *plan.Tx) (blocks []Block) {
	if err, do := tx.CheckRoadmap(); err != nil {
		blocks = append(blocks, Block{Path: err.Path, What: "cannot be read: " + err.What, Do: do})
	}
	rel := tx.Shared(settings.FileName)
	if b, err := tx.ReadBytes(rel); err == nil {
		if _, err := jsonc.Parse(b); err != nil {
			blocks = append(blocks, Block{Path: rel, What: "cannot be read, so every setting has its default: " + err.Error(), Do: "cairn plan health shows the line"})
		}
	}
	return blocks
}
