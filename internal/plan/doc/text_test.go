package doc

import (
	"reflect"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

func TestParseBytesIdentity(t *testing.T) {
	for _, s := range []string{
		"", "\n", "a", "a\n", "a\r\nb\r\n", "a\nb", "\xef\xbb\xbf---\na: 1\n---\n", "\xff\xfe\x00\n\xc3\x28", "\r\n\r", "a\rb\n",
		"```\nopen fence\n# h\n", "<!-- open\n# h",
	} {
		d := Parse([]byte(s))
		d.Headings()
		if got := string(d.Bytes()); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestEditsKeepEndings(t *testing.T) {
	d := Parse([]byte("a\r\nb\r\nc"))
	d.SetLine(1, "B")
	d.Insert(3, "d")
	d.Insert(0, "z")
	if got := string(d.Bytes()); got != "z\r\na\r\nB\r\nc\r\nd" {
		t.Errorf("got %q", got)
	}
	d.Delete(0, 2)
	if got := string(d.Bytes()); got != "B\r\nc\r\nd" {
		t.Errorf("got %q", got)
	}
}

func TestCodeIsText(t *testing.T) {
	d := Parse([]byte("# one\n```md\n## two\n```\n<!--\n## three\n-->\n~~~~\n```\n## four\n~~~~\n## five ##\n```\n## six, the fence is never closed\n"))
	var got []string
	for _, h := range d.Headings() {
		got = append(got, h.Text)
	}
	if want := []string{"one", "five", "six, the fence is never closed"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestSections(t *testing.T) {
	d := Parse([]byte("# A\n## B\nb\n### C\nc\n\n---\n## D\n"))
	b, _ := d.Section("b")
	if got := d.Span(b.Start, b.End); got != "b\n### C\nc\n\n---" {
		t.Errorf("B holds %q", got)
	}
	d.AppendTo(b, "new")
	dd, _ := d.Section("D")
	d.AppendTo(dd, "last")
	if got := d.String(); got != "# A\n## B\nb\n### C\nc\nnew\n\n---\n## D\n\nlast\n" {
		t.Errorf("got %q", got)
	}
}

func TestFields(t *testing.T) {
	d := Parse([]byte("**Goal:** one\n**Plans**: TBD\nStatus: now\n**Status:**\nNote *x*: no\nhttp://x\n"))
	for name, want := range map[string]string{"goal": "one", "plans": "TBD", "status": ""} {
		f, ok := d.Field(0, d.Len(), name)
		if !ok || f.Value != want {
			t.Errorf("%s is %q, %v", name, f.Value, ok)
		}
		d.SetField(f, "v")
	}
	if got := d.Lines(0, 4); !reflect.DeepEqual(got, []string{"**Goal:** v", "**Plans**: v", "Status: now", "**Status:** v"}) {
		t.Errorf("got %q", got)
	}
}

func TestItems(t *testing.T) {
	d := Parse([]byte("- [ ] a\n  - [X] b\n* c\n1. [ ] d\n- [link](x)\n-no\n"))
	items := d.Items(0, d.Len())
	if len(items) != 5 || !items[1].Done || items[1].Indent != 2 || items[4].Box || items[4].Text != "[link](x)" {
		t.Fatalf("got %+v", items)
	}
	d.Tick(items[0], true)
	d.Tick(items[1], false)
	d.Tick(items[3], true)
	if got := d.Span(0, 4); got != "- [x] a\n  - [ ] b\n* c\n1. [x] d" {
		t.Errorf("got %q", got)
	}
}

func TestTables(t *testing.T) {
	d := Parse([]byte("x\n| A | B |\n|---|:-:|\n| 1 | a \\| b |\n| 2      |\n\nafter\n"))
	tb := d.Tables(0, d.Len())[0]
	if tb.Column("b") != 1 || tb.Cell(0, 1) != `a \| b` || tb.Cell(1, 1) != "" {
		t.Fatalf("got %+v", tb)
	}
	d.SetCell(tb, 1, 0, "two")
	d.SetCell(tb, 1, 1, "c")
	d.AppendRow(tb, "3", "p|q")
	if got := d.Span(4, 6); got != "| two | c |\n| 3 | p\\|q |" {
		t.Errorf("got %q", got)
	}
	d = Parse([]byte("| A       | B |\n|---------|---|\n| Pending | x |\n| Open    | y |\n"))
	for row, value := range []string{"Done", "In Progress"} {
		d.SetCell(d.TableAt(0), row, 0, value)
	}
	if got := d.Span(2, 4); got != "| Done    | x |\n| In Progress | y |" {
		t.Errorf("lined up: got %q", got)
	}
}

func TestAppendTo(t *testing.T) {
	for text, want := range map[string]string{
		"# A\nx\n\n":                        "# A\nx\nNEW\n\n",
		"# A\nx\n\n---\n\n# B\n":            "# A\nx\nNEW\n\n---\n\n# B\n",
		"# A\nx\n\n---\n*Footer*\n_more_\n": "# A\nx\nNEW\n\n---\n*Footer*\n_more_\n",
		"# A\nx\n*no rule above*\n":         "# A\nx\n*no rule above*\nNEW\n",
		"# A\n":                             "# A\n\nNEW\n",
	} {
		d := Parse([]byte(text))
		s, _ := d.Section("A")
		if d.AppendTo(s, "NEW"); d.String() != want {
			t.Errorf("%q: got %q", text, d.String())
		}
	}
}

func TestBlocks(t *testing.T) {
	d := Parse([]byte("<tasks>\n<task type=\"auto\" tdd='true' gate=blocking>\n  <name>N</name>\n```\n</task>\n```\n</task>\n<task\n type=\"b\">x</task>\n<tasky>\n</tasks>\n"))
	tasks := d.Blocks(0, d.Len(), "task")
	if len(tasks) != 2 || tasks[0].Attrs["tdd"] != "true" || tasks[0].Attrs["gate"] != "blocking" || tasks[1].Attrs["type"] != "b" || tasks[1].Text != "x" {
		t.Fatalf("got %+v", tasks)
	}
	if name := Elements(tasks[0].Text, "name")[0].Text; name != "N" || !strings.Contains(tasks[0].Text, "```") {
		t.Errorf("name %q in %q", name, tasks[0].Text)
	}
}

// A file of lines that open something and close nothing is read in one pass;
// a quadratic one would run into the test's timeout.
func TestOpenEverythingIsLinear(t *testing.T) {
	cairntest.Long(t)
	for _, line := range []string{"```x\n", "<!-- x\n", "# h\n", "<task\n", "~~~~ y\n", "| a |\n|---|\n"} {
		file := strings.Repeat(line, 300_000)
		d := Parse([]byte(file))
		look(d)
		if string(d.Bytes()) != file {
			t.Errorf("%q changed", line)
		}
	}
}
