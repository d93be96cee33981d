package plancmd

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/gate"
)

func phaseChangesVerb(phase command.Arg) *command.Command {
	return &command.Command{
		Path: "plan phase changes", Short: "List the files that a phase changed",
		Long: "Lists files that a phase changed and that still exist, without planning documents:\n" +
			"those of commits scoped to the phase or its plans, such as feat(02-01), and those\n" +
			"that its summaries name.",
		Args:     []command.Arg{phase},
		Examples: []string{"cairn plan phase changes 2", "cairn plan phase changes 2 --get commits[0].hash"},
		Effect:   command.Reads, Run: reads(phaseChanges),
	}
}

func phaseChanges(c *Call, tx *plan.Tx) *answer.Answer {
	p := c.phase(tx)
	made, files := []commit.Made{}, []string{}
	if git.Repo(c.Root) {
		made, files = must.Get2(commit.OfPhase(c.Context, c.Root, p.ID.Padded(), p.ID.String()))
	}
	for _, name := range p.Summaries() {
		files = append(files, gate.FilesOf(must.Get(tx.Read(path.Join(p.Dir, name))))...)
	}
	slices.Sort(files)
	files = slices.DeleteFunc(slices.Compact(files), func(name string) bool { return !c.isCode(name) })
	data := struct {
		Files   []string      `json:"files"`
		Commits []commit.Made `json:"commits"`
	}{files, made}
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		for _, name := range files {
			fmt.Fprintln(w, name)
		}
	})}
}

// isCode reports whether a name is a file of the project that is no planning
// document.
func (c *Call) isCode(name string) bool {
	if path.IsAbs(name) || path.Clean(name) != name || strings.HasPrefix(name, "../") || strings.HasPrefix(name, plan.Planning+"/") {
		return false
	}
	fi, err := os.Lstat(c.Abs(name))
	return err == nil && fi.Mode().IsRegular()
}
