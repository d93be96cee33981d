package loopback

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A ticket leads inside once, within a minute; who does not know the token is
// told how to learn the address, and learns nothing else.
func TestDoor(t *testing.T) {
	d, err := Listen(0, "", "cairn eval view")
	if err != nil {
		t.Fatal(err)
	}
	stop := d.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := d.Inside(w, r); ok {
			_, _ = w.Write([]byte("inside " + rest))
		}
	}))
	defer func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}()
	once := d.OpenURL()
	if strings.Contains(once, d.Token()) {
		t.Errorf("%s tells the token", once)
	}
	for _, c := range []struct {
		url, host, site, want string
		status                int
	}{
		{once, "", "", "inside ", 200},
		{once, "", "", "cairn eval view prints the address", 404},
		{d.URL() + "run", "", "same-origin", "inside run", 200},
		{d.URL(), "", "cross-site", "", 403},
		{d.URL(), "evil.example", "", "", 403},
		{d.URL()[:len(d.URL())-2] + "/", "", "", "", 404},
	} {
		req, err := http.NewRequest("GET", c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.host != "" {
			req.Host = c.host
		}
		req.Header.Set("Sec-Fetch-Site", c.site)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body := make([]byte, 200)
		n, _ := resp.Body.Read(body)
		resp.Body.Close()
		if resp.StatusCode != c.status || !strings.Contains(string(body[:n]), c.want) {
			t.Errorf("%+v: %d %q", c, resp.StatusCode, body[:n])
		}
	}
	now := time.Now()
	if old := d.ticket.issue(now); d.ticket.use(old, now.Add(2*time.Minute)) {
		t.Error("a ticket of two minutes ago leads inside")
	}
}
