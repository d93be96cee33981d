package notify

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/message"
)

var ctx = context.Background()

func TestPublic(t *testing.T) {
	for _, c := range []struct {
		address string
		public  bool
	}{
		{"93.184.216.34", true}, {"8.8.8.8", true}, {"2606:2800:220:1::1", true}, {"::ffff:8.8.8.8", true}, {"64:ff9b::808:808", true}, {"2002:808:808::1", true},
		{"127.0.0.1", false}, {"127.255.0.1", false}, {"::1", false}, {"::", false}, {"0.0.0.0", false}, {"0.1.2.3", false},
		{"10.1.2.3", false}, {"172.16.0.1", false}, {"172.31.255.255", false}, {"192.168.1.1", false}, {"fd00::1", false}, {"fc00::1", false},
		{"169.254.169.254", false}, {"fe80::1", false}, {"fe80::1%eth0", false}, {"fd00:ec2::254", false}, {"100.64.0.1", false}, {"100.100.100.200", false},
		{"192.0.0.192", false}, {"198.18.0.1", false}, {"203.0.113.9", false}, {"224.0.0.1", false}, {"ff02::1", false}, {"240.0.0.1", false}, {"255.255.255.255", false},
		{"::ffff:127.0.0.1", false}, {"::ffff:169.254.169.254", false}, {"64:ff9b::7f00:1", false}, {"64:ff9b::a9fe:a9fe", false}, {"64:ff9b:1::1", false},
		{"2002:7f00:1::", false}, {"2002:a00:1::1", false}, {"::127.0.0.1", false}, {"2001::1", false}, {"2001:db8::1", false}, {"fec0::1", false},
	} {
		if got := Public(netip.MustParseAddr(c.address)); got != c.public {
			t.Errorf("%s: %v", c.address, got)
		}
	}
}

// A name is looked up when it is connected to: what it was before is of no account.
func TestPrivateAddresses(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer s.Close()
	sender := New(Config{})
	for _, target := range []string{
		s.URL + "/s3cret", strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + "/s3cret", strings.Replace(s.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1),
		strings.Replace(s.URL, "127.0.0.1", "2130706433", 1), "https://169.254.169.254/latest/meta-data", "https://[fd00:ec2::254]/", "https://10.0.0.1/",
		"http://93.184.216.34/s3cret", "https://user:s3cret@93.184.216.34/", "file:///etc/passwd", "s3cret",
	} {
		err := sender.Send(ctx, Channel{Kind: Webhook, Target: target}, "1", jsontext.Value(`{}`))
		var f *Failure
		if !errors.As(err, &f) || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "169.254") {
			t.Errorf("%s: %v", target, err)
		}
		if !strings.Contains(target, "2130706433") && (f == nil || !f.Final) {
			t.Errorf("%s: it is tried again: %v", target, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests came in", n)
	}
}

// A receiver that sends elsewhere is not followed.
func TestRedirect(t *testing.T) {
	var inside atomic.Int32
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside.Add(1) }))
	defer private.Close()
	s := httptest.NewServer(http.RedirectHandler(private.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	err := New(Config{AllowPrivate: true}).Send(ctx, Channel{Kind: Webhook, Target: s.URL}, "1", jsontext.Value(`{}`))
	var f *Failure
	if !errors.As(err, &f) || !f.Final || f.Why != "the receiver answered 307: redirects are not followed" || inside.Load() != 0 {
		t.Errorf("%v, %d requests", err, inside.Load())
	}
}

func TestSignature(t *testing.T) {
	var header http.Header
	var body []byte
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
	}))
	defer s.Close()
	sender := New(Config{AllowPrivate: true, Version: "1.2.3"})
	sender.now = func() time.Time { return time.Unix(1700000000, 0) }
	if err := sender.Send(ctx, Channel{Kind: Webhook, Target: s.URL, Secret: "whsec"}, "an-id", jsontext.Value(`{ "a" : 1 }`)); err != nil {
		t.Fatal(err)
	}
	// printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec
	const want = "t=1700000000,v1=8ad37ba156048ae0e0a5533c75cdf26fee88b07f93cb57ee4c80adb053012032"
	if got := header.Get("Cairn-Signature"); got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
	if string(body) != `{"a":1}` || header.Get("Cairn-Delivery") != "an-id" || header.Get("Content-Type") != "application/json" || header.Get("User-Agent") != "cairn/1.2.3" {
		t.Errorf("%s %v", body, header)
	}
	if err := sender.Send(ctx, Channel{Kind: Slack, Target: s.URL, Secret: "whsec"}, "an-id", jsontext.Value(`{}`)); err != nil || header.Get("Cairn-Signature") != "" {
		t.Errorf("Slack: %v, %v", err, header)
	}
}

// What becomes of answers: which are tried again, when, and what is said.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		status int
		after  string
		body   string
		why    string
		final  bool
		wait   time.Duration
	}{
		{200, "", "ok", "", false, 0},
		{204, "", "", "", false, 0},
		{404, "", "no_service PATH", "the receiver answered 404: no_service …", true, 0},
		{403, "", "invalid_token\x1b[31m", "the receiver answered 403: invalid_token\ufffd[31m", true, 0},
		{400, "", strings.Repeat("x", 1<<20), "the receiver answered 400: " + strings.Repeat("x", mostSaid-3) + "…", true, 0},
		{410, "", "", "the receiver answered 410", true, 0},
		{429, "7", "", "the receiver answered 429", false, 7 * time.Second},
		{429, "99999999999", "", "the receiver answered 429", false, 24 * time.Hour},
		{503, "Thu, 01 Jan 1970 00:10:00 GMT", "", "the receiver answered 503", false, time.Minute},
		{503, "-5", "", "the receiver answered 503", false, 0},
		{500, "soon", "", "the receiver answered 500", false, 0},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", c.after)
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, strings.ReplaceAll(c.body, "PATH", "services/T0/B0/s3cret"))
		}))
		sender := New(Config{AllowPrivate: true})
		sender.now = func() time.Time { return time.Unix(540, 0) }
		err := sender.Send(ctx, Channel{Kind: Slack, Target: s.URL + "/services/T0/B0/s3cret"}, "1", jsontext.Value(`{}`))
		s.Close()
		var f *Failure
		if c.why == "" {
			if err != nil {
				t.Errorf("%d: %v", c.status, err)
			}
			continue
		}
		if !errors.As(err, &f) || f.Final != c.final || f.After != c.wait || c.status != 403 && f.Why != c.why || strings.Contains(f.Why, "\x1b") {
			t.Errorf("%d %q: %+v", c.status, c.after, f)
		}
	}
}

// Nobody there, and one who never answers: no address in what is said.
func TestNobody(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		<-r.Context().Done()
	}))
	gone := httptest.NewServer(nil)
	gone.Close()
	defer s.Close()
	sender := New(Config{AllowPrivate: true})
	sender.client.Timeout = 50 * time.Millisecond
	for target, want := range map[string]string{
		s.URL + "/s3cret": "no answer in time", gone.URL + "/s3cret": "connection refused", "https://name.invalid/s3cret": "its name is not known",
	} {
		err := sender.Send(ctx, Channel{Kind: Webhook, Target: target}, "1", jsontext.Value(`{}`))
		var f *Failure
		if !errors.As(err, &f) || f.Final || !strings.Contains(f.Why, want) && want != "its name is not known" || strings.Contains(f.Why, "s3cret") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

type post struct {
	to, subject, text, html string
	err                     error
	final                   bool
}

func (p *post) Deliver(_ context.Context, to, subject, text, html string) (bool, error) {
	p.to, p.subject, p.text, p.html = to, subject, text, html
	return p.final, p.err
}

var sample = message.Message{
	Event: "alert.firing", At: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Team: "acme", Title: "posts of acme/app <!channel> got *worse*",
	Text:     "70 % of 50 cases passed; the last runs on the main branch make 95 % likely.",
	Sections: []message.Section{{Head: "Cases that failed", Lines: []string{"a_b & <@U123>: failed\nnever before", "[link](https://evil.example) `x`"}, Note: "and more"}},
	Link:     "https://cairn.example/dashboard", Data: jsontext.Value(`{"p":0.001}`),
}

// What each kind of channel gets, and nothing of it is markup of a stranger's.
func TestBodies(t *testing.T) {
	for _, kind := range []string{Slack, Webhook, Mail} {
		body, err := Body(kind, sample)
		if err != nil {
			t.Fatal(err)
		}
		if err := body.Indent(jsontext.WithIndent("  ")); err != nil {
			t.Fatal(err)
		}
		golden(t, kind+".json", string(body)+"\n")
	}
	golden(t, "message.md", sample.Markdown())
	if _, err := Body("pager", sample); err == nil {
		t.Error("a kind that is none")
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if os.Getenv("CAIRN_UPDATE") != "" {
		if err := os.WriteFile("testdata/"+name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/" + name)
	if err != nil || got != string(want) {
		t.Errorf("%s: %v\n%s", name, err, got)
	}
}

// However long a message is, Slack takes it.
func TestSlackLimits(t *testing.T) {
	m := message.Message{Title: strings.Repeat("ü", 500)}
	for range 100 {
		m.Sections = append(m.Sections, message.Section{Head: "h", Lines: []string{strings.Repeat("&", 4000)}})
	}
	body, err := Body(Slack, m)
	if err != nil {
		t.Fatal(err)
	}
	var b slackBody
	if err := json.Unmarshal(body, &b); err != nil || len(b.Blocks) > 50 {
		t.Fatalf("%v, %d blocks", err, len(b.Blocks))
	}
	for _, x := range b.Blocks {
		if n := len([]rune(x.Text.Text)); n > 3000 || x.Type == "header" && n > 150 {
			t.Errorf("a %s of %d characters", x.Type, n)
		}
	}
}

func TestMail(t *testing.T) {
	body, err := Body(Mail, sample)
	if err != nil {
		t.Fatal(err)
	}
	p := &post{}
	sender := New(Config{Mailer: p})
	if err := sender.Send(ctx, Channel{Kind: Mail, Target: "leads@example.com"}, "1", body); err != nil {
		t.Fatal(err)
	}
	if p.to != "leads@example.com" || !strings.HasPrefix(p.subject, "[cairn] posts of acme/app") || !strings.Contains(p.text, "  - a_b & <@U123>: failed never before\n") ||
		!strings.Contains(p.html, "<li>a_b &amp; &lt;@U123&gt;: failed never before</li>") {
		t.Errorf("%+v", p)
	}
	p.err, p.final = errors.New("550 no such user"), true
	var f *Failure
	if err := sender.Send(ctx, Channel{Kind: Mail, Target: "leads@example.com"}, "1", body); !errors.As(err, &f) || !f.Final || f.Why != "550 no such user" {
		t.Errorf("%v", err)
	}
	if err := New(Config{}).Send(ctx, Channel{Kind: Mail, Target: "leads@example.com"}, "1", body); !errors.As(err, &f) || f.Final {
		t.Errorf("without a mail server: %v", err)
	}
	if err := sender.Send(ctx, Channel{Kind: Mail, Target: "a@b, c@d"}, "1", body); !errors.As(err, &f) || !f.Final {
		t.Errorf("two addresses: %v", err)
	}
}

func TestShown(t *testing.T) {
	for target, want := range map[string]string{"https://hooks.slack.com/services/T/B/s3cret": "https://hooks.slack.com/…", "https://a.example?key=s3cret": "https://a.example/…", "%zz": "…"} {
		if got := (Channel{Kind: Slack, Target: target}).Shown(); got != want {
			t.Errorf("%s: %s", target, got)
		}
	}
}
