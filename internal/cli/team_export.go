package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/db/export"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

type teamExportOptions struct {
	output, person string
	json           bool
}

func newTeamExport(env *Env) *cobra.Command {
	var opts teamExportOptions
	cmd := &cobra.Command{
		Use:   "export --output FILE",
		Short: "Export everything of the team, or of one member",
		Long: `Writes what the server has of the team into FILE, a ZIP archive with a file of
JSON lines for each table and a manifest with rows and checksums; see
docs/export.md. It is one moment's state, and holds no secret that would let
anybody in. Owners export the team, or a member's part of it with --person;
everyone exports their own part and their account with --person me.`,
		Example: "  cairn team export --output team.zip\n  cairn team export --person me --output me.zip",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamExport(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.output, "output", "", "file to write; it must not be there yet")
	f.StringVar(&opts.person, "person", "", "only what is of the member with this address; me is yourself")
	f.BoolVar(&opts.json, "json", false, "print the manifest as JSON")
	return cmd
}

func runTeamExport(env *Env, opts teamExportOptions) error {
	if opts.person != "" && opts.person != "me" {
		if err := link.CheckAddress(opts.person); err != nil {
			return err
		}
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	if err := checkOutput(opts.output); err != nil {
		return err
	}
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	return writeExport(env, opts.output, opts.json, func(w io.Writer) error {
		_, err := t.ExportTeam(ctx, t.ID, opts.person, w)
		return err
	})
}

// checkOutput refuses a file that is there, before anything is asked for.
func checkOutput(name string) error {
	if name == "" {
		return command.Usage(errors.New("--output FILE is missing"))
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already", term.Printable(name))
		}
		return command.Usage(err)
	}
	return nil
}

// writeExport writes an archive beside its name, checks it and gives it the name:
// what is called so is whole. Only its owner may read it.
func writeExport(env *Env, name string, asJSON bool, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".export-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // what was renamed is not called that any more
	if err = f.Chmod(home.PrivateFile); err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	m, err := export.Verify(f.Name())
	if err != nil {
		return command.Data(err)
	}
	if err := os.Link(f.Name(), name); err != nil { // fails where another has come meanwhile
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := os.Rename(f.Name(), name); err != nil { // a file system without links
			return err
		}
	}
	if asJSON {
		return printJSON(env, m)
	}
	var rows int64
	for _, file := range m.Files {
		rows += file.Rows
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %d rows of %d tables; every checksum is right\n", term.Printable(name), rows, len(m.Files))
	return err
}
