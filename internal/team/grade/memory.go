package grade

import (
	"strings"

	"cairn/internal/team/cases"
)

func memoryTypes() []Type {
	value := []cases.Key{{Name: "value", Kind: cases.Count, Required: true}}
	return []Type{
		{cases.Spec{Name: "has_category", Category: "Memory", Reads: memories, Keys: []cases.Key{{Name: "value", Kind: cases.Text, Required: true}},
			About: "At least one memory has this category."}, hasCategory},
		{cases.Spec{Name: "min_memories", Category: "Memory", Reads: memories, Keys: value, About: "There are at least so many memories."}, minMemories},
		{cases.Spec{Name: "max_memories", Category: "Memory", Reads: memories, Keys: value, About: "There are at most so many memories. An empty list passes; no list fails."}, maxMemories},
	}
}

func hasCategory(x *exam) {
	_, list, ok := x.readList()
	if !ok {
		return
	}
	var seen []string
	for _, m := range list {
		category, _ := member(m, asText, "category", "type")
		if _, isText := m.(string); isText {
			continue // the memory itself, without a category
		}
		if strings.TrimSpace(category) == x.text("value") {
			return
		}
		seen = append(seen, category)
	}
	x.differ(x.text("value"), seen, "none of %d memories has the category %s", len(list), x.text("value"))
}

func minMemories(x *exam) {
	if _, list, ok := x.readList(); ok {
		x.count("memories:", len(list), "value", "")
	}
}

func maxMemories(x *exam) {
	if _, list, ok := x.readList(); ok {
		x.count("memories:", len(list), "", "value")
	}
}
