// Package collector answers OTLP/HTTP: POST /v1/logs, /v1/metrics and /v1/traces, as
// protobuf or JSON, from coding agents that tell by OpenTelemetry what they do.
// Package otlp reads what of it is of requests to models, db/telemetry adds it to
// spend_days; traces are taken and dropped. team/server unpacks gzip and limits how
// much and how often. No body is kept, logged or told in an error.
package collector

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/VictoriaMetrics/easyproto"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/semaphore"

	"cairn/internal/team/cost"
	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/db/telemetry"
	"cairn/internal/team/otlp"
	"cairn/internal/team/otlp/proto"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// A Collector takes what agents tell.
type Collector struct {
	db     *db.DB
	access *access.Access
	log    *slog.Logger
	reader otlp.Reader
	room   *semaphore.Weighted

	mu      sync.Mutex
	records map[[2]string]int64 // by signal and what became of them
	unknown map[string]int64    // by name
}

// New returns a collector with the built-in prices.
func New(d *db.DB, a *access.Access, log *slog.Logger) (*Collector, error) {
	prices, err := cost.Load()
	return &Collector{db: d, access: a, log: log, reader: otlp.Reader{Prices: prices, Now: time.Now}, room: semaphore.NewWeighted(mostRoom),
		records: map[[2]string]int64{}, unknown: map[string]int64{}}, err
}

// A message takes many times its bytes while it is read: so many bytes of large ones
// are read at a time.
const (
	mostRoom = 8 << 20
	small    = 256 << 10
	patience = 10 * time.Second
)

const (
	asProtobuf = "application/x-protobuf"
	asJSON     = "application/json"
)

func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind := kindOf(r)
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		Refuse(w, r, http.StatusMethodNotAllowed, "only POST is answered here")
		return
	}
	if kind == "" {
		Refuse(w, r, http.StatusUnsupportedMediaType, "the content is to be "+asProtobuf+" or "+asJSON)
		return
	}
	as, _, err := c.access.Identify(r)
	var refused int
	var why string
	if err == nil {
		refused, why, err = c.take(r, as, kind)
	}
	if err != nil {
		c.fail(w, r, as, err)
		return
	}
	send(w, kind, http.StatusOK, partial(kind, r.URL.Path, refused, why))
}

// A badBody is one that cannot be read. What is wrong in it is not told: parsers
// quote what they find.
type badBody struct{ signal string }

func (e badBody) Error() string { return "the body is no OTLP message of " + e.signal }

func (c *Collector) take(r *http.Request, as db.Identity, kind string) (refused int, why string, err error) {
	team, err := telemetry.Team(r.Context(), c.db, as, r.Header.Get(wire.TeamHeader))
	if err != nil {
		return 0, "", err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, "", err
	}
	if len(body) > small {
		limited, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		n := min(int64(len(body)), mostRoom)
		if c.room.Acquire(limited, n) != nil {
			return 0, "", api.Fault(http.StatusTooManyRequests, "53400", "many large messages are being read; send this one again later")
		}
		defer c.room.Release(n)
	}
	signal := strings.TrimPrefix(r.URL.Path, wire.OTLP)
	batch, err := c.read(signal, kind, body)
	if err != nil {
		return 0, "", err
	}
	others := 0
	if len(batch.Events)+len(batch.Points) > 0 {
		others, err = telemetry.Store(r.Context(), c.db, as, telemetry.Message{Team: team, Digest: sha256.Sum256(body), Batch: batch, Rows: c.reader.Rows,
			Repo: r.Header.Get(wire.RepoHeader), Branch: r.Header.Get(wire.BranchHeader)})
		if err != nil {
			return 0, "", err
		}
	}
	if others > 0 && batch.Why == "" {
		batch.Why = "the token is for another repository than these records name"
	}
	c.count(signal, batch, others)
	return batch.Refused + others, batch.Why, nil
}

// read reads a message of a signal.
func (c *Collector) read(signal, kind string, body []byte) (*otlp.Batch, error) {
	into := func(m proto.Message) error {
		decode := proto.FromProtobuf
		if kind == asJSON {
			decode = proto.FromJSON
		}
		if decode(body, m) != nil {
			return badBody{signal}
		}
		return nil
	}
	switch signal {
	case "logs":
		var m proto.Logs
		if err := into(&m); err != nil {
			return nil, err
		}
		return c.reader.Logs(&m), nil
	case "metrics":
		var m proto.Metrics
		if err := into(&m); err != nil {
			return nil, err
		}
		return c.reader.Metrics(&m), nil
	}
	return &otlp.Batch{}, into(&proto.Traces{})
}

// mostNames is how many names of what is not understood are told apart.
const mostNames = 200

func (c *Collector) count(signal string, b *otlp.Batch, others int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	unknown := 0
	for name, n := range b.Unknown {
		unknown += n
		if _, ok := c.unknown[name]; !ok && len(c.unknown) >= mostNames {
			name = "other"
		}
		c.unknown[name] += int64(n)
	}
	for what, n := range map[string]int{"counted": b.Counted, "known": b.Known, "unknown": unknown, "refused": b.Refused + others} {
		c.records[[2]string{signal, what}] += int64(n)
	}
}

// WriteMetrics prints what came, in Prometheus' text format.
func (c *Collector) WriteMetrics(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprint(w, "# HELP cairn_telemetry_records_total Records of OpenTelemetry: counted, known to tell of no cost, unknown, refused.\n# TYPE cairn_telemetry_records_total counter\n")
	for _, key := range slices.SortedFunc(maps.Keys(c.records), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(w, "cairn_telemetry_records_total{signal=%q,what=%q} %d\n", key[0], key[1], c.records[key])
	}
	fmt.Fprint(w, "# HELP cairn_telemetry_unknown_total Records of OpenTelemetry that are not understood, by name.\n# TYPE cairn_telemetry_unknown_total counter\n")
	for _, name := range slices.Sorted(maps.Keys(c.unknown)) {
		fmt.Fprintf(w, "cairn_telemetry_unknown_total{name=%q} %d\n", name, c.unknown[name])
	}
}

// kindOf is the kind of a request's body, "" for any other than two.
func kindOf(r *http.Request) string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != asProtobuf && kind != asJSON {
		return ""
	}
	return kind
}

func (c *Collector) fail(w http.ResponseWriter, r *http.Request, as db.Identity, err error) {
	var bad badBody
	e := api.Known(err)
	switch {
	case e != nil:
	case errors.As(err, &bad):
		e = api.Fault(http.StatusBadRequest, "22023", "%s", bad)
	case isTooLarge(err):
		e = api.Fault(http.StatusRequestEntityTooLarge, "54000", "the message is too large: send fewer records at a time")
	default:
		if e = rows.Explain(err, as); e.Status == http.StatusInternalServerError {
			e = api.Own(r.Context(), c.log, "telemetry", r.URL.Path, err)
		}
	}
	if e.Quota != "" {
		w.Header().Set(wire.QuotaHeader, e.Quota)
	}
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	Refuse(w, r, e.Status, e.Message)
}

func isTooLarge(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

// codes are gRPC's of statuses, which an error of OTLP has.
var codes = map[int]int{400: 3, 401: 16, 403: 7, 404: 5, 405: 12, 408: 4, 413: 3, 415: 3, 429: 8, 503: 14}

// Refuse answers with an error as OTLP has it, a google.rpc.Status.
func Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	code, ok := codes[status]
	if !ok {
		code = 2
	}
	kind := kindOf(r)
	if kind != asProtobuf {
		send(w, asJSON, status, fmt.Appendf(nil, `{"code":%d,"message":%s}`, code, quoted(message)))
		return
	}
	var m easyproto.Marshaler
	fault := m.MessageMarshaler()
	fault.AppendInt32(1, int32(code))
	fault.AppendString(2, message)
	send(w, kind, status, m.Marshal(nil))
}

// partial is the answer to a message: empty where all of it was taken.
func partial(kind, path string, refused int, why string) []byte {
	if kind == asJSON {
		if refused == 0 {
			return []byte("{}")
		}
		name := map[string]string{"logs": "rejectedLogRecords", "metrics": "rejectedDataPoints"}[strings.TrimPrefix(path, wire.OTLP)]
		return fmt.Appendf(nil, `{"partialSuccess":{%q:"%d","errorMessage":%s}}`, name, refused, quoted(why))
	}
	if refused == 0 {
		return nil
	}
	var m easyproto.Marshaler
	success := m.MessageMarshaler().AppendMessage(1)
	success.AppendInt64(1, int64(refused))
	success.AppendString(2, why)
	return m.Marshal(nil)
}

// quoted is a text as a string of JSON.
func quoted(text string) []byte {
	data, _ := jsontext.AppendQuote(nil, text) // an error is of text that is no UTF-8, which is replaced
	return data
}

func send(w http.ResponseWriter, kind string, status int, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // who went away gets nothing
}
