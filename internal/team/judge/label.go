package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

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
