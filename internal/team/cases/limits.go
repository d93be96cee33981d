package cases

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// What one file may hold. A file that goes beyond is refused before it costs
// more than a moment: aliases multiply, and the parser's time grows with the
// square of the keys of one object and of the documents of one file.
const (
	MaxBytes     = 1 << 20
	maxNodes     = 200_000 // aliases counted as often as they stand
	maxDepth     = 50
	maxKeys      = 1_000 // of one object
	maxDocuments = 5_000
)

// measure refuses what would take the parser too long, or too deep.
func measure(name string, tokens token.Tokens) error {
	place := func(t *token.Token) Position {
		return Position{File: name, Line: t.Position.Line, Column: t.Position.Column}
	}
	var (
		documents, inLine, line int
		flow                    []int      // keys of every open bracket
		block                   = []int{0} // columns of open objects
		keys                    = []int{0} // and how many keys they have so far
	)
	for i, t := range tokens {
		if t.Position.Line != line {
			line, inLine = t.Position.Line, 0
		}
		switch t.Type {
		case token.DocumentHeaderType:
			if documents++; documents > maxDocuments {
				return Problem{At: place(t), What: fmt.Sprintf("more than %d documents; split the file", maxDocuments)}
			}
			block, keys = block[:1], append(keys[:0], 0)
		case token.SequenceStartType, token.MappingStartType:
			flow = append(flow, 0)
		case token.SequenceEndType, token.MappingEndType:
			if len(flow) > 0 {
				flow = flow[:len(flow)-1]
			}
		case token.SequenceEntryType: // of a list: the objects of the entry before are closed
			inLine++
			for len(flow) == 0 && len(block) > 1 && block[len(block)-1] > t.Position.Column {
				block, keys = block[:len(block)-1], keys[:len(keys)-1]
			}
		case token.MappingKeyType, token.TagType, token.AnchorType:
			inLine++
		case token.MappingValueType:
			count := &keys[len(keys)-1]
			if len(flow) > 0 {
				count = &flow[len(flow)-1]
			} else if i > 0 {
				column := tokens[i-1].Position.Column
				for len(block) > 1 && block[len(block)-1] > column {
					block, keys = block[:len(block)-1], keys[:len(keys)-1]
				}
				if block[len(block)-1] < column {
					block, keys = append(block, column), append(keys, 0)
				}
				count = &keys[len(keys)-1]
			}
			if *count++; *count > maxKeys {
				return Problem{At: place(t), What: fmt.Sprintf("more than %d keys in one object", maxKeys)}
			}
		}
		if len(flow) > maxDepth || inLine > maxDepth || len(block) > maxDepth {
			return tooDeep(place(t))
		}
	}
	return nil
}

func tooDeep(at Position) Problem {
	return Problem{At: at, What: fmt.Sprintf("nested deeper than %d levels", maxDepth)}
}
