package manual

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// book has what is easily taken for markup.
func book() Book {
	root := &cobra.Command{Use: "tool", Short: "Do <things>", Long: "It has *stars* | pipes.\n\n    indented  as it is"}
	sub := &cobra.Command{
		Use: "sub FILE", Short: "Take a|b", Run: func(*cobra.Command, []string) {},
		Long: ".dot begins this line\nand a back\\slash ends it", Example: "  tool sub x-y",
	}
	sub.Flags().IntP("limit", "n", 20, "at most `N` of a|b")
	sub.Flags().Bool("hidden", false, "nobody sees it")
	_ = sub.Flags().MarkHidden("hidden")
	root.AddCommand(sub, &cobra.Command{Use: "secret", Hidden: true, Run: sub.Run})
	return Book{Root: root, Topics: []Topic{{Name: "codes", Short: "What they mean", Rows: []Row{{"a|b", "x < y"}}}}}
}

func TestMarkdown(t *testing.T) {
	files := map[string]string{}
	for _, f := range book().Markdown() {
		files[f.Name] = f.Text
	}
	for name, wants := range map[string][]string{
		"README.md": {`It has \*stars\* | pipes.`, "```text\n    indented  as it is\n```", "| [`tool sub`](sub.md) | Take a\\|b |"},
		"sub.md":    {"```\ntool sub FILE [flags]\n```", "| `-n, --limit N` | at most N of a\\|b (default `20`) |", "```sh\ntool sub x-y\n```", `back\\slash`},
		"topics.md": {"| `a\\|b` | x &lt; y |"},
	} {
		for _, want := range wants {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %q:\n%s", name, want, files[name])
			}
		}
	}
	if len(files) != 3 || strings.Contains(files["sub.md"], "hidden") {
		t.Errorf("something hidden is shown: %d pages, %s", len(files), files["sub.md"])
	}
}
