package grade

import (
	"cairn/internal/team/cases"
)

func measureTypes() []Type {
	const category = "Measures"
	return []Type{
		{cases.Spec{Name: "latency", Category: category, Reads: []string{"duration_ms", "latency_ms"}, Keys: []cases.Key{{Name: "max_ms", Kind: cases.Number, Required: true}}, Also: []cases.Also{{Name: "duration"}, {Name: "response_time"}},
			About: "The case took at most max_ms milliseconds, by duration_ms beside or in the output."}, latency},
		{cases.Spec{Name: "cost", Category: category, Reads: []string{"cost_usd", "total_cost_usd"}, Keys: []cases.Key{{Name: "max_usd", Kind: cases.Number, Required: true}}, Also: []cases.Also{{Name: "price"}},
			About: "The case cost at most max_usd US dollars, by cost_usd beside or in the output."}, costs},
		{cases.Spec{Name: "tokens", Category: category, Reads: []string{"usage", "token_usage", "tokens"},
			Keys: []cases.Key{{Name: "of", Kind: cases.Text, Default: "total", Among: []string{"total", "input", "output"}, About: "total, input or output"}, {Name: "min", Kind: cases.Count}, {Name: "max", Kind: cases.Count}}, Needs: eitherEnd, Also: []cases.Also{{Name: "token_count"}},
			About: "The case took min to max tokens, by usage beside or in the output, as Anthropic and OpenAI write it; input includes cached tokens. A number is the total."}, tokensUsed},
		{cases.Spec{Name: "turns", Category: category, Reads: []string{"num_turns", "turns", "messages"}, Keys: minMaxCount, Needs: eitherEnd, Also: []cases.Also{{Name: "num_turns"}, {Name: "trajectory:step-count", How: "it counts turns; tool_sequence looks at calls"}},
			About: "The agent took min to max turns, by turns beside the output, or by num_turns or turns (a number or a list) in it, or else by the assistant's messages."}, turns},
	}
}

// beside is a figure that the runner writes beside the output or, if there is
// none or the case has a path, one in the output.
func (x *exam) beside(figure float64, told bool, what string) (float64, bool) {
	if told && x.want.Path == nil {
		return figure, true
	}
	return read(x, x.reads, what, amount)
}

// amount reads a time, a cost or a count, which is not negative.
func amount(v any) (float64, bool) {
	n, ok := asNumber(v)
	return n, ok && n >= 0
}

func latency(x *exam) {
	if ms, ok := x.beside(x.out.DurationMS, x.out.DurationMS > 0, "a number of milliseconds"); ok {
		x.between("milliseconds:", ms, "", "max_ms")
	}
}

func costs(x *exam) {
	usd := x.out.CostUSD
	told := 0.0
	if usd != nil {
		told = *usd
	}
	if spent, ok := x.beside(told, usd != nil && told >= 0, "a number of dollars"); ok {
		x.between("dollars:", spent, "", "max_usd")
	}
}

func tokensUsed(x *exam) {
	of := x.text("of")
	count := func(v any) (float64, bool) { return tokensIn(v, of) }
	n, ok := 0.0, false
	if x.want.Path == nil {
		n, ok = count(x.out.Usage)
	}
	if !ok {
		n, ok = read(x, x.reads, "an amount of "+of+" tokens", count)
	}
	if ok {
		x.between(of+" tokens:", n, "min", "max")
	}
}

// tokensIn reads an amount of tokens, as APIs and agents write it.
func tokensIn(v any, of string) (float64, bool) {
	if n, ok := amount(v); ok {
		return n, of == "total"
	}
	sum := func(first []string, more ...string) (float64, bool) {
		n, ok := inObject(v, amount, first...)
		for _, name := range more {
			if m, there := inObject(v, amount, name); there {
				n += m
			}
		}
		return n, ok
	}
	in, hasIn := sum([]string{"input_tokens", "prompt_tokens", "input", "prompt"}, "cache_read_input_tokens", "cache_creation_input_tokens")
	out, hasOut := sum([]string{"output_tokens", "completion_tokens", "output", "completion"})
	switch of {
	case "input":
		return in, hasIn
	case "output":
		return out, hasOut
	}
	if total, ok := inObject(v, amount, "total_tokens", "total"); ok {
		return total, true
	}
	return in + out, hasIn && hasOut
}

func turns(x *exam) {
	count := func(v any) (float64, bool) {
		if list, ok := asList(v); ok {
			return float64(len(list)), len(list) > 0 // an empty list is nothing that was kept
		}
		return amount(v)
	}
	n, ok := 0.0, false
	if x.want.Path == nil {
		n, ok = count(x.out.Turns)
	}
	if !ok {
		var at string
		var v any
		at, v, ok = readAt(x, x.reads, "a number or a list", func(v any) (any, bool) { _, ok := count(v); return v, ok })
		n, _ = count(v)
		if list, isList := asList(v); isList && (at == "messages" || isMessages(list)) {
			n = float64(howMany(list, isAssistant))
		}
	}
	if ok {
		x.between("turns:", n, "min", "max")
	}
}

func isAssistant(v any) bool {
	role, _ := inObject(v, asText, "role")
	return role == "assistant"
}

func isMessages(list []any) bool {
	return len(list) > 0 && howMany(list, func(v any) bool { _, ok := inObject(v, asText, "role"); return ok }) == len(list)
}
