package grade

import (
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func factTypes() []Type {
	const category = "Fact-check"
	return []Type{
		{cases.Spec{Name: "item_count_range", Category: category, Reads: items, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many items."}, numberOf("items:", "min", "max")},
		{cases.Spec{Name: "no_false_positives", Category: category, Reads: items, Keys: []cases.Key{{Name: "max_actionable", Kind: cases.Count, Default: "0"}},
			About: "At most so many items ask for something to be done. An item says so with actionable, or else its severity does: every one but green, info, note, none, ok and pass. An item with neither, or with an unknown severity, fails. An empty list passes."}, of((*exam).readList, noFalsePositives)},
		{cases.Spec{Name: "has_severity", Category: category, Reads: items, Keys: []cases.Key{{Name: "severity", Kind: cases.Text, Required: true}, {Name: "min", Kind: cases.Count, Default: "1"}},
			About: "At least min items have this severity, written just so (case does not matter)."}, of((*exam).readList, hasSeverity)},
		{cases.Spec{Name: "violation_severity_at_least", Category: category, Reads: []string{"violations", "items"},
			Keys: []cases.Key{{Name: "violation", Kind: cases.Text, Required: true}, {Name: "severity", Kind: cases.Grade, Required: true}},
			About: "The violation was found (an entry whose violation, type, code, id, name, category or rule it is, or a member of that name) with this severity or a worse one. From harmless to worst: " +
				cases.Severities() + "."}, violationSeverity},
	}
}

// severityOf returns an item's severity as it is written.
func severityOf(v any) (string, bool) { return inObject(v, asText, "severity", "level") }

func noFalsePositives(x *exam, l entries) {
	n := 0
	for i, v := range l.all {
		if b, ok := inObject(v, as[bool], "actionable"); ok {
			if b {
				n++
			}
			continue
		}
		word, ok := severityOf(v)
		if !ok {
			x.fail("%s[%d] has neither actionable nor a severity", l.at, i)
			return
		}
		rank, known := cases.Severity(word)
		if !known {
			x.fail("%s[%d] has a severity that is not known: %q", l.at, i, text.First(word, mostShort))
			return
		}
		if rank > 1 {
			n++
		}
	}
	x.count("items to act on:", n, "", "max_actionable")
}

func hasSeverity(x *exam, l entries) {
	n := howMany(l.all, func(v any) bool {
		word, ok := severityOf(v)
		return ok && strings.EqualFold(strings.TrimSpace(word), x.text("severity"))
	})
	if least := x.number("min"); float64(n) < least {
		x.differ(least, n, "%s with severity %s, at least %s wanted", text.Count(n, "item"), x.text("severity"), plain(least))
	}
}

func violationSeverity(x *exam) {
	found, ok := read(x, x.reads, "a list or an object", func(v any) (any, bool) {
		switch v.(type) {
		case []any, map[string]any:
			return v, true
		}
		return nil, false
	})
	if !ok {
		return
	}
	name, least := x.text("violation"), x.text("severity")
	var words []string
	if object, isObject := found.(map[string]any); isObject {
		if v, ok := object[name]; ok {
			word, _ := member(v, asText, "severity", "level")
			words = append(words, word)
		}
	}
	list, _ := found.([]any)
	for _, v := range list {
		object, _ := v.(map[string]any)
		for _, key := range []string{"violation", "type", "code", "id", "name", "category", "rule"} {
			if object[key] == name {
				word, _ := severityOf(v)
				words = append(words, word)
				break
			}
		}
	}
	if len(words) == 0 {
		x.fail("violation %s was not found", name)
		return
	}
	want, _ := cases.Severity(least)
	for _, word := range words {
		if rank, known := cases.Severity(word); known && rank >= want {
			return
		}
	}
	x.differ(least, words, "violation %s has severity %s, at least %s wanted", name, spoken(words[0]), least)
}
