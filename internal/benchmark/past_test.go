package benchmark

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/transcript"
)

// What the account says was saved is billed by the transcript of its session:
// here written by one request and read again by another, before a summary.
func TestSavingsAreBilledByTheirSession(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 11, 2, 10, minute, 0, 0, time.UTC) }
	var lines []string
	request := func(minute int, session, agent, model string, read, write int) {
		lines = append(lines, fmt.Sprintf(`{"type":"assistant","timestamp":"%s","sessionId":"%s","agentId":"%s","message":{"id":"msg_%d","model":"%s","usage":{`+tier5m+`,"output_tokens":0},"content":[]}}`,
			at(minute).Format(time.RFC3339), session, agent, minute, model, read, write))
	}
	request(0, "s", "", "m", 0, 5000)
	request(10, "s", "", "m", 5000, 1000)
	request(12, "s", "a", "m", 0, 9000) // a subagent does not read it
	request(20, "s", "", "m", 6000, 1000)
	lines = append(lines, `{"type":"system","subtype":"compact_boundary","sessionId":"s"}`)
	request(30, "s", "", "m", 0, 8000)
	request(40, "u", "", "nobody's", 0, 8000)
	request(50, "u", "", "nobody's", 8000, 100)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	roots := []transcript.Root{{Host: transcript.Claude, Dir: dir}}
	p := Bills(roots, time.Time{}, roundPrices, map[string][]Saving{
		"s":       {{at(5), 1000, "go"}, {at(25), 70, "npm"}}, // behind the second no request follows in its context
		"u":       {{at(45), 300, ""}},
		"missing": {{at(5), 7, ""}},
	}, func(err error) { t.Error(err) })
	const m = 1e-6
	near(t, "the bill", p.Bill, m*(12*(5000+1000+9000+1000+8000)+1*(5000+6000)))
	near(t, "saved", p.Saved, m*1000*(12+1))
	near(t, "share", p.Percent, 100*p.Saved/(p.Bill+p.Saved))
	if p.Known != 1070 || p.NotKnown != 307 || len(p.Unknown) != 1 {
		t.Errorf("%+v", p)
	}
	bill := p.Bill
	p.Less(0.5)
	near(t, "half", p.Saved, m*1000*13/2)
	near(t, "half of a rule", p.Rules[0].Saved, m*1000*13/2)
	near(t, "the bill of half", p.Bill, bill)
	// From the third request on there is less of the bill.
	p = Bills(roots, at(11), roundPrices, nil, func(err error) { t.Error(err) })
	near(t, "the bill since", p.Bill, m*(12*(9000+1000+8000)+6000))
}

// How many tokens an estimated one is, the prompts tell: here two.
func TestTokensAreThoseThatWereBilled(t *testing.T) {
	var p play
	prompt := 5000
	id := p.asks("m", fmt.Sprintf(tier5m, 0, prompt), "Bash", `{"command":"make"}`)
	for range 6 {
		p.gets(id, long) // 1,000 estimated
		id = p.asks("m", fmt.Sprintf(tier5m, prompt, 2010), "Bash", `{"command":"make"}`)
		prompt += 2010
	}
	d := p.bills(t, short)
	want := 0.0
	for i := range 6 { // saved 900 estimated: written once, read by those that follow
		want += 2 * 900 * float64(12+(5-i)) * 1e-6
	}
	near(t, "saved", d.Gross, want)
	near(t, "tokens", d.Sessions[0].PerEstimated, 2)
}
