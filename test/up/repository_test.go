package up

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// thisRepository is the module's own. Where there is none, or not all of it, a
// made one stands in.
func thisRepository(t *testing.T) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "-C", root, "rev-parse", "--is-shallow-repository", "--show-prefix")
	cmd.Env = plain()
	out, err := cmd.Output()
	if err != nil || strings.TrimSpace(string(out)) != "false" {
		t.Logf("%s is not a whole clone (%q, %v): a made repository stands in", root, out, err)
		return madeRepository(t)
	}
	return root
}

// madeRepository has three people, a bot, fourteen weeks, a merge, a rename,
// pull requests and releases.
func madeRepository(t *testing.T) string {
	dir := t.TempDir()
	git := func(in string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
		cmd.Stdin = strings.NewReader(in)
		cmd.Env = append(plain(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	var in strings.Builder
	people := []string{"Ada <ada@example.com>", "Grace <grace@example.com>", "Zoë Łuk <zoe@example.com>", "renovate[bot] <bot@example.com>"}
	zones := []string{"+0000", "+0530", "-0800", "+1300"}
	begin := time.Now().AddDate(0, 0, -7*14).Unix()
	const commits = 120
	for i := range commits {
		who, zone := people[i*i%7%len(people)], zones[i%len(zones)]
		at := begin + int64(i)*(time.Now().Unix()-begin-60)/commits
		subject := fmt.Sprintf("feat: part %d", i)
		if i%9 == 0 {
			subject = fmt.Sprintf("fix: part %d (#%d)", i, 100+i)
		}
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\nauthor %s %d %s\ncommitter %s %d %s\ndata %d\n%s\n", i+1, who, at, zone, who, at, zone, len(subject), subject)
		if i == commits-2 { // an empty commit joins the two before
			fmt.Fprintf(&in, "from :%d\nmerge :%d\n\n", i, i-1)
			continue
		}
		if i > 0 {
			fmt.Fprintf(&in, "from :%d\n", i)
		}
		text := strings.Repeat(fmt.Sprintf("line of %d\n", i), i%5+1)
		name := fmt.Sprintf("src/part%d.go", i%11)
		if i == commits-20 {
			fmt.Fprintf(&in, "R src/part0.go \"src/a new naïve name.go\"\n")
			continue
		}
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
	}
	git("", "init", "-q", "-b", "main")
	git(in.String(), "fast-import", "--quiet")
	git("", "tag", "v1.0.0", "main~60")
	git("", "tag", "-a", "-m", "second", "v1.1.0", "main~5")
	return dir
}
