package judge

import (
	"context"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/cost"
	"cairn/internal/team/result"
)

func TestFaults(t *testing.T) {
	good := scores(0.9, 0.4)
	for _, vendor := range []string{Anthropic, OpenAI} {
		for _, tc := range []struct {
			name  string
			steps []step
			asked int
			calls int64  // that are paid
			err   string // "" is a verdict
		}{
			{"at once", []step{good}, 1, 1, ""},
			{"in a code fence", []step{text("```json\n"+answer(0.9, 0.4)+"\n```", "end_turn")}, 1, 1, ""},
			{"too many requests", []step{status(429, "", "Retry-After", "7"), good}, 2, 1, ""},
			{"overloaded", []step{status(529, `{"type":"error"}`), status(503, "<html>"), good}, 3, 1, ""},
			{"always overloaded", []step{status(529, "")}, 3, 0, "failed 3 times, at last with 529"},
			{"connection reset", []step{reset, good}, 2, 1, ""},
			{"answer cut off", []step{cutOff, good}, 2, 1, ""},
			{"always cut off", []step{cutOff}, 3, 0, "failed 3 times, at last with an answer that is no JSON"},
			{"key not taken", []step{status(401, `{"error":{"message":"bad key `+secret+`"}}`)}, 1, 0, "answered 401 Unauthorized"},
			{"not allowed", []step{status(403, "")}, 1, 0, "answered 403 Forbidden"},
			{"no such model", []step{status(404, `{"error":{"message":"model: no such"}}`)}, 1, 0, "answered 404: model: no such"},
			{"bad request that holds the key", []step{status(400, `{"error":{"message":"what is `+secret+`?"}}`)}, 1, 0, "answered 400: what is [key]?"},
			{"no schema", []step{status(400, `{"error":{"message":"output_config and response_format are not known"}}`), good}, 2, 1, ""},
			{"redirect", []step{status(307, "", "Location", "http://192.0.2.1/")}, 1, 0, "answered 307"},
			{"a repair", []step{text("They are 0.9 and 0.4.", "end_turn"), good}, 2, 2, ""},
			{"prose twice", []step{text("They are 0.9 and 0.4.", "end_turn")}, 2, 2, "not the JSON asked for"},
			{"JSON within prose", []step{text("Sure: "+answer(1, 1), "end_turn")}, 2, 2, "not the JSON asked for"},
			{"wrong criteria", []step{text(`{"criteria":{"accuracy":{"reasoning":"","score":1},"style":{"reasoning":"","score":1}}}`, "end_turn")}, 2, 2, `"tone" is missing`},
			{"one too many", []step{text(strings.Replace(answer(1, 1), `{"accuracy"`, `{"bonus":{"reasoning":"","score":1},"accuracy"`, 1), "end_turn")}, 2, 2, "not asked for"},
			{"out of range", []step{scores(1.2, 0.4)}, 2, 2, `the score of "accuracy" is 1.2, not from 0 to 1`},
			{"below range", []step{scores(0.5, -1)}, 2, 2, `the score of "tone" is -1`},
			{"a score as text", []step{text(strings.Replace(answer(1, 1), ":1}", `:"1"}`, 1), "end_turn")}, 2, 2, "not the JSON asked for"},
			{"no score", []step{text(strings.Replace(answer(1, 1), ":1}", `:null}`, 1), "end_turn")}, 2, 2, `"accuracy" has no score`},
			{"a name twice", []step{text(strings.Replace(answer(1, 1), `"tone"`, `"accuracy"`, 1), "end_turn")}, 2, 2, "not the JSON asked for"},
			{"refusal", []step{text("I will not", "refusal")}, 1, 1, "refused to judge"},
			{"too long", []step{text(`{"criteria":`, "max_tokens"), good}, 2, 2, ""},
			{"too long twice", []step{text(`{"criteria":`, "max_tokens")}, 2, 2, "did not end within 16000 tokens"},
			{"nothing", []step{text("", "end_turn"), good}, 2, 2, ""},
		} {
			t.Run(vendor+"/"+tc.name, func(t *testing.T) {
				f := serve(t, vendor, tc.steps...)
				p := panel(f, nil)
				p.Log = &Log{Dir: t.TempDir(), Now: time.Now}
				p.Cache = &memory{}
				verdicts, err := p.Judge(context.Background(), []Question{question()})
				v := verdicts[0]
				if f.asked() != tc.asked {
					t.Errorf("asked %d times, want %d", f.asked(), tc.asked)
				}
				if paid := append(v.Usage, v.PerJudge[0].Usage)[0].Calls; paid != tc.calls {
					t.Errorf("%d calls are counted, want %d", paid, tc.calls)
				}
				want := result.Cost{Model: v.PerJudge[0].Model, Calls: 1, InputTokens: 100, OutputTokens: 20, CacheReadTokens: 7, CacheWriteTokens: 3}
				if vendor == OpenAI { // whose tokens of a prompt hold those of the cache
					want.CacheReadTokens, want.CacheWriteTokens = 10, 0
				}
				if tc.calls == 1 && !reflect.DeepEqual(v.PerJudge[0].Usage, want) {
					t.Errorf("used %+v, want %+v", v.PerJudge[0].Usage, want)
				}
				switch {
				case tc.err == "" && (err != nil || v.Err != nil || v.Scores["accuracy"] != 0.9 || v.Scores["tone"] != 0.4):
					t.Errorf("%v %v %v", v.Scores, v.Err, err)
				case tc.err != "" && (v.Err == nil || !strings.Contains(v.Err.Error(), tc.err) || v.Scores != nil):
					t.Errorf("%v, %v; want %q", v.Scores, v.Err, tc.err)
				case tc.err != "" && len(p.Cache.(*memory).m) > 0:
					t.Error("an answer that cannot be used is kept")
				}
				if v.Err != nil && strings.Contains(v.Err.Error(), secret) || err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("the key in %v %v", v.Err, err)
				}
				noKeyIn(t, p.Log.Dir)
			})
		}
	}
}

// noKeyIn looks into every file of a log, each of which is its owner's only.
func noKeyIn(t *testing.T, dir string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
	if len(names) != 1 || !strings.Contains(names[0], "-a-case-") {
		t.Errorf("logs: %v", names)
	}
	for _, name := range names {
		data, _ := os.ReadFile(name)
		if strings.Contains(string(data), secret) || !strings.Contains(string(data), "We save $50M.") {
			t.Errorf("%s: %s", name, data)
		}
		if fi, _ := os.Stat(name); fi.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", name, fi.Mode())
		}
	}
}

func TestRetryAfterIsWaitedFor(t *testing.T) {
	var pauses []time.Duration
	f := serve(t, Anthropic, status(429, "", "Retry-After", "7"), status(500, ""), scores(1, 1))
	if v, err := panel(f, &pauses).Judge(context.Background(), []Question{question()}); err != nil || v[0].Err != nil {
		t.Fatal(err, v[0].Err)
	}
	// the first closes the gate for all; the second is of this request alone,
	// and the gate is still closed, for the test's pauses take no time
	if len(pauses) != 3 || pauses[0] < 6*time.Second || pauses[0] > 7*time.Second || pauses[1] < time.Second || pauses[1] > 2*time.Second || pauses[2] > pauses[0] {
		t.Errorf("%v", pauses)
	}
}

func TestHang(t *testing.T) {
	f := serve(t, Anthropic, hang, scores(1, 1))
	p := panel(f, nil)
	p.Client.Timeout = 50 * time.Millisecond
	f.steps[1] = scores(1, 1)
	v, err := p.Judge(context.Background(), []Question{question()})
	if f.asked() < 2 || err != nil {
		t.Errorf("asked %d times: %v %v", f.asked(), v[0].Err, err)
	}
}

// What is wrong with the key, or with the network for all, is not asked for
// 100 times.
func TestGivingUp(t *testing.T) {
	many := make([]Question, 100)
	for i := range many {
		many[i] = question()
		many[i].Output += strings.Repeat("!", i)
	}
	for _, tc := range []struct {
		name string
		step step
		is   any
		most int
	}{
		{"key", status(401, ""), new(*KeyError), 4},
		{"model", status(404, ""), new(*RefusedError), 4},
		{"refused", status(400, `{"error":{"message":"no temperature, please"}}`), new(*RefusedError), lostAtMost + 4},
		{"busy", status(529, ""), new(*ReachError), 3 * (lostAtMost + 4)},
	} {
		f := serve(t, Anthropic, tc.step)
		p := panel(f, nil)
		verdicts, err := p.Judge(context.Background(), many)
		if !errors.As(err, tc.is) || len(verdicts) != 100 || f.asked() > tc.most {
			t.Errorf("%s: %v after %d requests", tc.name, err, f.asked())
		}
		for _, v := range verdicts {
			if v.Err == nil || v.Scores != nil {
				t.Fatalf("%s: a verdict without an answer", tc.name)
			}
		}
		before := f.asked()
		for last := -1; before != last; before = f.asked() { // requests that were given up may still arrive
			last = before
			time.Sleep(20 * time.Millisecond)
		}
		if _, err := p.Judge(context.Background(), many[:1]); !errors.As(err, tc.is) || f.asked() != before || p.Over() == nil {
			t.Errorf("%s: asked again after giving up: %v", tc.name, err)
		}
	}
}

func TestStopKeepsWhatIsAnswered(t *testing.T) {
	many := make([]Question, 50)
	for i := range many {
		many[i] = question()
		many[i].Output += strings.Repeat("!", i)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	f := serve(t, OpenAI, scores(1, 1))
	p := panel(f, nil)
	mem := &memory{}
	p.Cache, p.Concurrency = mem, 2
	n := 0
	p.Progress = func(o *Opinion) {
		if n++; n == 10 {
			stop()
		}
	}
	_, err := p.Judge(ctx, many)
	if !errors.Is(err, context.Canceled) || len(mem.m) < 10 || len(mem.m) > 12 {
		t.Fatalf("%v, %d answers kept", err, len(mem.m))
	}
	had := len(mem.m)
	p.Progress = nil
	verdicts, err := p.Judge(context.Background(), many)
	if err != nil || len(mem.m) != 50 || f.asked() > 50+2 {
		t.Errorf("%v, %d kept, %d requests, %d were kept before", err, len(mem.m), f.asked(), had)
	}
	for _, v := range verdicts {
		if v.Err != nil {
			t.Error(v.Err)
		}
	}
}

func TestConcurrency(t *testing.T) {
	slow := func(f *fake, w http.ResponseWriter, body string) {
		time.Sleep(5 * time.Millisecond)
		scores(1, 1)(f, w, body)
	}
	many := make([]Question, 40)
	for i := range many {
		many[i] = question()
	}
	for _, limit := range []int{1, 3} {
		f := serve(t, Anthropic, slow)
		p := panel(f, nil)
		p.Concurrency = limit
		if _, err := p.Judge(context.Background(), many); err != nil || f.most > limit || f.asked() != 40 {
			t.Errorf("%d at once, %d allowed; %d requests, %v", f.most, limit, f.asked(), err)
		}
	}
}

func TestCache(t *testing.T) {
	f := serve(t, Anthropic, scores(0.9, 0.4))
	p := panel(f, nil)
	p.Cache = &memory{}
	judge := func(q Question) Verdict {
		t.Helper()
		v, err := p.Judge(context.Background(), []Question{q})
		if err != nil || v[0].Err != nil {
			t.Fatal(err, v[0].Err)
		}
		return v[0]
	}
	q := question()
	judge(q)
	for _, tc := range []struct {
		name   string
		change func(q *Question)
		asked  int
	}{
		{"the same", func(q *Question) {}, 0},
		{"another threshold", func(q *Question) { q.Criteria[0].Threshold = 0.1 }, 0},
		{"another case name", func(q *Question) { q.CaseName = "b" }, 0},
		{"another output", func(q *Question) { q.Output = "x" }, 1},
		{"another input", func(q *Question) { q.Input = "x" }, 1},
		{"another rubric", func(q *Question) { q.Criteria[1].Rubric = "x" }, 1},
		{"other instructions", func(q *Question) { q.System = "x" }, 1},
		{"another kind", func(q *Question) { q.Type = "voice_check" }, 1},
		{"another model", func(q *Question) { q.Models = []string{"claude-x"} }, 1},
		{"another tier", func(q *Question) { q.Tier = "fast" }, 1},
		{"two more answers", func(q *Question) { q.Judges = 3 }, 2},
		{"cold", func(q *Question) { zero := 0.0; q.Temperature = &zero }, 1},
	} {
		q := question()
		tc.change(&q)
		before := f.asked()
		v := judge(q)
		if got := f.asked() - before; got != tc.asked {
			t.Errorf("%s: asked %d times, want %d", tc.name, got, tc.asked)
		}
		if tc.asked == 0 && (!v.PerJudge[0].Cached || len(v.Usage) > 0 || v.PerJudge[0].Reason["tone"] != "plain") {
			t.Errorf("%s: %+v", tc.name, v)
		}
	}
	for _, data := range p.Cache.(*memory).m {
		if strings.Contains(string(data), secret) {
			t.Error("the key is in the cache")
		}
	}
}

func TestSeveralJudges(t *testing.T) {
	q := question()
	q.Models = []string{"claude-a", "claude-b", "claude-c"}
	byModel := func(f *fake, w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"claude-a"`):
			scores(0.9, 0.2)(f, w, body)
		case strings.Contains(body, `"claude-b"`):
			scores(0.85, 0.9)(f, w, body)
		default:
			scores(0, 1)(f, w, body)
		}
	}
	f := serve(t, Anthropic, byModel)
	for how, want := range map[string]float64{"": 0.85, "median": 0.85, "mean": 1.75 / 3, "min": 0} {
		q.Combine = how
		v, err := panel(f, nil).Judge(context.Background(), []Question{q})
		if err != nil || math.Abs(v[0].Scores["accuracy"]-want) > 1e-9 || len(v[0].Usage) != 3 {
			t.Errorf("%q: %v %v", how, v[0].Scores, err)
		}
		a := Agree([]Question{q}, v)
		if len(a) != 2 || a[0] != (Agreement{"accuracy", 3, 1, 1, 0.9, a[0].Kappa, true}) || math.Abs(a[0].Kappa+0.5) > 1e-9 {
			t.Errorf("%+v", a)
		}
	}
	// one of three that does not answer is left out; two of three leave no verdict
	for broken, want := range map[string]string{"claude-c": "", "claude-b claude-c": "refused to judge"} {
		f := serve(t, Anthropic, func(f *fake, w http.ResponseWriter, body string) {
			for _, model := range strings.Fields(broken) {
				if strings.Contains(body, `"`+model+`"`) {
					text("no", "refusal")(f, w, body)
					return
				}
			}
			byModel(f, w, body)
		})
		q.Combine = ""
		v, _ := panel(f, nil).Judge(context.Background(), []Question{q})
		if want == "" && (v[0].Err != nil || v[0].Scores["accuracy"] != 0.875 || v[0].PerJudge[2].Err == nil) || want != "" && (v[0].Err == nil || !strings.Contains(v[0].Err.Error(), want) || v[0].Scores != nil) {
			t.Errorf("%s: %+v", broken, v[0])
		}
		if a := Agree([]Question{q}, v); len(a) != 0 {
			t.Errorf("agreement of judges that did not all answer: %+v", a)
		}
	}
}

// κ of a table with a published value: 3 judges, 5 cases.
func TestAgreeOverCases(t *testing.T) {
	q := question()
	q.Criteria = q.Criteria[:1]
	var qs []Question
	var vs []Verdict
	for _, passes := range []int{3, 3, 2, 1, 0} {
		v := Verdict{}
		for i := range 3 {
			s := 0.1
			if i < passes {
				s = 0.9
			}
			v.PerJudge = append(v.PerJudge, Opinion{Scores: map[string]float64{"accuracy": s}})
		}
		qs, vs = append(qs, q), append(vs, v)
	}
	// P = (1+1+1/3+1/3+1)/5 = 11/15; p = 9/15 passes: Pe = .36+.16 = .52; κ = (11/15-.52)/.48
	want := (11.0/15 - 0.52) / 0.48
	a := Agree(qs, vs)
	if len(a) != 1 || a[0].Cases != 5 || a[0].Split != 2 || math.Abs(a[0].Kappa-want) > 1e-9 || math.Abs(a[0].Spread-0.32) > 1e-9 {
		t.Errorf("%+v, want κ %v", a, want)
	}
	same := Agree(qs[:2], vs[:2])
	if same[0].Known || same[0].Kappa != 0 {
		t.Errorf("all passes have no κ: %+v", same)
	}
}

func TestTiersArePriced(t *testing.T) {
	prices, err := cost.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, vendor := range []string{Anthropic, OpenAI} {
		for _, tier := range []string{"fast", "standard", "full"} {
			if p, ok := prices.Find(ModelOf(vendor, tier)); !ok || p.Tier != tier || p.Vendor != vendor {
				t.Errorf("%s of %s is %q: %+v", tier, vendor, ModelOf(vendor, tier), p)
			}
		}
	}
	for word, want := range map[string]string{"": "standard", "haiku": "fast", "Sonnet": "standard", "opus": "full", "best": ""} {
		if got, ok := ParseTier(word); got != want || ok != (want != "") {
			t.Errorf("%q: %q", word, got)
		}
	}
	for model, want := range map[string]string{"claude-x": Anthropic, "gpt-6-luna": OpenAI, "llama3:8b": OpenAI, "openai:claude-proxy": OpenAI, "anthropic:ours": Anthropic} {
		if got, name := VendorOf(model); got != want || strings.HasPrefix(name, want+":") {
			t.Errorf("%q: %q %q", model, got, name)
		}
	}
}

func TestCheckEndpoint(t *testing.T) {
	for _, tc := range []struct {
		url, key, err string
	}{
		{"", "", "api.openai.com needs a key, and OPENAI_API_KEY is not set"},
		{"", "k", ""},
		{"http://localhost:11434/v1", "", ""},
		{"http://127.0.0.1:8000/v1", "k", ""},
		{"http://vllm:8000/v1", "k", ""},
		{"http://10.0.0.5/v1", "k", ""},
		{"https://llm.example.com/v1", "", "llm.example.com needs a key"},
		{"http://llm.example.com/v1", "k", "the key would be read on the way"},
		{"ftp://x", "k", "not one of http or https"},
		{"http://user:pass word@x", "k", "not one of http or https"},
	} {
		c := Client{OpenAI: Endpoint{URL: tc.url, Key: tc.key, Variable: "OPENAI_API_KEY"}}
		err := c.Check(OpenAI)
		if tc.err == "" && err != nil || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), "pass")) {
			t.Errorf("%s: %v", tc.url, err)
		}
	}
}
