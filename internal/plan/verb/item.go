package verb

import (
	"fmt"
	"io"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/item"
)

// itemVerbs are the verbs of the nouns that are an item each: what differs
// between todos, notes, seeds, threads, debug sessions and quick tasks is
// their words and flags. All but quick work where there is no plan too: a
// thought is kept and a bug hunted before anybody plans.
func itemVerbs() []*Verb {
	verbs := kindVerbs()
	for _, v := range verbs {
		v.Anywhere = v.Noun != string(item.Quick)
	}
	return verbs
}

func kindVerbs() []*Verb {
	body := Flag{Name: "body", Default: "", Help: "the text under the title"}
	return []*Verb{
		addItem(item.Todo, "Write down something to do later", []Flag{
			{Name: "area", Default: "", Help: "the part of the project it belongs to (general)"},
			{Name: "priority", Default: "", Help: "how urgent it is"},
			{Name: "file", Default: []string(nil), Help: "a file it is about, perhaps with a line: src/a.go:12"},
			body,
		}, `Log failed logins --area auth --file src/login.go`, `Rename the config keys --priority low`),
		listItems(item.Todo, "List the todos", Flag{Name: "area", Default: "", Help: "only those of one area"}),
		showItem(item.Todo, "Print one todo"),
		closeItem(item.Todo, "done", "Mark a todo as done and put it away"),
		matchTodos(),

		addItem(item.Note, "Keep a thought", []Flag{body}, `"The vendor's API has no sandbox"`, `Ask legal --body "before the beta"`),
		listItems(item.Note, "List the notes"),

		addItem(item.Seed, "Plant an idea that waits for its time", []Flag{
			{Name: "trigger", Default: "", Help: "when to look at it again"},
			{Name: "scope", Default: "", Help: "how large it is"},
			{Name: "during", Default: "", Help: "what was worked on when it came up"},
			body,
		}, `Offline mode --trigger "when sync exists"`, `Dark theme --scope small`),
		listItems(item.Seed, "List the seeds"),
		{
			Noun: "seed", Name: "trigger", Short: "Say that a seed's time has come", Args: []Arg{nameArg(item.Seed)},
			Examples: []string{"cairn plan seed trigger SEED-001", "cairn plan seed trigger SEED-001-offline-mode --dry-run"},
			Effect:   Writes, Run: triggerSeed,
		},
		closeItem(item.Seed, "done", "Mark a seed as implemented"),

		addItem(item.Thread, "Open a thread: notes on one question, over many sessions", []Flag{body}, `Which cache`, `Slow CI --body "12 minutes since May"`),
		listItems(item.Thread, "List the threads"),
		showItem(item.Thread, "Print one thread"),
		closeItem(item.Thread, "resolve", "Close a thread"),

		addItem(item.Debug, "Begin a debug session", []Flag{body}, `Login hangs`, `Race in the queue --body "seen twice on CI"`),
		listItems(item.Debug, "List the debug sessions"),
		showItem(item.Debug, "Print one debug session"),
		closeItem(item.Debug, "resolve", "Close a debug session and put it away"),

		addItem(item.Quick, "Begin a quick task: a directory with its plan", nil, `Fix the typo in the footer`, `Bump the linter --dry-run`),
		listItems(item.Quick, "List the quick tasks"),
		closeItem(item.Quick, "done", "Mark a quick task as complete and enter it in STATE.md"),
	}
}

func nameArg(k item.Kind) Arg {
	help := "its name as list prints it"
	if k == item.Seed || k == item.Quick {
		help = "its id, or its name as list prints it"
	}
	return Arg{Name: "NAME", Help: help}
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

func addItem(k item.Kind, short string, flags []Flag, examples ...string) *Verb {
	v := &Verb{
		Noun: string(k), Name: "add", Short: short, Flags: flags, Effect: Writes,
		Args: []Arg{{Name: "TITLE", Help: "one line; its words need no quotes", Many: true}},
	}
	for _, e := range examples {
		v.Examples = append(v.Examples, "cairn plan "+string(k)+" add "+e)
	}
	text := func(c *Call, flag string) string {
		if v.has(flag) {
			return c.String(flag)
		}
		return ""
	}
	v.Run = func(c *Call) (*Result, error) {
		d := item.Draft{
			Title: strings.Join(c.Rest("TITLE"), " "), Body: text(c, "body"), Area: text(c, "area"), Priority: text(c, "priority"),
			Trigger: text(c, "trigger"), Scope: text(c, "scope"), During: text(c, "during"),
		}
		if v.has("file") {
			d.Files = c.List("file")
		}
		it, change, err := update(c, func(tx *plan.Tx) (item.Item, error) { return item.Add(tx, k, d, time.Now()) })
		return itemResult(it, change, err, "added")
	}
	return v
}

func (v *Verb) has(flag string) bool {
	for _, f := range v.Flags {
		if f.Name == flag {
			return true
		}
	}
	return false
}

func itemResult(it item.Item, change *plan.Change, err error, did string) (*Result, error) {
	if err != nil {
		return nil, err
	}
	return &Result{Data: it, Change: change, Text: func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", did, it.Path) }}, nil
}

func listItems(k item.Kind, short string, flags ...Flag) *Verb {
	noun := string(k)
	return &Verb{
		Noun: noun, Name: "list", Short: short, Effect: Reads,
		Flags:    append([]Flag{{Name: "all", Default: false, Help: "also those that are closed"}}, flags...),
		Examples: []string{"cairn plan " + noun + " list", "cairn plan " + noun + " list --all --json"},
		Run: func(c *Call) (*Result, error) {
			items := []item.Item{}
			err := c.View(func(tx *plan.Tx) error {
				read := item.Open
				if c.Bool("all") {
					read = item.All
				}
				found, err := read(tx, k)
				for _, it := range found {
					if k != item.Todo || c.String("area") == "" || strings.EqualFold(it.Area, c.String("area")) {
						items = append(items, it)
					}
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			if len(items) == 0 {
				return &Result{Data: items, Talk: noItems(k, c.Bool("all"))}, nil
			}
			return &Result{Data: items, Text: func(w io.Writer) { printItems(w, k, items) }}, nil
		},
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
		table(w, "NAME\tAREA\tSTATUS\tTITLE", items, func(it item.Item) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s", it.Name, it.Area, it.Status, it.Title)
		})
		return
	}
	table(w, "NAME\tSTATUS\tTITLE", items, func(it item.Item) string {
		return fmt.Sprintf("%s\t%s\t%s", it.Name, it.Status, it.Title)
	})
}

// itemText is an item with all of its file.
type itemText struct {
	item.Item
	Text string `json:"text"`
}

func showItem(k item.Kind, short string) *Verb {
	noun := string(k)
	return &Verb{
		Noun: noun, Name: "show", Short: short, Args: []Arg{nameArg(k)}, Effect: Reads,
		Examples: []string{"cairn plan " + noun + " show " + exampleName(k), "cairn plan " + noun + " show " + exampleName(k) + " --get status"},
		Run: func(c *Call) (*Result, error) {
			var it itemText
			err := c.View(func(tx *plan.Tx) (err error) {
				if it.Item, err = item.Find(tx, k, c.Arg("NAME")); err != nil {
					return err
				}
				t, err := tx.Read(it.Path)
				if err == nil {
					it.Text = t.String()
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			return &Result{Data: it, Text: func(w io.Writer) { _, _ = io.WriteString(w, it.Text) }}, nil
		},
	}
}

func closeItem(k item.Kind, name, short string) *Verb {
	noun := string(k)
	return &Verb{
		Noun: noun, Name: name, Short: short, Args: []Arg{nameArg(k)}, Effect: Writes,
		Examples: []string{
			"cairn plan " + noun + " " + name + " " + exampleName(k),
			"cairn plan " + noun + " " + name + " " + exampleName(k) + " --dry-run",
		},
		Run: func(c *Call) (*Result, error) {
			var it item.Item
			var already bool
			change, err := c.Update(func(tx *plan.Tx) (err error) {
				it, already, err = item.Close(tx, k, c.Arg("NAME"), time.Now())
				return err
			})
			did := it.Status
			if already && len(change.Files) == 0 {
				did = "already " + did
			}
			return itemResult(it, change, err, did)
		},
	}
}

func triggerSeed(c *Call) (*Result, error) {
	it, change, err := update(c, func(tx *plan.Tx) (item.Item, error) { return item.TriggerSeed(tx, c.Arg("NAME")) })
	return itemResult(it, change, err, "triggered")
}
