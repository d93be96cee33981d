package compact

import (
	"iter"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/redact"
)

// A Question is what leaves the machine: the lines of an output, secrets taken
// out, each with whether the compacted text has it. Of a long output these are
// the lines of both ends, since its failures stand at the end.
type Question struct {
	Lines    []QuestionLine `json:"lines"`
	Redacted int            `json:"-"` // lines that secrets were taken out of, sent or not
}

// A QuestionLine is one line that is not blank.
type QuestionLine struct {
	N     int    `json:"n"` // from 1, in the whole output
	Text  string `json:"text"`
	Shown bool   `json:"shown,omitempty"` // the compacted text has it
}

// An Answer names the lines that should not have been left out, each by its
// number or by its whole text.
type Answer struct {
	Numbers      []int    `json:"numbers,omitempty"`
	Lines        []string `json:"lines,omitempty"`
	Model        string   `json:"model,omitempty"`
	InputTokens  int      `json:"inputTokens"`
	OutputTokens int      `json:"outputTokens"`
}

const (
	questionLines = 2000
	questionBytes = 128 << 10 // of text; about 32,000 tokens
)

// Pick returns the lines of q that a names, in the order of the output. What
// is not, letter for letter, a line that was sent and left out does not count,
// so that nothing an answer says can be anything but the tool's own words.
func (q Question) Pick(a Answer) []QuestionLine {
	byNumber, byText := map[int]int{}, map[string][]int{}
	for i, l := range q.Lines {
		if !l.Shown {
			byNumber[l.N] = i
			byText[l.Text] = append(byText[l.Text], i)
		}
	}
	picked := map[int]bool{}
	for _, n := range a.Numbers {
		if i, ok := byNumber[n]; ok && len(picked) < maxVerified {
			picked[i] = true
		}
	}
	for _, text := range a.Lines {
		for _, i := range byText[text] {
			if !picked[i] && len(picked) < maxVerified {
				picked[i] = true
				break
			}
		}
	}
	var out []QuestionLine
	for i, l := range q.Lines {
		if picked[i] {
			out = append(out, l)
		}
	}
	return out
}

// leftOut reports whether there is anything to ask for.
func (q Question) leftOut() bool {
	return slices.ContainsFunc(q.Lines, func(l QuestionLine) bool { return !l.Shown })
}

// question lists the output beside its compaction.
func (s *Stream) question(items []*item, body string) (q Question) {
	shown := make(map[int]bool, len(items))
	for _, it := range items {
		shown[it.n] = true
	}
	texts := map[string]bool{}
	for l := range strings.SplitSeq(body, "\n") {
		texts[l] = true
	}
	var secrets redact.Redactor
	var all []QuestionLine
	for n, raw := range s.rawLines() {
		clean := lines.Clean(strings.ToValidUTF8(raw, "\uFFFD"))
		safe := secrets.Line(clean)
		if safe != clean {
			q.Redacted++
		}
		if safe = lines.Clip(safe); !lines.Blank(safe) {
			all = append(all, QuestionLine{N: n + 1, Text: safe, Shown: shown[n] || texts[safe]})
		}
	}
	most := s.opt.Verify.MaxLines
	if most <= 0 {
		most = questionLines
	}
	q.Lines = bothEnds(all, most, questionBytes)
	return q
}

// bothEnds returns all lines if there is room for them, else half the room's
// worth of either end.
func bothEnds(all []QuestionLine, most, bytes int) []QuestionLine {
	total := 0
	for _, l := range all {
		total += len(l.Text)
	}
	if len(all) <= most && total <= bytes {
		return all
	}
	head, size := 0, 0
	for head < min(most/2, len(all)) && size+len(all[head].Text) <= bytes/2 {
		size += len(all[head].Text)
		head++
	}
	tail := len(all)
	for size = 0; tail > head && len(all)-tail < most-most/2 && size+len(all[tail-1].Text) <= bytes/2; tail-- {
		size += len(all[tail-1].Text)
	}
	return append(all[:head:head], all[tail:]...)
}

// rawLines yields the lines of the output that are still held, by number.
func (s *Stream) rawLines() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		each := func(text string) bool {
			for line := range strings.Lines(text) {
				if !yield(n, strings.TrimSuffix(line, "\n")) {
					return false
				}
				n++
			}
			return true
		}
		raw, whole := s.raw.all()
		if whole {
			each(raw)
			return
		}
		head, tail, _ := s.raw.ends()
		if !each(head[:strings.LastIndexByte(head, '\n')+1]) {
			return
		}
		_, tail, _ = strings.Cut(tail, "\n")
		tail = redact.AfterCut(tail)
		n = s.n - lineCount(tail)
		each(tail)
	}
}
