package benchmark

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/compact"
	"cairn/internal/transcript"
)

// prices are round, so that a bill can be added up by hand.
func roundPrices(model string) (Price, bool) {
	return Price{Input: 10, Output: 100, CacheRead: 1, Write5m: 12, Write1h: 20}, model == "m"
}

// A play writes a transcript of Claude Code line by line.
type play struct {
	lines []string
	ids   int
}

// asks is an answer of the model with a call, on two lines that both repeat the
// usage, the first with too little output.
func (p *play) asks(model, usage, tool, input string) string {
	p.ids++
	id := fmt.Sprintf("toolu_%d", p.ids)
	for _, l := range []struct{ content, output string }{
		{`{"type":"text","text":"I look."}`, `1`},
		{fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"%s","input":%s}`, id, tool, input), `10`},
	} {
		p.lines = append(p.lines, fmt.Sprintf(`{"type":"assistant","sessionId":"s","cwd":"/p","message":{"id":"msg_%d","model":"%s","usage":{%s,"output_tokens":%s},"content":[%s]}}`, p.ids, model, usage, l.output, l.content))
	}
	return id
}

func (p *play) gets(id, result string) {
	p.lines = append(p.lines, fmt.Sprintf(`{"type":"user","sessionId":"s","cwd":"/p","message":{"content":[{"type":"tool_result","tool_use_id":"%s","content":%q}]}}`, id, result))
}

func (p *play) compacts() {
	p.lines = append(p.lines, `{"type":"system","subtype":"compact_boundary","sessionId":"s"}`)
}

// bills are the dollars of a play whose hook answers every Bash with shown.
func (p *play) bills(t *testing.T, shown string) *Dollars {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(strings.Join(p.lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := options()
	opt.Roots, opt.Price = []transcript.Root{{Host: transcript.Claude, Dir: dir}}, roundPrices
	opt.Hook = func(c *transcript.Call, _ compact.Options, each func(compact.Result)) (string, bool) {
		if c.Tool != "Bash" || len(c.Body) < smallBytes {
			return "", c.Tool == "Bash"
		}
		each(compact.Result{Meta: compact.Meta{Rule: "made-up"}})
		return shown, true
	}
	s, err := newScan(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s.ledger.dollars()
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%s is %.9f, not %.9f", what, got, want)
	}
}

const (
	tier5m = `"input_tokens":0,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d`
	tier1h = tier5m + `,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":%[2]d}`
)

// long is a result of 1,000 tokens without a name in it, and short one of 100.
var long, short = strings.Repeat("plain words\n", 333) + "four", strings.Repeat("w x\n", 100)

func TestBillIsCountedAsItIsPaid(t *testing.T) {
	var p play
	first := p.asks("m", fmt.Sprintf(tier5m, 0, 5000), "Bash", `{"command":"make"}`)
	p.gets(first, long)
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5000, 1010), "Bash", `{"command":"true"}`), "fine")
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 6010, 20), "Bash", `{"command":"true"}`), "fine")
	// An hour later the cache is cold: all is written again.
	p.gets(p.asks("m", fmt.Sprintf(tier1h, 0, 6050), "Bash", `{"command":"true"}`), "fine")
	p.compacts()
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 0, 900), "Bash", `{"command":"true"}`), "fine")
	d := p.bills(t, short)
	const m = 1e-6
	near(t, "the bill", d.Bill, m*(
	/* writes */ 12*(5000+1010+20+900)+20*6050+
		/* reads */ 1*(5000+6010)+
		/* output, the last count of five messages */ 100*5*10))
	near(t, "saved", d.Gross, m*900*(12 /* written */ +1 /* read */ +20 /* written anew */))
	near(t, "regret", d.Regret, 0)
	near(t, "share", d.Percent, 100*d.Gross/d.Bill)
	if n := d.Sessions[0].Requests; n != 5 {
		t.Errorf("%d requests were counted, not 5", n)
	}
}

func TestWhatALaterCallNeedsIsRegret(t *testing.T) {
	body := long + "\nsee lib/deep/odd_name.go\n"
	for _, asked := range []string{"cat lib/deep/odd_name.go", "cat other.go"} {
		var p play
		p.gets(p.asks("m", fmt.Sprintf(tier5m, 0, 5000), "Bash", `{"command":"make"}`), body)
		p.gets(p.asks("m", fmt.Sprintf(tier5m, 5000, 1020), "Bash", `{"command":"`+asked+`"}`), "fine")
		p.gets(p.asks("m", fmt.Sprintf(tier5m, 6020, 20), "Bash", `{"command":"true"}`), "fine")
		d := p.bills(t, short)
		const m = 1e-6
		before := float64((len(body) + 3) / 4)
		near(t, "saved", d.Gross, m*(before-100)*(12+1))
		want := 0.0
		if strings.Contains(asked, "odd_name") {
			// The result again, written by the last request; and one request more: its
			// prompt read from the cache, and the output of an average one.
			want = m * (before*12 + 6020*1 + 10*100)
			if r := d.Sessions[0].Regrets; len(r) != 1 || r[0].Name != "odd_name.go" || r[0].Command != asked {
				t.Errorf("%+v", r)
			}
		}
		near(t, "regret", d.Regret, want)
		near(t, "net", d.Net, d.Gross-want)
	}
}

// What a result that was shown, or a person, named is no regret.
func TestWhatWasSeenElsewhereIsNoRegret(t *testing.T) {
	var p play
	p.lines = append(p.lines, `{"type":"user","sessionId":"s","cwd":"/p","message":{"content":"Mend odd_name.go"}}`)
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 0, 5000), "Bash", `{"command":"make"}`), long+"\nodd_name.go and other_one.go\n")
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5000, 1020), "Bash", `{"command":"ls"}`), "other_one.go")
	// What the model wrote itself in the call whose result was cut, it knew.
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 6020, 20), "Bash", `{"command":"make third_one.go"}`), long+"\nthird_one.go\n")
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 6040, 20), "Bash", `{"command":"cat odd_name.go other_one.go third_one.go"}`), "fine")
	if d := p.bills(t, short); len(d.Sessions[0].Regrets) != 0 {
		t.Errorf("%+v", d.Sessions[0].Regrets)
	}
}

func TestCeilingIsWhatTheModelHadBeforeIt(t *testing.T) {
	var p play
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("%03d of the lines of a text", i)) // 28 bytes with its end
	}
	body := strings.Join(lines, "\n") + "\n"
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 0, 5000), "Read", `{"file_path":"/p/a"}`), body)
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5000, 700), "Read", `{"file_path":"/p/a"}`), body)
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5700, 700), "Bash", `{"command":"true"}`), "fine")
	d := p.bills(t, short)
	near(t, "the ceiling", d.Ceiling, 1e-6*float64((len(body)+3)/4)*12) // of the second, which is written once
	near(t, "left", d.Left, d.Ceiling)
}

// Who goes back to an earlier message has no result behind it before them.
func TestWhatWasTakenBackIsNotReadAgain(t *testing.T) {
	var p play
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 0, 5000), "Bash", `{"command":"true"}`), "fine")
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5000, 100), "Bash", `{"command":"make"}`), long)
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5100, 1010), "Bash", `{"command":"true"}`), "fine")
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5000, 50), "Bash", `{"command":"true"}`), "fine")
	p.gets(p.asks("m", fmt.Sprintf(tier5m, 5050, 900), "Bash", `{"command":"true"}`), "fine")
	near(t, "saved", p.bills(t, short).Gross, 1e-6*900*12)
}

func TestNoPriceIsNotKnown(t *testing.T) {
	var p play
	p.gets(p.asks("nobody's", fmt.Sprintf(tier5m, 0, 5000), "Bash", `{"command":"make"}`), long)
	p.gets(p.asks("nobody's", fmt.Sprintf(tier5m, 5000, 1010), "Bash", `{"command":"true"}`), "fine")
	d := p.bills(t, short)
	if s := d.Sessions[0]; s.Known || d.Bill != 0 || len(d.Unknown) != 1 {
		t.Errorf("%+v", d)
	}
	var b strings.Builder
	if err := d.WriteText(&b); err != nil || !strings.Contains(b.String(), "not known: the price of nobody's") || strings.Contains(b.String(), "$0.00 ") && !strings.Contains(b.String(), "not known: no price for one of nobody's") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
