package lines

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext":                            "plain\ttext",
		"\x1b[1;31mred\x1b[0m":                   "red",
		"\x1b]8;;https://x\x1b\\link\x1b]8;;\a!": "link!",
		"a\x1b(Bb\x1b[?25lc\x1b7":                "abc",
		"10%\r50%\rdone":                         "done",
		"windows\r":                              "windows",
		"nul\x00 and bell\a":                     "nul and bell",
		"\u009b31mred":                           "red",
		"unfinished \x1b[3":                      "unfinished ",
		"日本\x1b[0m語":                             "日本語",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSplitter(t *testing.T) {
	text := "one\ntwo\r\n\n" + strings.Repeat("x", MaxLine+5000) + "END\nlast without an end"
	for _, size := range []int{1 << 20, 4093, 7} {
		if size == 7 && testing.Short() {
			continue
		}
		var got []string
		s := Splitter{Each: func(b []byte) { got = append(got, string(b)) }}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			s.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		s.Close()
		if len(got) != 5 || got[0] != "one" || got[1] != "two\r" || got[2] != "" || got[4] != "last without an end" {
			t.Fatalf("size %d: %d lines: %.40q", size, len(got), got)
		}
		if long := got[3]; len(long) > ClipOver || !strings.HasPrefix(long, "xxx") || !strings.HasSuffix(long, "xxEND") || !strings.Contains(long, " bytes …] ") {
			t.Errorf("size %d: the long line is %d bytes", size, len(long))
		}
	}
}

func TestClip(t *testing.T) {
	if s := strings.Repeat("a", ClipOver); Clip(s) != s {
		t.Error("a line at the limit was cut")
	}
	long := strings.Repeat("é", ClipOver)
	got := Clip(long)
	if !utf8.ValidString(got) || len(got) > ClipHead+ClipTail+40 || !strings.Contains(got, "[… 15,104 bytes …]") {
		t.Errorf("%d bytes, valid %v: %s", len(got), utf8.ValidString(got), got[ClipHead-10:ClipHead+40])
	}
}

func TestTemplate(t *testing.T) {
	same := [][2]string{
		{"2026-11-20T10:00:01Z INFO job 17 done in 3ms", "2026-11-21T23:59:59Z INFO job 18 done in 140ms"},
		{"opened /var/log/a.log", "opened /srv/b.log"},
		{"commit 1a2b3c4d", "commit 99ffee00"},
		{"worker-1  started", "worker-22 started"},
	}
	for _, p := range same {
		if a, b := Template(p[0]), Template(p[1]); a != b {
			t.Errorf("%q and %q differ: %q, %q", p[0], p[1], a, b)
		}
	}
	if Template("undefined: foo") == Template("undefined: bar") {
		t.Error("words are not numbers")
	}
}

func TestClassify(t *testing.T) {
	for s, want := range map[string]Signal{
		"":                                   Nothing,
		"building the project":               Nothing,
		"compiled error_handler.go":          Nothing,
		"0 errors, 0 warnings":               Nothing,
		"no errors found":                    Nothing,
		"tests/errors/timeout_test.py .....": Nothing,
		"warning: unused variable":           Warning,
		"error: expected ';'":                Failure,
		"main.c:3:1: error: expected ';'":    Failure,
		"TypeError: x is not a function":     Failure,
		"java.lang.AssertionError: expected:<1> but was:<2>": Failure,
		"error[E0308]: mismatched types":                     Failure,
		"npm ERR! code ERESOLVE":                             Failure,
		"--- FAIL: TestX (0.00s)":                            Failure,
		"fatal: not a git repository":                        Failure,
		"Traceback (most recent call last):":                 Failure,
		"Caused by: java.io.IOException":                     Failure,
		"expected 3, got 4":                                  Trouble,
		"bash: foo: command not found":                       Trouble,
		"open x: permission denied":                          Trouble,
		"exit status 2":                                      Trouble,
		"it failed in src/app.go:42":                         Trouble,
		"Killed":                                             Trouble,
	} {
		if got := Classify(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func TestLocation(t *testing.T) {
	for s, want := range map[string]string{
		"at f (file:///home/dev/x/a.test.js:7:16)": "/home/dev/x/a.test.js:7:16",
		"src/app.go:42: bad":                       "src/app.go:42",
		"at f (/home/dev/x.js:3:17)":               "/home/dev/x.js:3:17",
		"a.ts(12,5): error TS2322":                 "a.ts(12,5)",
		`  File "/home/dev/x.py", line 9, in f`:    "/home/dev/x.py:9",
		"listening on 10.0.0.1:8080":               "",
		"took 12.5:30":                             "",
		"see https://example.com:443/x":            "https://example.com:443",
		"no place at all":                          "",
		"lib/a.rb:7:in `block'":                    "lib/a.rb:7",
	} {
		if got := Location(s); got != want && !(want == "https://example.com:443" && got != "") {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestFrame(t *testing.T) {
	for s, want := range map[string][2]bool{
		"    at total (src/bill.js:4:2)":                          {true, true},
		"    at run (node_modules/jest/x.js:4:2)":                 {true, false},
		"    at node:internal/process/task_queues:95:5":           {true, false},
		"\t/home/dev/app/main.go:12 +0x1d":                        {true, true},
		"\t/usr/local/go/src/testing/testing.go:1689 +0x21":       {true, false},
		`  File "/usr/lib/python3.11/site-packages/x.py", line 3`: {true, false},
		`  File "app/main.py", line 3, in f`:                      {true, true},
		"\tat com.acme.Toll.of(Toll.java:9)":                      {true, true},
		"\tat java.base/java.lang.Thread.run(Thread.java:833)":    {true, false},
		"plain text": {false, false},
	} {
		frame, own := Frame(s)
		if frame != want[0] || own != want[1] {
			t.Errorf("%q: %v %v, want %v", s, frame, own, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add([]byte("\x1b[31mred\x1b[0m\rx\x00"))
	f.Add([]byte("\x1b]0;t\a\u009b1m"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := Clean(string(b))
		if len(got) > len(b) {
			t.Errorf("%q grew to %q", b, got)
		}
		if utf8.Valid(b) && !utf8.ValidString(got) {
			t.Errorf("%q is no longer UTF-8: %q", b, got)
		}
		Classify(got)
		Location(got)
		Frame(got)
		Template(got)
	})
}

// What a spinner or a stranger wrote over an error does not hide it.
func TestCleanKeepsFaults(t *testing.T) {
	for line, want := range map[string]string{
		"FAIL: TestPay\rall good":                        "FAIL: TestPay all good",
		"1%\r2%\r\x1b[31merror: x at a.c:1\x1b[0m\r100%": "error: x at a.c:1 100%",
		"error: a.c:1\rerror: a.c:2\rerror: b.c:2\rok":   "error: a.c:1 error: b.c:2 ok",
		"1%\r50%\r100%":  "100%",
		"0 errors\rdone": "done",
		"\x1bPFAIL: x":   "FAIL: x",
		"\x1b]0;FAIL: x": "0;FAIL: x",
		"\x1b]0;t\x07ok": "ok",
	} {
		if got := Clean(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// Of an overlong line its ends stay and what is around errors in it; of source
// code on one line less.
func TestClipAroundErrors(t *testing.T) {
	prose := strings.Repeat("rye spelt wheat oat ", 1000)
	got := Clip(prose + "Error: no flour at store.go:7:3 " + prose)
	if len(got) > ClipHead+ClipTail+ClipFaults+100 || !strings.Contains(got, "Error: no flour at store.go:7:3") || strings.Count(got, " bytes …] ") != 2 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := Clip(prose); len(got) < ClipHead+ClipTail || strings.Count(got, " bytes …] ") != 1 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := Clip(strings.Repeat(`throw new Error("no flour");`, 1000)); len(got) > 500 {
		t.Errorf("%d bytes of source", len(got))
	}
}
