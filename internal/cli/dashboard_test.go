//go:build unix

package cli

import (
	"bufio"
	"cairn/internal/command"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"
)

// shipped pushes a ship and waits for nothing: push-ship has sent it when it ends.
func (w *syncWorld) shipped() {
	w.t.Helper()
	w.env["CAIRN_SYNC_BACKGROUND"] = "0"
	w.says(command.ExitOK, `{"version":"1.2.3","branch":"main","repo_slug":"acme/app","pr_url":"https://example.org/1","timestamp":"`+time.Now().UTC().Format(time.RFC3339)+`"}`,
		line("sync push-ship -"), "synced to team")
}

// The command line prints what the pages show, of a server of ours and of the
// copy of a Supabase project's rows alike.
func TestDashboardShow(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	w.shipped()
	print := func() []string {
		t.Helper()
		w.says(command.ExitUsage, "", line("dashboard show nothing"), "there is no view nothing", "velocity")
		w.says(command.ExitUsage, "", line("dashboard show velocity nothing"), "has no panel nothing", "ships-by-week")
		w.says(command.ExitUsage, "", line("dashboard show velocity --csv"), "one panel")
		w.says(command.ExitData, "", line("dashboard show velocity --from yesterday"), `from must be a day such as 2026-03-02, not "yesterday"`)
		var out []string
		for _, args := range []string{"velocity ships-by-week", "velocity ships-by-week --csv", "velocity ships-by-week --json", "velocity --weeks 4 --json", "velocity"} {
			out = append(out, w.says(command.ExitOK, "", line("dashboard show "+args), "boss"))
		}
		return out
	}
	ours := print()
	if !strings.Contains(ours[1], "week,person,ships,prs,versions\n") || !strings.Contains(ours[1], ",boss,1,1,1\n") {
		t.Errorf("CSV: %s", ours[1])
	}
	w.bare = true
	for i, got := range print() {
		if got != ours[i] {
			t.Errorf("of a copy:\n%s\nof the server:\n%s", got, ours[i])
		}
	}
}

// The address that cairn dashboard prints lets in one browser, as who is signed in.
func TestDashboardAddress(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.says(command.ExitAuth, "", line("dashboard --no-open"), "cairn sync setup")
	w.asBoss()
	w.shipped()
	address := strings.TrimSpace(w.says(command.ExitOK, "", line("dashboard --no-open"), "/enter/with?ticket=", "next=%2Ft%2Facme%2F"))
	mine := newJar()
	browse(t, mine, address)
	page := address[:strings.Index(address, "/enter/")] + "/t/acme/velocity"
	if body := browse(t, mine, page); !strings.Contains(body, "boss") {
		t.Errorf("the page shows %s", body)
	}
	if body := browse(t, newJar(), address); !strings.Contains(body, "Sign in") {
		t.Errorf("the address a second time shows %s", body)
	}
}

// The pages of a copy are for the browser that the address was given to.
func TestDashboardCopy(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	w.shipped()
	w.bare = true
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	e := &Env{Stdin: strings.NewReader(""), Stdout: in, Stderr: io.Discard, Getenv: func(k string) string { return w.env[k] }, Dir: w.dir}
	root := newRootFor(e, []string{"dashboard", "--no-open"})
	root.SetArgs([]string{"dashboard", "--no-open"})
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	mine := newJar()
	browse(t, mine, address)
	second := newJar()
	browse(t, second, address)
	page := address[:strings.Index(address, "/open/")] + "/t/acme/velocity"
	if body := browse(t, second, page); strings.Contains(body, "boss") {
		t.Error("the address lets in a second browser")
	}
	if body := browse(t, mine, page); !strings.Contains(body, "boss") {
		t.Errorf("the page: %s", body)
	}
	if body := browse(t, newJar(), page); strings.Contains(body, "boss") {
		t.Error("a stranger sees the page")
	}
	r, _ := http.NewRequest(http.MethodGet, page, nil)
	r.Host = "evil.test"
	res, err := mine.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("another name leads to the pages: %d", res.StatusCode)
	}
	w.says(command.ExitOK, "", line("dashboard show velocity"), "boss") // several may have the copy open
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func newJar() *http.Client {
	jar, _ := cookiejar.New(nil) // never fails
	return &http.Client{Jar: jar}
}

func browse(t *testing.T, c *http.Client, url string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
