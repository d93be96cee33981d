package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const secret = "sk-test-51ab9f"

// A fake is a server of one of the APIs. Each request gets the next step, the
// last one again and again.
type fake struct {
	*httptest.Server
	vendor string
	steps  []step

	mu     sync.Mutex
	bodies []string
	keys   []string
	now    int // requests being answered
	most   int // at once
}

// A step answers a request; body is what was asked.
type step func(f *fake, w http.ResponseWriter, body string)

func serve(t *testing.T, vendor string, steps ...step) *fake {
	f := &fake{vendor: vendor, steps: steps}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		n := min(len(f.bodies), len(f.steps)-1)
		f.bodies = append(f.bodies, r.URL.Path+" "+string(body))
		f.keys = append(f.keys, r.Header.Get("X-Api-Key")+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		f.now++
		f.most = max(f.most, f.now)
		f.mu.Unlock()
		defer func() { f.mu.Lock(); f.now--; f.mu.Unlock() }()
		f.steps[n](f, w, string(body))
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) asked() int { f.mu.Lock(); defer f.mu.Unlock(); return len(f.bodies) }

// text answers as the API does, with a text and how it ended.
func text(said, stop string) step {
	return func(f *fake, w http.ResponseWriter, _ string) {
		quoted, _ := json.Marshal(said)
		if f.vendor == Anthropic {
			fmt.Fprintf(w, `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":%s}],"stop_reason":%q,"usage":{"input_tokens":100,"output_tokens":20,"cache_read_input_tokens":7,"cache_creation_input_tokens":3}}`, quoted, stop)
			return
		}
		stop := map[string]string{"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}[stop]
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s,"refusal":null},"finish_reason":%q}],"usage":{"prompt_tokens":110,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":10}}}`, quoted, stop)
	}
}

// scores answers with these scores: accuracy, tone.
func scores(accuracy, tone float64) step { return text(answer(accuracy, tone), "end_turn") }

func answer(accuracy, tone float64) string {
	return fmt.Sprintf(`{"criteria":{"accuracy":{"reasoning":"figures","score":%v},"tone":{"reasoning":"plain","score":%v}}}`, accuracy, tone)
}

func status(code int, body string, header ...string) step {
	return func(_ *fake, w http.ResponseWriter, _ string) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

func reset(_ *fake, w http.ResponseWriter, _ string) { panic(http.ErrAbortHandler) }

func hang(f *fake, w http.ResponseWriter, _ string) {
	w.(http.Flusher).Flush()
	time.Sleep(300 * time.Millisecond)
}

func cutOff(_ *fake, w http.ResponseWriter, _ string) {
	io.WriteString(w, `{"content":[{"type":"text","text":"{\"crit`)
}

// panel asks the fake; pauses are written down, not waited for.
func panel(f *fake, pauses *[]time.Duration) *Panel {
	var mu sync.Mutex
	c := &Client{Tries: 3, Timeout: time.Minute, sleep: func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		if pauses != nil {
			*pauses = append(*pauses, d)
		}
		return ctx.Err()
	}}
	e := Endpoint{URL: f.URL, Key: secret, Variable: strings.ToUpper(f.vendor) + "_API_KEY"}
	if f.vendor == Anthropic {
		c.Anthropic = e
	} else {
		c.OpenAI = e
	}
	return &Panel{Client: c}
}

func question() Question {
	return Question{CaseName: "a case", Type: "quality_check", Input: "say what we save", Output: "We save $50M.",
		Criteria: []Criterion{{Name: "accuracy", Threshold: 0.8}, {Name: "tone", Threshold: 0.5, Rubric: "It is kind."}}}
}

// memory is a cache for one test.
type memory struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (c *memory) Get(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	data, ok := c.m[key]
	return data, ok
}

func (c *memory) Put(key, _ string, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil {
		c.m = map[string][]byte{}
	}
	c.m[key] = data
}
