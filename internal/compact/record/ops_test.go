package record

import (
	"fmt"
	"strings"
	"testing"
)

func TestColumns(t *testing.T) {
	in := "NAMESPACE     NAME        READY   STATUS             RESTARTS   AGE\n"
	for i := range 12 {
		in += fmt.Sprintf("shop          web-%d       1/1     Running            0          3d\n", i)
	}
	in += "shop          db-0        0/1     CrashLoopBackOff   17         3d\nkube-system   dns         1/1     Running            0          9d\n"
	recs := parseCut(t, "columns", in)
	equal(t, shown(recs, Keep), "NAMESPACE  NAME  READY  STATUS  RESTARTS  AGE", "shop  db-0  0/1  CrashLoopBackOff  17  3d")
	rows := groups(recs)
	if len(rows) != 13 || rows[11] != "shop: web-11 1/1 Running 0 3d" || rows[12] != "kube-system: dns 1/1 Running 0 9d" {
		t.Errorf("%q", rows)
	}
	equal(t, shown(parseCut(t, "columns", "CONTAINER ID   IMAGE     STATUS\n1f2e           nginx     Up 2 days\n"), Keep), "CONTAINER ID  IMAGE  STATUS", "1f2e  nginx  Up 2 days")
	yaml := "apiVersion: v1\nkind:   Pod\n"
	equal(t, shown(parseCut(t, "columns", yaml), Keep), "apiVersion: v1", "kind:   Pod")
}

func TestCurl(t *testing.T) {
	in := `  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0*   Trying 10.0.0.1:443...
* SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384
* SSL certificate problem: unable to get local issuer certificate
> GET /v1 HTTP/2
> Host: api.example.com
> 
< HTTP/2 302
< date: Fri, 20 Nov 2026 15:37:23 GMT
< location: /v2
< 
{ [153 bytes data]
100   153  100   153    0     0  96774      0 --:--:-- --:--:-- --:--:--  149k
<p>moved</p>
curl: (60) SSL certificate problem: unable to get local issuer certificate
`
	recs := parse(t, "curl", in)
	equal(t, shown(recs, Keep, Failure, Body), "* SSL certificate problem: unable to get local issuer certificate", "> GET /v1 HTTP/2", "< HTTP/2 302", "< location: /v2", "<p>moved</p>",
		"curl: (60) SSL certificate problem: unable to get local issuer certificate")
	scramble(t, "curl", in)
	meter := "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\n100  153  100   153    0     0  96774      0 --:--:-- --:--:-- --:--:--  149k\n"
	equal(t, shown(parse(t, "curl", meter), Keep), "100  153  100   153    0     0  96774      0 --:--:-- --:--:-- --:--:--  149k")
	equal(t, shown(parse(t, "curl", meter+"<p>moved</p>\n"), Keep))
	page := "< HTTP/1.1 502 Bad Gateway\n<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<h1>502 Bad Gateway</h1>\n</body>\n"
	equal(t, shown(parse(t, "curl", page+"<p>upstream down</p>\n<hr><center>nginx/1.22.1</center>\n"), Body), "<h1>502 Bad Gateway</h1>", "<p>upstream down</p>")
	_, body, _ := strings.Cut(page, "\n")
	equal(t, shown(parse(t, "curl", body), Body), "<html>", "<h1>502 Bad Gateway</h1>")
	equal(t, shown(parse(t, "curl", strings.ReplaceAll(body, "502", "5")), Body)[:3], "<html>", "<head><title>5 Bad Gateway</title></head>", "<body>")
	equal(t, shown(parse(t, "curl", "HTTP/1.1 502 Bad Gateway\nConnection: close\nServer: x\n\n"+body), Keep, Body), "HTTP/1.1 502 Bad Gateway", "Server: x", "<h1>502 Bad Gateway</h1>")
	equal(t, shown(parse(t, "curl", strings.ReplaceAll(page, "502 Bad Gateway", "200 OK")), Body)[:1], "<html>")
}

func TestLog(t *testing.T) {
	in := `2026-11-20 10:00:00 INFO started
2026-11-20 10:00:01 ERROR job 7 failed
Traceback (most recent call last):
  File "a.py", line 1, in f
ValueError: no
2026-11-20 10:00:02 INFO go on
10.0.0.1 - - [20/Nov/2026:10:00:03 +0000] "GET /u/1 HTTP/1.1" 200 12 "-" "curl"
10.0.0.1 - - [20/Nov/2026:10:00:03 +0000] "GET /u/1 HTTP/1.1" 502 12 "-" "curl"
10.0.0.1 - - [20/Nov/2026:10:00:03 +0000] "GET /u/2 HTTP/1.1" 502 12 "-" "curl"
2026-11-20 10:00:04 WARN low disk
`
	recs := parse(t, "log", in)
	equal(t, shown(recs, Failure), "2026-11-20 10:00:01 ERROR job 7 failed", "Traceback (most recent call last):", `  File "a.py", line 1, in f`, "ValueError: no")
	equal(t, shown(recs, Warn), "2026-11-20 10:00:04 WARN low disk")
	var keys []string
	for _, r := range recs {
		if r.Class == Keep {
			keys = append(keys, r.Key)
		}
	}
	equal(t, keys, "200 GET /u/#", "502 GET /u/#", "502 GET /u/#")
	scramble(t, "log", in)
}

func TestContent(t *testing.T) {
	source := "package x\n\nfunc f() { panic(\"ERROR: x\") }\n" + strings.Repeat("\tx++ // "+strings.Repeat("long ", 300)+"\n", 100)
	if n := len(shown(parse(t, "content", source), Keep)); n != 103 {
		t.Errorf("%d of 103 lines of source are kept", n)
	}
	settings := "{\n  \"name\": \"x\",\n  \"scripts\": {\n" + strings.Repeat("    \"a\": \"b\",\n", 100) + "  }\n}\n"
	if n := len(shown(parse(t, "content", settings), Keep)); n != 105 {
		t.Errorf("%d of 105 lines of settings are kept", n)
	}
	for name, text := range map[string]string{
		"go.sum":    strings.Repeat("golang.org/x/sys v0.1.0 h1:abcdefghijklmnop=\n", 100),
		"yarn.lock": "# yarn lockfile v1\n\n" + strings.Repeat("a@^1:\n  version \"1.0.0\"\n  integrity sha512-x\n\n", 50),
		"csv":       strings.Repeat("1,2,3,4\n", 100),
	} {
		if got := shown(parse(t, "content", text), Keep); len(got) > 0 {
			t.Errorf("%s: %d lines are kept, the window should decide", name, len(got))
		}
	}
	for name, data := range map[string]string{
		"json":   "{\n  \"packages\": {\n" + strings.Repeat("    \"a\": {\n      \"version\": \"1\"\n    },\n", 100) + "  }\n}\n",
		"lock":   strings.Repeat("golang.org/x/sys v0.1.0 h1:abcdefghijklmnop=\n", 100),
		"titled": "==> a.csv <==\n" + strings.Repeat("1,2,3,4\n", 100) + "==> a.go <==\n",
	} {
		kept := strings.Join(shown(parse(t, "content", data+source), Keep), "\n")
		if !strings.Contains(kept+"\n", source) {
			t.Errorf("source after %s is cut", name)
		}
	}
	scramble(t, "content", source[:300]+settings)
}

// Processes that run the same are one row and a count.
func TestColumnsOfProcesses(t *testing.T) {
	in := "USER       PID %CPU COMMAND\nroot         1  0.0 /sbin/init\nnobody      12  0.0 nginx: worker process\nnobody      13  0.1 nginx: worker process\n"
	rs := parseCut(t, "columns", in)
	equal(t, shown(rs, Keep), "USER PID %CPU COMMAND", "root 1 0.0 /sbin/init", "nobody 12 0.0 nginx: worker process", "nobody 13 0.1 nginx: worker process")
	if rs[2].Key == "" || rs[2].Key != rs[3].Key || rs[3].Site != "13" || rs[1].Key == rs[2].Key {
		t.Errorf("%+v", rs)
	}
}

// A client that logs each of its tries says so once.
func TestColumnsOfKubectlRefused(t *testing.T) {
	in := "E1120 20:48:44.073092     869 memcache.go:265] \"Unhandled Error\" err=\"refused\"\nE1120 20:48:45.076270     869 memcache.go:265] \"Unhandled Error\" err=\"refused\"\nE2E tests\n"
	rs := parse(t, "columns", in)
	if rs[0].Class != Failure || rs[0].Key == "" || rs[0].Key != rs[1].Key || rs[2].Class != Keep {
		t.Errorf("%+v", rs)
	}
}

// Of top's processes those that do nothing go when there are many.
func TestColumnsOfTop(t *testing.T) {
	in := "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"
	row := "  %5d root      20   0       0      0      0 S   %s   0.0   0:00.01 work-%d\n"
	for i := range 60 {
		in += fmt.Sprintf(row, 100+i, "0.0", i)
	}
	in += fmt.Sprintf(row, 200, "3.1", 60)
	if got := shown(parseCut(t, "columns", in), Keep); len(got) != columnBusy+1 || !strings.HasSuffix(got[columnBusy], "work-60") {
		t.Errorf("%d rows: %q", len(got), got)
	}
}
