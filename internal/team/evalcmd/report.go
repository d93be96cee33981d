package evalcmd

import (
	"errors"
	"os"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
)

// A report is a file that somebody else's tool will read.
type report struct {
	name string
	data []byte
}

// writeReports writes all files or none: each is whole beside its place before
// the first takes it.
func writeReports(env *command.Env, reports []report) error {
	var staged []*atomicfile.Staged
	for _, r := range reports {
		s, err := atomicfile.Stage(env.Path(r.name), r.data, 0o644)
		if err != nil {
			for _, s := range staged {
				s.Discard()
			}
			return err
		}
		staged = append(staged, s)
	}
	var failed error
	for _, s := range staged {
		failed = errors.Join(failed, s.Commit())
	}
	return failed
}

// appendTo adds text to a file in one write.
func appendTo(name, text string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
