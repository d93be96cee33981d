package judge

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
)

// A Panel has questions judged.
type Panel struct {
	Client      *Client
	Cache       Cache   // nil: every answer is asked for
	Concurrency int     // requests at once; 0 is 4; at most five where there is a budget
	Budget      *Budget // nil: as much as it takes; what was not asked for because of it has ErrBudget
	Log         *Log    // nil: nothing is written down
	// Progress, if not nil, is told of every answer, by one goroutine at a time.
	Progress func(o *Opinion)

	random func() string // nil is random; for tests

	mu       sync.Mutex
	lost     int   // answers in a row that the network took
	refused  int   // requests that the server takes at no time
	answered bool  // at least once
	over     error // why nothing is asked any more
}

// A Cache keeps answers. What cannot be read is a miss, what cannot be written
// is lost; both may be called by many at once.
type Cache interface {
	Get(key string) (data []byte, ok bool)
	Put(key, caseName string, data []byte)
}

// AnswerLimit is how many tokens an answer may have, thinking among them; one
// that needs more gets twice as many once.
const AnswerLimit = 8000

// An asked is one answer that a question wants.
type asked struct {
	model string
	nth   int // of that model, from 0
	order order
}

func (p *Panel) asked(q *Question) []asked {
	models := q.Models
	if len(models) == 0 {
		models = []string{p.Client.Model(q.Tier)}
	}
	var list []asked
	for i := range max(1, q.Judges, len(models)) {
		one := asked{models[i%len(models)], i / len(models), only}
		if q.Type != Pairwise {
			list = append(list, one)
			continue
		}
		one.order = outputFirst
		list = append(list, one)
		one.order = outputSecond
		list = append(list, one)
	}
	return list
}

// Judge returns a verdict for each question, in their order. An error means
// that asking was given up: the key is not taken, the server cannot be reached,
// or the context is done. Verdicts that were complete by then are returned with
// it; the others have an Err. A panel that gave up asks nothing any more. Judge
// may be called by many at once; each call then asks as many at once as the
// panel may.
func (p *Panel) Judge(ctx context.Context, questions []Question) ([]Verdict, error) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	if err := p.Over(); err != nil {
		giveUp(err)
	}
	type job struct {
		question, at int
		asked        asked
	}
	var jobs []job
	opinions := make([][]Opinion, len(questions))
	verdicts := make([]Verdict, len(questions))
	for i := range questions {
		q := &questions[i]
		if err := q.Check(); err != nil {
			verdicts[i].Err = err
			continue
		}
		for at, a := range p.asked(q) {
			jobs = append(jobs, job{i, at, a})
			opinions[i] = append(opinions[i], Opinion{Model: a.model, Err: context.Canceled})
		}
	}
	next := make(chan job)
	var wg sync.WaitGroup
	for range min(len(jobs), max(1, cmp.Or(p.Concurrency, 4))) {
		wg.Go(func() {
			for j := range next {
				q := questions[j.question]
				q.order = j.asked.order
				o := p.opinion(ctx, &q, j.asked.model, j.asked.nth)
				opinions[j.question][j.at] = o
				if err := p.heard(&o); err != nil {
					giveUp(err)
				}
			}
		})
	}
feed:
	for _, j := range jobs {
		select {
		case next <- j:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	for i := range questions {
		if opinions[i] != nil {
			verdicts[i] = verdict(&questions[i], pairs(&questions[i], opinions[i]))
		}
	}
	return verdicts, context.Cause(ctx)
}

// lostAtMost is how many answers in a row may be lost to the network, or how
// many requests refused with none answered, before the rest is not asked for.
const lostAtMost = 3

// heard takes note of an opinion. It returns the error after which no other
// will be better.
func (p *Panel) heard(o *Opinion) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var key *KeyError
	var reach *ReachError
	var no *RefusedError
	switch {
	case errors.As(o.Err, &key):
		p.over = o.Err
	case errors.As(o.Err, &no) && no.Code == 404: // no such model
		p.over = o.Err
	case errors.As(o.Err, &reach):
		if p.lost++; p.lost >= lostAtMost {
			p.over = o.Err
		}
	case no != nil: // one output may be too long, but not the first ones all
		if p.refused++; p.refused >= lostAtMost && !p.answered {
			p.over = o.Err
		}
	case !o.Cached && o.Err == nil:
		p.lost, p.answered = 0, true
	}
	if p.Progress != nil && !errors.Is(o.Err, context.Canceled) {
		p.Progress(o)
	}
	return p.over
}

// Over returns why the panel gave up, nil while it has not.
func (p *Panel) Over() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over
}

// kept is what the cache holds of an answer. It is judged again when read, so
// that what is taken from the cache meets what is asked today.
type kept struct {
	Model  string      `json:"model"`
	Answer string      `json:"answer"`
	Usage  result.Cost `json:"usage"`
}

// opinion asks one judge once.
func (p *Panel) opinion(ctx context.Context, q *Question, model string, nth int) (o Opinion) {
	o.Model = model
	key := p.key(q, model, nth)
	if p.Cache != nil {
		if data, ok := p.Cache.Get(key); ok {
			var k kept
			if json.Unmarshal(data, &k) == nil {
				if o.Scores, o.Reason, o.Err = q.parse(k.Answer); o.Err == nil {
					o.Cached = true
					return o
				}
			}
		}
	}
	if o.Err = ctx.Err(); o.Err != nil {
		return o
	}
	text, err := p.ask(ctx, q, &o)
	if o.Err = err; err != nil {
		return o
	}
	if p.Cache != nil {
		if data, err := json.Marshal(kept{model, text, o.Usage}); err == nil {
			p.Cache.Put(key, q.CaseName, data)
		}
	}
	return o
}

// message is what a judge is sent, and by which API.
func (p *Panel) message(q *Question, model string) (vendor string, m *message) {
	vendor, name := VendorOf(model)
	m = &message{model: name, limit: AnswerLimit, without: map[string]bool{}}
	if q.Type == Similar {
		m.turns = []turn{{"output", q.Output}, {"expected", q.Expected}}
		return Embeddings, m
	}
	m.system, m.turns, m.schema, m.temperature = q.system(), []turn{{"user", q.ask(p.boundary)}}, q.schema(), q.Temperature
	return vendor, m
}

// ask has a question answered, with one more try for an answer that cannot be
// used, and returns the text of the answer.
func (p *Panel) ask(ctx context.Context, q *Question, o *Opinion) (string, error) {
	vendor, m := p.message(q, o.Model)
	log := func(kind string, data []byte) { p.Log.write(q.CaseName, o.Model+" "+kind, data) }
	for again := false; ; again = true {
		r, err := p.afford(ctx, o.Model, vendor, m, log)
		o.Usage.Model = o.Model
		if err == nil {
			r.usage.Model, r.usage.Calls = o.Model, 1
			o.Usage = result.AddCosts([]result.Cost{o.Usage}, []result.Cost{r.usage})[0]
		}
		switch {
		case err != nil && !errors.Is(err, ErrAnswer):
			return "", err
		case err != nil:
		case r.stopped == refused:
			return "", wrong("the model refused to judge%s", said(r.refusal))
		case r.stopped == full:
			err = wrong("it did not end within %d tokens", m.limit)
		default:
			if o.Scores, o.Reason, err = q.parse(r.text); err == nil {
				return r.text, nil
			}
		}
		if again {
			return "", err
		}
		if r.stopped == full {
			m.limit *= 2
		} else if r.text != "" {
			m.turns = append(m.turns, turn{"assistant", r.text}, turn{"user", repair(err)})
		}
	}
}

// afford sends a message as soon as the budget allows it.
func (p *Panel) afford(ctx context.Context, model, vendor string, m *message, log func(string, []byte)) (reply, error) {
	if p.Budget == nil {
		return p.send(ctx, vendor, m, log)
	}
	if err := p.Budget.begin(ctx); err != nil {
		return reply{}, err
	}
	usd := 0.0
	defer func() { p.Budget.end(usd) }()
	r, err := p.send(ctx, vendor, m, log)
	if err == nil {
		usd = p.Budget.of(model, m, &r)
	}
	return r, err
}

// key names an answer in the cache: the question, who is asked and where.
func (p *Panel) key(q *Question, model string, nth int) string {
	vendor, _ := p.message(q, model)
	return q.key(p.Client.Server(vendor), model, nth)
}

// send asks, without the optional parts that the server says it does not take.
func (p *Panel) send(ctx context.Context, vendor string, m *message, log func(string, []byte)) (reply, error) {
	for {
		r, err := p.Client.ask(ctx, vendor, m, log)
		var no *RefusedError
		if !errors.As(err, &no) || no.Code != 400 && no.Code != 422 {
			return r, err
		}
		part := refusedPart(no.Message)
		if part == "" || m.without[part] {
			return r, err
		}
		m.without[part] = true
	}
}

func said(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(": %q", errorMessage(nil, text))
}

// boundary is a word that nobody can know before.
func (p *Panel) boundary() string {
	if p.random != nil {
		return p.random()
	}
	return rand.Text()
}

// Ask returns what a judge of the question would read.
func (p *Panel) Ask(q *Question) (system, text string) {
	_, m := p.message(q, "")
	for _, t := range m.turns {
		text += t.Content + "\n"
	}
	return m.system, text
}

// A Planned is an answer that Judge would ask for.
type Planned struct {
	Case         string `json:"case"`
	Model        string `json:"model"`
	Cached       bool   `json:"cached"`
	InputTokens  int64  `json:"input_tokens"`  // what is sent, estimated
	OutputTokens int64  `json:"output_tokens"` // the longest answer there may be
}

// Plan says what Judge would ask, and asks nothing.
func (p *Panel) Plan(questions []Question) (planned []Planned) {
	for i := range questions {
		q := questions[i]
		for _, a := range p.asked(&q) {
			q.order = a.order
			one := Planned{Case: q.CaseName, Model: a.model}
			if p.Cache != nil {
				_, one.Cached = p.Cache.Get(p.key(&q, a.model, a.nth))
			}
			if !one.Cached {
				_, m := p.message(&q, a.model)
				one.InputTokens, one.OutputTokens = int64(m.size()), AnswerLimit
			}
			if q.Type == Similar {
				one.OutputTokens = 0
			}
			planned = append(planned, one)
		}
	}
	return planned
}
