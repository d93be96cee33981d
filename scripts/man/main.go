// Command man writes what packages hold beside the binary: man pages and
// completions for shells, made from the declarations of the commands.
//
//	go run ./scripts/man DIR VERSION DATE
//
// DIR/man gets a page for each command, cairn-eval-push.1, and cairn-topics.7 with
// what cairn help TOPIC prints; DIR/completions gets a file for each shell.
// DATE is that of the release, as 2026-11-21, so that two builds of one commit
// are the same to the byte.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"

	"cairn/internal/cli"
	"cairn/internal/manual"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: man DIR VERSION DATE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func write(dir, version, date string) error {
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{man, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	root := cli.Commands()
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return err
	}
	pages := append(cli.Book().Man(), topics())
	for i, p := range pages {
		section, book := "1", "Commands"
		if i == len(pages)-1 {
			section, book = "7", "Topics"
		}
		title := fmt.Sprintf("%% %q %q %q %q %q\n", strings.ToUpper(p.Name), section, at.Format("Jan 2006"), "cairn "+version, book)
		if err := os.WriteFile(filepath.Join(man, p.Name+"."+section), md2man.Render([]byte(title+p.Text)), 0o644); err != nil {
			return err
		}
	}
	for name, make := range map[string]func(io.Writer) error{
		"cairn.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_cairn":     root.GenZshCompletion,
		"cairn.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"cairn.ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		f, err := os.Create(filepath.Join(completions, name))
		if err != nil {
			return err
		}
		if err := make(f); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// topics is a page of what cairn help TOPIC prints.
func topics() manual.File {
	var b strings.Builder
	b.WriteString("# NAME\ncairn-topics - what cairn help TOPIC prints\n")
	for _, t := range cli.Book().Topics {
		fmt.Fprintf(&b, "\n# %s\n\n%s.\n\n%s\n", strings.ToUpper(t.Name), t.Short, t.Text)
		for _, r := range t.Rows {
			fmt.Fprintf(&b, "\n`%s`\n: %s\n", r.Name, strings.Join(strings.Fields(r.Means), " "))
		}
	}
	return manual.File{Name: "cairn-topics", Text: b.String()}
}
