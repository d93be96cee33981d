// Package injection finds text that tries to give orders to the agent that reads
// it: in a file, a page, an issue, the answer of a tool.
//
// Anyone may import it; it imports nothing of ours. Whether a text is scanned, and
// what is said about a finding, is the caller's decision. What never belongs here:
// files, settings, hooks.
//
// A single word proves nothing, and a document about injections is not one. So the
// scanner adds up signs: each rule that matches gives points (rules.go), less when
// the words are quoted, negated or reported (score.go), and only a passage whose
// points reach a threshold is found. The work is linear in the length of the text:
//
//	Scan → anchors  where could something be? one pass over the bytes
//	     → words    the words around these places, folded and classed
//	     → rules    sequences of classes; markup and hidden text beside them
//	     → passages the points of neighbors added up
//
// There are no regular expressions and nothing is prepared at start: hooks live for
// a few milliseconds.
package injection

// A Finding is one sign of an order in a passage that has enough of them.
type Finding struct {
	Pattern string // what it is: "override", "secrecy", … (see rules.go)
	Line    int    // from 1
	Excerpt string // the words that matched, on one line, at most 120 bytes, printable
}

// maxFindings bounds what Scan returns.
const maxFindings = 20

// Scan returns the signs found in text, by line, at most 20. Text may be anything;
// bytes that are no UTF-8 are passed over.
func Scan(text string) []Finding {
	s := scanner{text: text}
	s.scan(0)
	return s.report()
}

// Severity returns "" for no findings, "high" for findings of two or more kinds or
// of one that has no innocent use, and otherwise "low".
func Severity(findings []Finding) string {
	for _, f := range findings {
		if f.Pattern != findings[0].Pattern || f.Pattern == hiddenTags || f.Pattern == encodedOrder {
			return "high"
		}
	}
	if len(findings) > 0 {
		return "low"
	}
	return ""
}
