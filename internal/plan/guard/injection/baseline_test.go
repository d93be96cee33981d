package injection

import (
	"regexp"
	"strings"
)

// baseline is a matcher of the kind that most tools have: 14 phrases of orders, 4 of
// surviving a summary, and any invisible character. A text with one of them is
// flagged.
var baseline = struct{ phrases []*regexp.Regexp }{phrases: compile(
	`ignore\s+(all\s+)?(previous|above|prior)\s+instructions`,
	`disregard\s+(all\s+)?(previous|above|prior)`,
	`forget\s+(all\s+|everything\s+)?(previous|above|prior|your\s+(instructions|training|rules))`,
	`override\s+(the\s+)?(system|previous|safety)\s*(prompt|instructions)?`,
	`you\s+are\s+now\s+(a|an|the)\s`,
	`act\s+as\s+(a|an|the|if)\s+(?:[^pw]|p[^lh]|w[^a])`,
	`pretend\s+(you('re|\s+are)|to\s+be)`,
	`from\s+now\s+on,?\s+(you|act|respond|behave)`,
	`(reveal|show|print|output|repeat|display)\s+(me\s+)?(your|the)\s+(system\s+)?(prompt|instructions)`,
	`</?(system|assistant|human)>`,
	`\[/?system\]`,
	`\[/?inst\]`,
	`<<\s*/?sys\s*>>`,
	`what\s+(are|is)\s+your\s+(system\s+)?(prompt|instructions)`,
	`when\s+(summariz|compress|compact)ing,?\s+(always\s+)?(retain|preserve|keep|include)`,
	`(this|these)\s+(instructions?|directives?|rules?)\s+(is|are)\s+(permanent|persistent)`,
	`(retain|preserve|keep)\s+(this|these)\s+(in|across|through|after)\s+(\w+\s+)?(summar|compact|context)`,
	`(survives?|persists?)\s+(\w+\s+)?(summar|compact|context)`,
)}

func compile(phrases ...string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, p := range phrases {
		out = append(out, regexp.MustCompile(`(?i)`+p))
	}
	return out
}

func baselineFlags(text string) bool {
	for _, re := range baseline.phrases {
		if re.MatchString(text) {
			return true
		}
	}
	return strings.ContainsFunc(text, func(r rune) bool {
		return 0x200B <= r && r <= 0x200F || 0x2028 <= r && r <= 0x202F || 0x2060 <= r && r <= 0x2069 ||
			r == 0xFEFF || r == 0xAD || 0xE0000 <= r && r <= 0xE007F
	})
}
