package benchmark

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/text"
)

// headline is the share of the whole bill, in one line or two.
func (d *Dollars) headline(b *strings.Builder) {
	switch {
	case d.Bill > 0:
		fmt.Fprintf(b, "  bill       %10s          saves %s net, %.1f %% of the whole bill (%s gross, %s regret)\n", usd(d.Bill), usd(d.Net), d.Percent, usd(d.Gross), usd(d.Regret))
	case len(d.Unknown) > 0:
		fmt.Fprintf(b, "  bill        not known: no price for %s\n", strings.Join(d.Unknown, ", "))
	default:
		fmt.Fprintf(b, "  bill        not known: the transcripts do not say what was billed\n")
	}
}

// WriteText explains each session's bill.
func (d *Dollars) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\nDOLLARS  list prices; a result is written to the cache once and read again by every later\n")
	b.WriteString("request of its context. Tokens are as billed, where the growth of the prompts tells\n\n")
	fmt.Fprintf(&b, "%-*s %8s %8s %8s %8s %8s %7s %8s %8s\n", nameWidth, "SESSION", "BILL", "RESULTS", "SAVED", "REGRET", "NET", "OF BILL", "CEILING", "LEFT")
	for _, s := range d.Sessions {
		s.row(&b)
	}
	if len(d.Sessions) > 1 {
		row(&b, "TOTAL", &d.Sums)
	}
	b.WriteString("\nSAVED is before, NET is after REGRET: results that come again, with a request more, because a\n" +
		"later call names what was cut. CEILING is what the lines of results cost that the model had\n" +
		"before it already; LEFT is what of it is not saved.\n")
	if len(d.Unknown) > 0 {
		fmt.Fprintf(&b, "not known: the price of %s; sessions with such a model are not in the total\n", strings.Join(d.Unknown, ", "))
	}
	if d.NoUsage > 0 {
		fmt.Fprintf(&b, "not known: the bill of %s in transcripts that do not say it\n", calls(d.NoUsage))
	}
	for _, s := range d.Sessions {
		s.explain(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Session) row(b *strings.Builder) {
	if s.Known {
		row(b, s.Session, &s.Sums)
		return
	}
	fmt.Fprintf(b, "%-*s not known: no price for one of %s\n", nameWidth, text.Shorten(s.Session, nameWidth), strings.Join(s.Models, ", "))
}

func row(b *strings.Builder, name string, s *Sums) {
	fmt.Fprintf(b, "%-*s %8s %8s %8s %8s %8s %5.1f %% %8s %8s\n", nameWidth, text.Shorten(name, nameWidth),
		usd(s.Bill), usd(s.Results), usd(s.Gross), usd(s.Regret), usd(s.Net), s.Percent, usd(s.Ceiling), usd(s.Left))
}

// explain says by which rule a session would have cost less, and what of it
// would have come back.
func (s *Session) explain(b *strings.Builder) {
	if !s.Known || len(s.Rules) == 0 && len(s.Apart) == 0 {
		return
	}
	p := s.Parts
	fmt.Fprintf(b, "\n%s · %s · %d requests, %s\n", s.Session, strings.Join(s.Models, ", "), s.Requests, calls(s.Calls))
	fmt.Fprintf(b, "  billed: cache reads %s, cache writes %s, output %s, fresh input %s\n", usd(p.CacheRead), usd(p.CacheWrite), usd(p.Output), usd(p.Input))
	if s.PerEstimated > 0 {
		fmt.Fprintf(b, "  by the growth of the prompts, a token is %.1f characters of a result\n", 4/s.PerEstimated)
	} else {
		b.WriteString("  too few large results to learn how many characters make a token; 4 counts\n")
	}
	for _, r := range s.Rules {
		fmt.Fprintf(b, "  %-22s %s: saves %s, regret %s, net %s\n", r.Rule, calls(r.Calls), usd(r.Gross), usd(r.Regret), usd(r.Net))
	}
	for _, r := range s.Regrets {
		fmt.Fprintf(b, "  regret %s: %s was cut by %s and needed by %s\n", usd(r.USD), r.Name, r.Rule, text.Shorten(r.Command, 60))
	}
	for _, a := range s.Apart {
		if a.USD >= 0.005 {
			fmt.Fprintf(b, "  not touched %s: %s\n", usd(a.USD), reasons[a.Reason])
		}
	}
	if s.Unpriced > 0 {
		fmt.Fprintf(b, "  not known: what %s cost, whose request the transcript does not have\n", calls(s.Unpriced))
	}
}

// usd is dollars as a person reads them, fractions of a cent where that is all.
func usd(v float64) string {
	sign, places := "", 2
	if v <= -0.00005 {
		sign, v = "-", -v
	}
	if v >= 0.00005 && v < 0.0095 {
		places = 4
	}
	return fmt.Sprintf("%s$%.*f", sign, places, max(v, 0))
}
