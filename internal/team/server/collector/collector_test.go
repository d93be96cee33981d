package collector

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// A world is a team with an owner and a collector.
type world struct {
	t     *testing.T
	d     *db.DB
	c     *Collector
	team  uuid.UUID
	owner string // their token
	store *account.Accounts
	ada   db.Identity
}

func newWorld(t *testing.T, d *db.DB) *world {
	t.Helper()
	keys, err := access.NewKeys([]byte(strings.Repeat("k", 32)), "http://x/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, d: d, team: dbtest.Team(t, d, "acme"), store: account.New(d)}
	w.ada = dbtest.Member(t, d, w.team, "owner")
	if w.owner, _, err = keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: w.ada.User.String()}, Role: "authenticated"}); err != nil {
		t.Fatal(err)
	}
	if w.c, err = New(d, &access.Access{Keys: keys, Store: w.store}, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) token(scope, repo string) string {
	w.t.Helper()
	made, err := w.store.MakeToken(w.t.Context(), w.ada.User, wire.NewToken{TeamID: w.team, Name: "agents", Scopes: []string{scope}, RepoSlug: repo})
	if err != nil {
		w.t.Fatal(err)
	}
	return made.Token
}

func (w *world) post(path, token, kind string, body []byte, header ...string) (int, string, http.Header) {
	w.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", kind)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	w.c.ServeHTTP(rec, r)
	text, _ := io.ReadAll(rec.Body)
	return rec.Code, string(text), rec.Header()
}

// sums are requests, tokens, dollars and unpriced of a source.
func (w *world) sums(source string) string {
	w.t.Helper()
	out := fmt.Sprint(dbtest.Count(w.t, w.d, `select count(*) from spend_days where source = ?`, source), " rows")
	for _, column := range []string{"requests", "input_tokens", "output_tokens", "usd_micros", "unpriced"} {
		out += fmt.Sprint(" ", dbtest.Count(w.t, w.d, `select coalesce(sum(`+column+`), 0) from spend_days where source = ?`, source))
	}
	return out
}

var anHourAgo = time.Now().Add(-time.Hour).UnixNano()

func request(session string, n int, more string) string {
	return fmt.Sprintf(`{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"claude-code"}}%s]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"%d",
		"body":{"stringValue":"claude_code.api_request"},"attributes":[{"key":"session.id","value":{"stringValue":%q}},{"key":"model","value":{"stringValue":"claude-sonnet-4-5"}},
		{"key":"input_tokens","value":{"intValue":10}},{"key":"output_tokens","value":{"intValue":"5"}},{"key":"cost_usd_micros","value":{"intValue":%d}}]}]}]}]}`,
		more, anHourAgo+int64(n), session, 100+n)
}

// TestTakes: what is told is added up once, of whoever may write.
func TestTakes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		for n := range 3 {
			if status, text, _ := w.post("/v1/logs", w.owner, asJSON, []byte(request("s-1", n, ""))); status != 200 || text != "{}" {
				t.Fatalf("%d %s", status, text)
			}
		}
		w.post("/v1/logs", w.owner, asJSON, []byte(request("s-1", 2, ""))) // its answer got lost
		if got := w.sums("otlp"); got != "1 rows 3 30 15 303 0" {
			t.Error(got)
		}
		bot := w.token(wire.ScopeIngest, "")
		if status, text, _ := w.post("/v1/logs", bot, asJSON+"; charset=utf-8", []byte(request("s-2", 7, ""))); status != 200 {
			t.Errorf("a token of CI: %d %s", status, text)
		}
		if got := w.sums("otlp"); got != "2 rows 4 40 20 410 0" {
			t.Error(got)
		}
		for name, ask := range map[string]func() (int, string, http.Header){
			"401 nobody": func() (int, string, http.Header) { return w.post("/v1/logs", "", asJSON, []byte(request("s", 1, ""))) },
			"401 a wrong token": func() (int, string, http.Header) {
				return w.post("/v1/logs", "cairn_ci_no", asJSON, []byte(request("s", 1, "")))
			},
			"403 one that reads": func() (int, string, http.Header) {
				return w.post("/v1/logs", w.token(wire.ScopeRead, ""), asJSON, []byte(request("s", 1, "")))
			},
			"403 another team": func() (int, string, http.Header) {
				return w.post("/v1/logs", w.owner, asJSON, []byte(request("s", 1, "")), wire.TeamHeader, "other")
			},
			"400 garbage": func() (int, string, http.Header) {
				return w.post("/v1/logs", w.owner, asJSON, []byte("{{ my secret prompt"))
			},
			"400 garbage as binary": func() (int, string, http.Header) {
				return w.post("/v1/metrics", w.owner, asProtobuf, []byte("my secret prompt"))
			},
			"415 another kind": func() (int, string, http.Header) { return w.post("/v1/logs", w.owner, "text/plain", nil) },
		} {
			status, text, head := ask()
			if !strings.HasPrefix(name, fmt.Sprint(status)) || strings.Contains(text, "secret") || !strings.Contains(text, "message") && head.Get("Content-Type") != asProtobuf {
				t.Errorf("%s: %d %q", name, status, text)
			}
			if status == 401 && head.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: no word of how to prove who it is", name)
			}
		}
		if status, text, _ := w.post("/v1/traces", w.owner, asProtobuf, nil); status != 200 || text != "" {
			t.Errorf("traces: %d %q", status, text)
		}
		if got := w.sums("otlp"); got != "2 rows 4 40 20 410 0" {
			t.Error(got)
		}
	})
}

// TestOneRepository: what a token for one repository tells is of that one, or refused in part.
func TestOneRepository(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		bot := w.token(wire.ScopeIngest, "acme/shop")
		if status, text, _ := w.post("/v1/logs", bot, asJSON, []byte(request("s", 1, ""))); status != 200 || text != "{}" {
			t.Errorf("%d %s", status, text)
		}
		other := `,{"key":"cairn.repo","value":{"stringValue":"acme/other"}}`
		if status, text, _ := w.post("/v1/logs", bot, asJSON, []byte(request("s", 2, other))); status != 200 || !strings.Contains(text, `"rejectedLogRecords":"1"`) {
			t.Errorf("%d %s", status, text)
		}
		if n := dbtest.Count(t, d, `select count(*) from spend_days where repo_slug = 'acme/shop'`); n != 1 || w.sums("otlp") != "1 rows 1 10 5 101 0" {
			t.Error(n, w.sums("otlp"))
		}
		// Headers say where an agent runs that does not say it; they let nobody into another repository.
		if status, _, _ := w.post("/v1/logs", w.owner, asJSON, []byte(request("s", 3, "")), wire.RepoHeader, "acme/site", wire.BranchHeader, "top ic"); status != 200 {
			t.Error(status)
		}
		if status, _, _ := w.post("/v1/logs", w.owner, asJSON, []byte(request("s", 4, other)), wire.RepoHeader, "acme/site", wire.BranchHeader, "topic"); status != 200 {
			t.Error(status)
		}
		if status, text, _ := w.post("/v1/logs", bot, asJSON, []byte(request("s", 5, "")), wire.RepoHeader, "acme/site"); status != 200 || !strings.Contains(text, `"rejectedLogRecords":"1"`) {
			t.Errorf("%d %s", status, text)
		}
		if site, other := dbtest.Count(t, d, `select count(*) from spend_days where repo_slug = 'acme/site' and branch = 'top-ic'`), dbtest.Count(t, d, `select count(*) from spend_days where repo_slug = 'acme/other' and branch = ''`); site != 1 || other != 1 {
			t.Error(site, other)
		}
	})
}

// TestBinary: protobuf in, and a partial success in protobuf out.
func TestBinary(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		record := func(input int64) *logs.LogRecord {
			text := func(key, value string) *common.KeyValue {
				return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
			}
			return &logs.LogRecord{TimeUnixNano: uint64(time.Now().UnixNano()), Attributes: []*common.KeyValue{text("event.name", "gemini_cli.api_response"), text("model", "no-such-model"),
				{Key: "input_token_count", Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: input}}}}}
		}
		body, err := proto.Marshal(&logs.LogsData{ResourceLogs: []*logs.ResourceLogs{{ScopeLogs: []*logs.ScopeLogs{{LogRecords: []*logs.LogRecord{record(7), record(-1)}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		status, text, head := w.post("/v1/logs", w.owner, asProtobuf, body)
		if status != 200 || head.Get("Content-Type") != asProtobuf || !strings.HasPrefix(text, "\x0a") || text[2:4] != "\x08\x01" || !strings.Contains(text, "below zero") {
			t.Errorf("%d %q", status, text)
		}
		if got := w.sums("otlp"); got != "1 rows 1 7 0 0 1" {
			t.Error(got)
		}
	})
}

// TestCumulative: a sum that is told again and again counts once, also one that began anew.
func TestCumulative(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		began := time.Now().Add(-time.Hour)
		tell := func(start, at time.Duration, input, output int) {
			t.Helper()
			point := func(kind string, n int) string {
				return fmt.Sprintf(`{"attributes":[{"key":"type","value":{"stringValue":%q}},{"key":"model","value":{"stringValue":"gpt-5"}},{"key":"session.id","value":{"stringValue":"g"}}],
					"startTimeUnixNano":"%d","timeUnixNano":"%d","asInt":"%d"}`, kind, began.Add(start).UnixNano(), began.Add(at).UnixNano(), n)
			}
			body := fmt.Sprintf(`{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"gemini-cli"}}]},"scopeMetrics":[{"metrics":[
				{"name":"gemini_cli.token.usage","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[%s,%s]}}]}]}]}`, point("input", input), point("output", output))
			if status, text, _ := w.post("/v1/metrics", w.owner, asJSON, []byte(body)); status != 200 || text != "{}" {
				t.Fatalf("%d %s", status, text)
			}
		}
		for _, x := range []struct {
			start, at     time.Duration
			input, output int
			want          string
		}{
			{0, time.Minute, 1000, 100, "1 rows 0 1000 100 2250 0"},
			{0, 2 * time.Minute, 1500, 100, "1 rows 0 1500 100 2875 0"},
			{0, 90 * time.Second, 1200, 100, "1 rows 0 1500 100 2875 0"}, // late
			{3 * time.Minute, 4 * time.Minute, 200, 10, "1 rows 0 1700 110 3225 0"},
			{0, 5 * time.Minute, 1500, 100, "1 rows 0 1700 110 3225 0"}, // of before
		} {
			tell(x.start, x.at, x.input, x.output)
			if got := w.sums("metrics"); got != x.want {
				t.Errorf("%v: %s, want %s", x, got, x.want)
			}
		}
	})
}

// TestNames: what is not known is counted by its name, and no name is a sentence.
func TestNames(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.post("/v1/logs", w.owner, asJSON, []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"fix the canary"}},{"eventName":"else.happened"}]}]}]}`))
		var out bytes.Buffer
		w.c.WriteMetrics(&out)
		if text := out.String(); !strings.Contains(text, `unknown_total{name="else.happened"} 1`) || !strings.Contains(text, `unknown_total{name="other"} 1`) ||
			!strings.Contains(text, `what="unknown"} 2`) || strings.Contains(text, "canary") {
			t.Error(text)
		}
	})
}

// BenchmarkLogs: messages of 500 events of 20 sessions, as Claude Code sends them, into SQLite.
func BenchmarkLogs(b *testing.B) {
	line, err := os.ReadFile("../../otlp/testdata/claude-logs.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	var record string
	for _, l := range strings.Split(string(line), "\n") {
		if _, after, ok := strings.Cut(l, `"logRecord": `); ok && strings.Contains(l, "claude_code.api_request") {
			record = strings.TrimSuffix(after, "}")
		}
	}
	d := dbtest.Open(b, dbtest.SQLite(b))
	team := dbtest.Team(b, d, "acme")
	ada := dbtest.Member(b, d, team, "owner")
	keys, _ := access.NewKeys([]byte(strings.Repeat("k", 32)), "http://x/auth/v1")
	token, _, _ := keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: ada.User.String()}, Role: "authenticated"})
	c, err := New(d, &access.Access{Keys: keys, Store: account.New(d)}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	const each = 500
	message := func(n int) []byte {
		var all []string
		for i := range each {
			one := strings.Replace(record, "e5d23c8a-091b-42b2-80c2-4ed426f6104e", fmt.Sprintf("session-%d", i%20), 1)
			all = append(all, strings.Replace(one, "1795360557046000000", fmt.Sprint(anHourAgo+int64(n*each+i)), 1))
		}
		return []byte(`{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"claude-code"}}]},"scopeLogs":[{"logRecords":[` + strings.Join(all, ",") + `]}]}]}`)
	}
	for _, kind := range []string{asJSON, asProtobuf} {
		b.Run(kind, func(b *testing.B) {
			n, total := 0, 0
			for b.Loop() {
				b.StopTimer()
				n++
				body := message(n)
				if kind == asProtobuf {
					var m logs.LogsData
					if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, &m); err != nil {
						b.Fatal(err)
					}
					body, _ = proto.Marshal(&m)
				}
				b.StartTimer()
				r := httptest.NewRequest(http.MethodPost, "/v1/logs", bytes.NewReader(body))
				r.Header.Set("Content-Type", kind)
				r.Header.Set("Authorization", "Bearer "+token)
				w := httptest.NewRecorder()
				if c.ServeHTTP(w, r); w.Code != 200 {
					b.Fatal(w.Body.String())
				}
				total += each
			}
			b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
