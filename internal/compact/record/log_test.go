package record

import (
	"strings"
	"testing"
)

func TestLogLevel(t *testing.T) {
	for _, tt := range []struct {
		line string
		want Class
	}{
		{"2026-11-20 10:00:00,124 ERROR   [main] x: no", Failure},
		{"2026/11/20 20:45:38 [error] 25216#25216: *5 open() failed", Failure},
		{"2026-11-20 10:00:00 UTC [26833] a@b FATAL:  role does not exist", Failure},
		{"ts=2026 level=error msg=no", Failure},
		{`{"time":1,"level":50,"msg":"no"}`, Failure},
		{`{"level": "warning", "msg": "hm"}`, Warn},
		{"E1120 20:48:40.107123 1 x.go:12] no", Failure},
		{"W1120 20:48:40.107123 1 x.go:12] hm", Warn},
		{"[WARN] hm", Warn},
		{"ERROR:root:no", Failure},
		{"2026-11-20 10:00:00 INFO retried after ERROR 5", Body},
		{"2026-11-20 10:00:00 an error of rounding", Body},
		{`{"level":30,"msg":"error page shown"}`, Body},
	} {
		if got := logLevel(tt.line); got != tt.want {
			t.Errorf("%q is %d, want %d", tt.line, got, tt.want)
		}
	}
}

func TestLogStacks(t *testing.T) {
	in := `2026-11-20 10:00:01 ERROR request 7 failed
java.lang.IllegalStateException: closed
	at java.base/java.util.Foo.bar(Foo.java:1)
	at com.shop.Cart.add(Cart.java:12)
	at org.apache.maven.x.Y.z(Y.java:3)
Caused by: java.io.IOException: gone
	at com.shop.Disk.read(Disk.java:9)
	... 23 more
2026-11-20 10:00:02 INFO select 1
	from a
	where b
	and c
2026-11-20 10:00:03 ERROR request 8 failed
java.lang.NullPointerException: x
`
	recs := parse(t, "log", in)
	equal(t, shown(recs, Failure), "2026-11-20 10:00:01 ERROR request 7 failed", "java.lang.IllegalStateException: closed", "\tat java.base/java.util.Foo.bar(Foo.java:1)",
		"\tat com.shop.Cart.add(Cart.java:12)", "Caused by: java.io.IOException: gone", "\tat com.shop.Disk.read(Disk.java:9)",
		"2026-11-20 10:00:03 ERROR request 8 failed", "java.lang.NullPointerException: x")
	equal(t, shown(recs, Noise), "\tand c")
	var keys []string
	for _, r := range recs {
		if r.Class == Failure {
			keys = append(keys, r.Key)
		}
	}
	if len(keys) != 2 || keys[0] == keys[1] || !strings.Contains(keys[1], "NullPointer") {
		t.Errorf("keys %q", keys)
	}
	scramble(t, "log", in)
}

// A fault that was told before is what happened and what was raised: the
// frames are known, but not which of several errors it is.
func TestLogFaultAgain(t *testing.T) {
	trace := func(at, job, what string) string {
		return "2026-03-04 09:00:" + at + " ERROR charge failed order=" + job + "\nTraceback (most recent call last):\n  File \"/home/dev/app.py\", line 18, in charge\n    go()\n" + what + "\n"
	}
	recs := parse(t, "log", trace("01", "7", "KeyError: 'id'")+trace("02", "8", "OSError: reset")+trace("03", "9", "KeyError: 'id'"))
	last := recs[len(recs)-1]
	if n := len(last.Lines); n != 2 || last.Lines[1].Text != "KeyError: 'id'" || last.Brief != n {
		t.Errorf("told again: %+v", last)
	}
}
