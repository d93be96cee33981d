package plancmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/item"
)

// itemVerbs are the verbs of the nouns that are an item each: what differs
// between todos, notes, seeds, threads, debug sessions and quick tasks is
// their words and flags.
func itemVerbs() []*command.Command {
	body := command.Flag{Name: "body", Default: "", Help: "the text under the title"}
	return []*command.Command{
		addItem(item.Todo, "Write down a todo", []command.Flag{
			{Name: "area", Default: "", Help: "the part of the project it belongs to (general)"},
			{Name: "priority", Default: "", Help: "how urgent it is"},
			{Name: "file", Default: []string(nil), Help: "a file it is about, perhaps with a line: src/a.go:12"},
			body,
		}, `Log failed logins --area auth --file src/login.go`, `Rename the config keys --priority low`),
		listItems(item.Todo, "List the todos", command.Flag{Name: "area", Default: "", Help: "list only this area"}),
		showItem(item.Todo, "Print one todo"),
		closeItem(item.Todo, "done", "Mark a todo as done"),
		matchTodos(),

		addItem(item.Note, "Write down a note", []command.Flag{body}, `"The vendor's API has no sandbox"`, `Ask legal --body "before the beta"`),
		listItems(item.Note, "List the notes"),

		addItem(item.Seed, "Write down an idea for later", []command.Flag{
			{Name: "trigger", Default: "", Help: "when to look at it again"},
			{Name: "scope", Default: "", Help: "how large it is"},
			{Name: "during", Default: "", Help: "what was worked on when it came up"},
			body,
		}, `Offline mode --trigger "when sync exists"`, `Dark theme --scope small`),
		listItems(item.Seed, "List the seeds"),
		{
			Path: "plan seed trigger", Short: "Mark a seed as due", Args: []command.Arg{nameArg(item.Seed)},
			Examples: []string{"cairn plan seed trigger SEED-001", "cairn plan seed trigger SEED-001-offline-mode --dry-run"},
			Effect:   command.Writes, Run: anywhere(triggerSeed),
		},
		closeItem(item.Seed, "done", "Mark a seed as implemented"),

		addItem(item.Thread, "Open a thread: notes on one question", []command.Flag{body}, `Which cache`, `Slow CI --body "12 minutes since May"`),
		listItems(item.Thread, "List the threads"),
		showItem(item.Thread, "Print one thread"),
		closeItem(item.Thread, "resolve", "Close a thread"),

		addItem(item.Debug, "Begin a debug session", []command.Flag{body}, `Login hangs`, `Race in the queue --body "seen twice on CI"`),
		listItems(item.Debug, "List the debug sessions"),
		showItem(item.Debug, "Print one debug session"),
		closeItem(item.Debug, "resolve", "Close a debug session"),

		addItem(item.Quick, "Start a quick task", nil, `Fix the typo in the footer`, `Bump the linter --dry-run`),
		listItems(item.Quick, "List the quick tasks"),
		closeItem(item.Quick, "done", "Complete a quick task and enter it in STATE.md"),
	}
}

func nameArg(k item.Kind) command.Arg {
	help := "its name as list prints it"
	if k == item.Seed || k == item.Quick {
		help = "its id, or its name as list prints it"
	}
	return command.Arg{Name: "NAME", Help: help}
}

// exampleName is a name as the kind has them.
func exampleName(k item.Kind) string {
	switch k {
	case item.Todo, item.Note:
		return "2026-03-04-log-failed-logins"
	case item.Seed:
		return "SEED-001"
	case item.Quick:
		return "260304-k2x"
	}
	return "login-hangs"
}

func addItem(k item.Kind, short string, flags []command.Flag, examples ...string) *command.Command {
	v := &command.Command{
		Path: "plan " + string(k) + " add", Short: short, Flags: flags, Effect: command.Writes,
		Args: []command.Arg{{Name: "TITLE", Help: "one line; its words need no quotes", Many: true}},
	}
	for _, e := range examples {
		v.Examples = append(v.Examples, "cairn plan "+string(k)+" add "+e)
	}
	text := func(c *Call, flag string) string {
		if c.Has(flag) {
			return c.String(flag)
		}
		return ""
	}
	v.Run = runItem(k, func(c *Call) *answer.Answer {
		d := item.Draft{
			Title: strings.Join(c.Rest("TITLE"), " "), Body: text(c, "body"), Area: text(c, "area"), Priority: text(c, "priority"),
			Trigger: text(c, "trigger"), Scope: text(c, "scope"), During: text(c, "during"),
		}
		if c.Has("file") {
			d.Files = c.List("file")
		}
		return itemResult(update(c, func(tx *plan.Tx) item.Item { return item.Add(tx, k, d, time.Now()) }), "added")
	})
	return v
}

// runItem is run for quick tasks. All others work where there is no plan, too: a
// thought is kept and a bug hunted before anybody plans.
func runItem(k item.Kind, fn func(*Call) *answer.Answer) func(*command.Call) (*answer.Answer, error) {
	if k == item.Quick {
		return run(fn)
	}
	return anywhere(fn)
}

func itemResult(it item.Item, did string) *answer.Answer {
	return &answer.Answer{Data: it, View: answer.Text(func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", did, it.Path) })}
}

func listItems(k item.Kind, short string, flags ...command.Flag) *command.Command {
	noun := string(k)
	return &command.Command{
		Path: "plan " + noun + " list", Short: short, Effect: command.Reads,
		Flags:    append([]command.Flag{{Name: "all", Default: false, Help: "also list closed ones"}}, flags...),
		Examples: []string{"cairn plan " + noun + " list", "cairn plan " + noun + " list --all --json"},
		Run: runItem(k, func(c *Call) *answer.Answer {
			items := []item.Item{}
			c.look(func(tx *plan.Tx) {
				read := item.Open
				if c.Bool("all") {
					read = item.All
				}
				for _, it := range read(tx, k) {
					if k != item.Todo || c.String("area") == "" || strings.EqualFold(it.Area, c.String("area")) {
						items = append(items, it)
					}
				}
			})
			if len(items) == 0 {
				return &answer.Answer{Data: items, Said: noItems(k, c.Bool("all"))}
			}
			return &answer.Answer{Data: items, View: answer.Text(func(w io.Writer) { printItems(w, k, items) })}
		}),
	}
}

func noItems(k item.Kind, all bool) string {
	if all || k == item.Note { // a note is never closed
		return "no " + k.Words()
	}
	return "no open " + k.Words() + "; --all lists those that are closed"
}

func printItems(w io.Writer, k item.Kind, items []item.Item) {
	if k == item.Todo {
		table("NAME\tAREA\tSTATUS\tTITLE", items, func(it item.Item) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s", it.Name, it.Area, it.Status, it.Title)
		})(w)
		return
	}
	table("NAME\tSTATUS\tTITLE", items, func(it item.Item) string {
		return fmt.Sprintf("%s\t%s\t%s", it.Name, it.Status, it.Title)
	})(w)
}

// itemText is an item with all of its file.
type itemText struct {
	item.Item
	Text string `json:"text"`
}

func showItem(k item.Kind, short string) *command.Command {
	noun := string(k)
	return &command.Command{
		Path: "plan " + noun + " show", Short: short, Args: []command.Arg{nameArg(k)}, Effect: command.Reads,
		Examples: []string{"cairn plan " + noun + " show " + exampleName(k), "cairn plan " + noun + " show " + exampleName(k) + " --get status"},
		Run: runItem(k, func(c *Call) *answer.Answer {
			var it itemText
			c.look(func(tx *plan.Tx) {
				it.Item = item.Find(tx, k, c.Arg("NAME"))
				it.Text = must.Get(tx.Read(it.Path)).String()
			})
			return &answer.Answer{Data: it, View: answer.Text(func(w io.Writer) { _, _ = io.WriteString(w, it.Text) })}
		}),
	}
}

func closeItem(k item.Kind, name, short string) *command.Command {
	noun := string(k)
	return &command.Command{
		Path: "plan " + noun + " " + name, Short: short, Args: []command.Arg{nameArg(k)}, Effect: command.Writes,
		Examples: []string{
			"cairn plan " + noun + " " + name + " " + exampleName(k),
			"cairn plan " + noun + " " + name + " " + exampleName(k) + " --dry-run",
		},
		Run: runItem(k, func(c *Call) *answer.Answer {
			var it item.Item
			var already bool
			c.Update(func(tx *plan.Tx) { it, already = item.Close(tx, k, c.Arg("NAME"), time.Now()) })
			did := it.Status
			if already && len(c.change.Files) == 0 {
				did = "already " + did
			}
			return itemResult(it, did)
		}),
	}
}

func triggerSeed(c *Call) *answer.Answer {
	return itemResult(update(c, func(tx *plan.Tx) item.Item { return item.TriggerSeed(tx, c.Arg("NAME")) }), "triggered")
}
