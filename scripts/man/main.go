// Command man writes what packages hold beside the binary: man pages and
// completions for shells, made from the declarations of the commands.
//
//	go run ./scripts/man DIR VERSION DATE
//
// DIR/man gets cairn.1 and its like, DIR/completions a file for each shell.
// DATE is that of the release, as 2026-11-21, so that two builds of one commit
// are the same to the byte.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cairn/internal/cli"
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
	for _, page := range cli.Book().Man("cairn "+version, date) {
		if err := os.WriteFile(filepath.Join(man, page.Name), []byte(page.Text), 0o644); err != nil {
			return err
		}
	}
	root := cli.Commands()
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
