package compact

import (
	"fmt"
	"strings"
	"testing"
)

// The good cases of git, files and operations: what must be cut, and what
// must be left. Outputs are captured where the tool could be run; those of
// kubectl, docker and aws follow the formats in their documentation.

func reduce(command, output string) Result {
	zero := 0
	return Compact(Envelope{Command: command, CombinedText: output, ExitCode: &zero}, Options{Level: Normal})
}

func captured(t *testing.T, name string) (Fixture, Result) {
	f := readFixture(t, "testdata/fixtures/"+name+".txt")
	return f, Compact(f.Envelope, Options{Level: Normal})
}

// holds checks the number of lines and that each text is there.
func holds(t *testing.T, res Result, most int, want ...string) {
	t.Helper()
	if res.Meta.LinesAfter > most {
		t.Errorf("%d lines, want at most %d", res.Meta.LinesAfter, most)
	}
	for _, w := range want {
		if !strings.Contains(res.Reduced, w) {
			t.Errorf("lost %q in\n%s", w, res.Reduced)
		}
	}
}

func TestG7DiffKeepsHunksDropsContext(t *testing.T) {
	var b strings.Builder
	b.WriteString("diff --git a/lib/tide.go b/lib/tide.go\nindex 3017868b9..d1493bc3f 100644\n--- a/lib/tide.go\n+++ b/lib/tide.go\n")
	for hunk := range 2 {
		fmt.Fprintf(&b, "@@ -%d,251 +%d,251 @@ func tide%d() {\n", 1+hunk*400, 1+hunk*400, hunk)
		for i := range 250 {
			if i == 125 {
				fmt.Fprintf(&b, "-\told := %d\n+\tnew := %d\n", hunk, hunk)
			}
			fmt.Fprintf(&b, " \tcontext line %d\n", i)
		}
	}
	res := reduce("git diff -U125", b.String())
	holds(t, res, 10, "diff --git a/lib/tide.go b/lib/tide.go", "@@ -1,251 +1,251 @@", "@@ -401,251 +401,251 @@", "-\told := 0\n+\tnew := 0", "-\told := 1\n+\tnew := 1")
	if strings.Contains(res.Reduced, "context line") {
		t.Error("context is left")
	}
	f, res := captured(t, "git/diff-context")
	for _, l := range strings.Split(f.CombinedText, "\n") {
		changed := l != "" && (l[0] == '+' || l[0] == '-') && !strings.HasPrefix(l, "--- ") && !strings.HasPrefix(l, "+++ ")
		if (changed || strings.HasPrefix(l, "@@")) && !strings.Contains(res.Reduced, l+"\n") {
			t.Errorf("lost %q", l)
		}
	}
}

func TestG8LogKeepsHashSubjectAuthor(t *testing.T) {
	f, res := captured(t, "git/log-50")
	commits, body := 0, 0
	in := strings.Split(f.CombinedText, "\n")
	for i, l := range in {
		switch {
		case strings.HasPrefix(l, "commit "):
			commits++
			holds(t, res, 250, l[len("commit "):][:10])
		case strings.HasPrefix(l, "Author: "):
			holds(t, res, 250, l[len("Author: "):strings.Index(l, " <")])
		case strings.HasPrefix(l, "    ") && i > 1 && in[i-1] == "" && strings.HasPrefix(in[i-2], "Date: "):
			holds(t, res, 250, strings.TrimSpace(l))
		case strings.HasPrefix(l, "    ") && strings.TrimSpace(l) != "":
			if body++; strings.Contains(res.Reduced, "\n"+strings.TrimSpace(l)+"\n") {
				t.Errorf("a body is left: %q", l)
			}
		}
	}
	if commits != 50 || body == 0 {
		t.Fatalf("the capture has %d commits and %d lines of bodies", commits, body)
	}
}

func TestG9StatusGroupsByDirectory(t *testing.T) {
	var b strings.Builder
	b.WriteString("On branch main\nChanges not staged for commit:\n  (use \"git add <file>...\" to update what will be committed)\n  (use \"git restore <file>...\" to discard changes in working directory)\n")
	for i := range 30 {
		fmt.Fprintf(&b, "\tmodified:   internal/%s/file%d.go\n", []string{"cli", "host", "plan"}[i%3], i)
	}
	b.WriteString("\nno changes added to commit (use \"git add\" and/or \"git commit -a\")\n")
	res := reduce("git status", b.String())
	holds(t, res, 37, "On branch main", "modified:   internal/cli/ ×10: file0.go file3.go", "internal/host/ ×10", "internal/plan/ ×10", " file29.go\n")
	if res.Meta.BytesAfter > res.Meta.BytesBefore*2/3 {
		t.Errorf("%d bytes became %d", res.Meta.BytesBefore, res.Meta.BytesAfter)
	}
}

func TestG18RepeatedLogLinesAreCounted(t *testing.T) {
	// docker logs prints what the container wrote, unchanged.
	var b strings.Builder
	for i := range 1000 {
		if i == 973 {
			b.WriteString("2026-11-20T10:00:00Z ERROR lease lost, node hub-1 steps down\n")
		}
		fmt.Fprintf(&b, "2026-11-20T10:%02d:%02dZ INFO heartbeat ok, latency %dms\n", i/60%60, i%60, i%7)
	}
	holds(t, reduce("docker logs web", b.String()), 4, "INFO heartbeat ok", "×1,000", "ERROR lease lost")
	_, res := captured(t, "logs/repeating")
	holds(t, res, 4, "×1,000")
}

func TestG19KubectlGroupsByNamespace(t *testing.T) {
	// The table of `kubectl get pods -A`, kubernetes.io/docs/reference/kubectl.
	b := "NAMESPACE     NAME                      READY   STATUS             RESTARTS      AGE\n"
	for i := range 90 {
		b += fmt.Sprintf("%-13s web-7d4b9c6f5-%05d       1/1     Running            0             %dd\n", []string{"default", "kube-system", "shop"}[i%3], i, i)
	}
	b += "shop          db-0                      0/1     CrashLoopBackOff   17 (2m ago)   3d\n"
	res := reduce("kubectl get pods -A", b)
	holds(t, res, 35, "default ×30 [… all: 1/1 Running …]: web-7d4b9c6f5-00000 0 0d, ", "kube-system ×30", "shop ×30", "\nshop  db-0  0/1  CrashLoopBackOff  17 (2m ago)  3d\n", "web-7d4b9c6f5-00089 …\n")
}

func TestG20LsGroupsByDirectory(t *testing.T) {
	f, res := captured(t, "files/ls-laR")
	holds(t, res, f.lines()/2, "./packages/billing/ ×4: dist/, migrations/", "chunk-0494b6d2.js", "[… ")
	if res.Meta.BytesAfter > len(f.CombinedText)/5 || strings.Contains(res.Reduced, "dev dev") {
		t.Errorf("%d bytes became %d", len(f.CombinedText), res.Meta.BytesAfter)
	}
}

func (f Fixture) lines() int { return strings.Count(f.CombinedText, "\n") }

func TestG21FindGroupsByDirectory(t *testing.T) {
	var b strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&b, "./src/part%d/file%d.%s\n", i%40, i, []string{"go", "ts", "go", "md"}[i%4])
	}
	res := reduce("find . -type f", b.String())
	holds(t, res, 45, "*.go ×5000", "*.ts ×2500", "*.md ×2500", "./src/part0/ ×250: file0.go", "./src/part39/ ×250: ")
	_, res = captured(t, "files/find-files")
	holds(t, res, 80, "*.ts ×331", "./packages/catalog/src/model/ ×11: rate.ts ")
}

func TestG22GrepIsCutEvenly(t *testing.T) {
	output := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "./lib/part%d/file.go:%d:\tfoo(%d)\n", i*20/n, i+1, i)
		}
		return b.String()
	}
	res := reduce(`grep -rn "foo" .`, output(500))
	holds(t, res, 522, "./lib/part0/file.go ×25\n1:\tfoo(0)\n", "./lib/part19/file.go ×25\n")
	if n := strings.Count(res.Reduced, "\tfoo("); n != 500 {
		t.Errorf("%d of 500 matches are shown", n)
	}
	res = reduce(`grep -rn "foo" .`, output(5000))
	holds(t, res, 900, "./lib/part0/file.go ×250\n1:\tfoo(0)\n", "./lib/part19/file.go ×250\n", " of 5,000 rows not shown …]")
	if n := strings.Count(res.Reduced, "\tfoo("); n < 250 {
		t.Errorf("%d of 5,000 matches are shown", n)
	}
	missing := reduce(`grep -rn "foo" . lib2`, output(500)+"grep: lib2: No such file or directory\n")
	holds(t, missing, 523, "grep: lib2: No such file or directory")
}

func TestG23CurlKeepsStatusAndBody(t *testing.T) {
	_, res := captured(t, "ops/curl-v-404")
	holds(t, res, 16, "> GET /api/orders/17 HTTP/1.1", "< HTTP/1.1 404 Not Found", "<h1>404 Not Found</h1>")
	for _, gone := range []string{"User-Agent", "Connection:", "% Total", "* Connected"} {
		if strings.Contains(res.Reduced, gone) {
			t.Errorf("%q is left", gone)
		}
	}
}

func TestG24AwsInstancesAreRows(t *testing.T) {
	// The shape of `aws ec2 describe-instances`, docs.aws.amazon.com/cli.
	var b strings.Builder
	b.WriteString("{\n    \"Reservations\": [\n")
	for i := range 50 {
		fmt.Fprintf(&b, `        {
            "Groups": [],
            "Instances": [
                {
                    "AmiLaunchIndex": 0,
                    "ImageId": "ami-0abcdef1234567890",
                    "InstanceId": "i-%017d",
                    "InstanceType": "t3.micro",
                    "LaunchTime": "2026-11-20T10:00:00.000Z",
                    "Monitoring": {
                        "State": "disabled"
                    },
                    "PrivateIpAddress": "10.0.0.%d",
                    "State": {
                        "Code": 16,
                        "Name": "running"
                    },
                    "BlockDeviceMappings": [
                        {
                            "DeviceName": "/dev/xvda",
                            "Ebs": {
                                "DeleteOnTermination": true,
                                "VolumeId": "vol-%017d"
                            }
                        }
                    ]
                }
            ],
            "OwnerId": "123456789012",
            "ReservationId": "r-%017d"
        }`, i, i, i, i)
		if i < 49 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("    ]\n}\n")
	res := reduce("aws ec2 describe-instances", b.String())
	holds(t, res, 120, `"InstanceId": "i-00000000000000000"`)
	for i := range 50 {
		holds(t, res, 120, fmt.Sprintf("i-%017d", i))
	}
	if !strings.Contains(res.Reduced, "i-00000000000000049 · 10.0.0.49") || !strings.Contains(res.Reduced, `State.Name "running" ×50`) {
		t.Errorf("no row of the last instance in\n%s", res.Reduced)
	}
}

// What a hook runs is cut by the rule for that tool; how git and the hook ended
// stays.
func TestHooksOfGit(t *testing.T) {
	one := 1
	for name, rule := range map[string]string{"tests/jest-fail-two": "tests/jest", "tests/vitest-fail": "tests/vitest", "tests/pytest-fail": "tests/pytest", "tests/go-test-fail-verbose": "tests/go"} {
		f := readFixture(t, "testdata/fixtures/"+name+".txt")
		env := Envelope{Command: `git commit -m "Add the cart"`, CombinedText: f.CombinedText + "\nhusky - pre-commit script failed (code 1)\n", ExitCode: &one}
		res := Compact(env, Options{Level: Normal})
		if lost := f.Lost(res.Reduced); res.Meta.Rule != rule || len(lost) > 0 || !strings.Contains(res.Reduced, "husky - pre-commit script failed (code 1)") {
			t.Errorf("%s: rule %s, lost %q in\n%s", name, res.Meta.Rule, lost, res.Reduced)
		}
	}
	res := Compact(Envelope{Command: "git commit -m x", CombinedText: "[main 1f2e3d4] x\n 1 file changed, 1 insertion(+)\n", ExitCode: new(int)}, Options{Level: Normal})
	if res.Meta.Rule != "git/sync" {
		t.Errorf("a commit is cut by %s", res.Meta.Rule)
	}
}
