package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"cairn/internal/atomicfile"
)

// Whole is the criterion of a label that says whether the answer as a whole is
// right: judges say so where every criterion reaches its threshold.
const Whole = "*"

const mostLabels = 16 << 20 // bytes of a file of labels

// LabelFile is where the labels that a person gave on a run's pages are kept.
func LabelFile(dir, run string) string { return filepath.Join(dir, filepath.Base(run)+".json") }

// KeptLabels reads them; there may be none.
func KeptLabels(dir, run string) ([]Label, error) {
	file := LabelFile(dir, run)
	data, err := atomicfile.ReadRegular(file, mostLabels)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	labels, err := ReadLabels(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return labels, nil
}

// Over is what one person says in two places: where both have a label of the same,
// the first counts.
func Over(first, second []Label) []Label {
	out := slices.Clone(first)
	for _, l := range second {
		if !slices.ContainsFunc(first, l.same) {
			out = append(out, l)
		}
	}
	return out
}

func (l Label) same(o Label) bool { return l.Case == o.Case && l.Criterion == o.Criterion }

// A Voice is what one person says.
type Voice struct {
	Who    string // as a page calls them
	Labels []Label
}

// Common is what several people say, of whom each has one word for each answer and
// criterion: labels that nobody contradicts, each once, and those about which people
// differ. The latter are no label: which of them is right nobody knows.
func Common(people []Voice) (agreed, disputed []Label) {
	type key struct{ name, criterion string }
	said, differ := map[key]bool{}, map[key]bool{}
	var order []Label
	for _, p := range people {
		for _, l := range p.Labels {
			k := key{l.Case, l.Criterion}
			if pass, known := said[k]; !known {
				said[k], order = l.Pass, append(order, l)
			} else if pass != l.Pass {
				differ[k] = true
			}
		}
	}
	for _, l := range order {
		if differ[key{l.Case, l.Criterion}] {
			disputed = append(disputed, l)
		} else {
			agreed = append(agreed, l)
		}
	}
	return agreed, disputed
}
