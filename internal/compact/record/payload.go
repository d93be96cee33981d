package record

import (
	"strings"
)

// payload is the parser for what the command lines of clouds and of services
// answer with: JSON, XML, or a table when that is asked for. The first line
// tells.
type payload struct{ chosen }

// chosen is the parser that the beginning of an output tells, nil before that.
type chosen struct{ as Parser }

func (p *chosen) Close(emit Emit) {
	if p.as != nil {
		p.as.Close(emit)
	}
}

func (*payload) wide() {}

func (p *payload) Line(l Line, emit Emit) {
	if t := strings.TrimSpace(l.Text); p.as == nil && t == "" {
		emit.line(Folded, l)
		return
	} else if p.as == nil {
		p.as = payloadFormat(t)
	}
	p.as.Line(l, emit)
}

func payloadFormat(t string) Parser {
	switch {
	case strings.HasPrefix(t, "<?xml "):
		return &xmlText{}
	case strings.HasPrefix(t, "NAME  ") && strings.ToUpper(t) == t: // gcloud
		return &columns{}
	case strings.Trim(t, "-+") == "" && len(t) > 10: // aws --output table
		return &sqlTable{}
	}
	return newJSON()
}

// curl is the parser for curl, with -v or without: of the talk the request
// and status lines and the headers that explain a status stay; the handshake
// and the progress meter go. The body is JSON or goes to the window.
//
// Format: curl(1) -v: "* " information, "> " sent, "< " received, "{ [… bytes
// data]"; the meter has columns of digits under "  % Total".
type curl struct {
	chosen         // of the body, which is not talk
	verbose bool   // the talk is there: it is what was asked for, not the body
	lines   int    // of a body that is text
	meter   Line   // the last line of the progress meter
	other   bool   // there is more than the meter
	headers bool   // in the headers that -i prints above the body
	status  string // the text of the status line: "404 Not Found"

	connected *Line // to where, until the status is known
}

const curlBody = 6 // lines of a body shown below the talk

func (*curl) wide() {}

func (p *curl) Line(l Line, emit Emit) {
	s := l.Text
	r := Record{Class: Folded, Lines: []Line{l}} // the header says that lines are missing
	switch {
	case strings.HasPrefix(s, "curl: ("):
		r.Class = Failure
	case hasPrefix(s, "* Failed to connect", "* Closing connection", "* Connection #"): // the last line says it again, or how it went on
	case strings.HasPrefix(s, "* "):
		r.Class = Folded.unless(hasAny(s, curlTrouble...), Keep)
		if strings.HasPrefix(s, "* Connected to ") {
			emit.held(Folded, &p.connected)
			p.connected = &l
			return
		}
	case strings.HasPrefix(s, "> "), s == ">":
		r.Class = Folded.unless(strings.Contains(s, " HTTP/"), Keep)
	case strings.HasPrefix(s, "< HTTP/"):
		p.verbose, r.Class = true, Keep
		_, p.status, _ = strings.Cut(s[2:], " ")
		emit.held(Keep.unless(hasPrefix(p.status, "4", "5"), Folded), &p.connected) // of an error the server's answer tells enough
	case strings.HasPrefix(s, "< "), s == "<":
		p.verbose = true
		r.Class = Folded.unless(telling(s[1:]), Keep)
	case strings.HasPrefix(s, "HTTP/") && p.as == nil:
		p.headers, r.Class = true, Keep
		_, p.status, _ = strings.Cut(s, " ")
	case p.headers && s != "":
		r.Class = Keep.unless(hasPrefix(strings.ToLower(s), "connection:", "keep-alive:", "accept-ranges:"), Folded) // of the transport
	case hasPrefix(s, "{ [", "} ["):
		r.Class = Folded
	case meter(s) && strings.Contains(s, "* "): // information follows on the same line
	case meter(s):
		p.endMeter(Folded, emit)
		p.meter = l
		return
	default:
		p.other, p.headers = true, false
		p.content(l, emit)
		return
	}
	p.other = true
	emit(r)
}

// between cuts the progress meter, which begins with a carriage return, and what
// is said with -v off what curl writes to stdout.
func (*curl) between(s string) (document string, talk bool) {
	switch {
	case meter(s), hasPrefix(s, "* ", "curl: ("), hasPrefix(s, "{ [", "} [") && strings.HasSuffix(s, " bytes data]"):
		return "", true
	case len(s) > meterWide && meter(s[len(s)-meterWide:]):
		return s[:len(s)-meterWide], true
	}
	return s, false
}

const meterWide = len("100 34231  100 34231    0     0  1492k      0 --:--:-- --:--:-- --:--:-- 1519k")

func (p *curl) endMeter(class Class, emit Emit) {
	if p.meter.Text != "" {
		emit.line(class, p.meter)
	}
}

func (p *curl) content(l Line, emit Emit) {
	if p.as == nil {
		t := strings.TrimSpace(l.Text)
		switch {
		case t == "":
			emit.line(Folded, l)
			return
		case t[0] == '{' || t[0] == '[':
			p.as = newJSON()
		case strings.HasPrefix(t, "<?xml "):
			p.as = &xmlText{}
		default:
			p.as = &windowed{}
		}
	}
	if _, text := p.as.(*windowed); text {
		if p.page(l.Text) {
			emit.line(Folded, l)
			return
		}
		if p.lines++; p.verbose && p.lines > curlBody {
			emit.line(Noise, l)
			return
		}
	}
	p.as.Line(l, emit)
}

// page reports whether a line of a server's page about a status other than
// success has no text, only the title, which is said again below it, or only the
// server's name and version.
func (p *curl) page(s string) bool {
	if !strings.HasPrefix(strings.TrimSpace(s), "<") {
		return false
	}
	text, title := strings.TrimSpace(untagged(s)), strings.Contains(s, "<title>")
	if p.status == "" && title && len(text) > 3 && isDigit(text[1]) && isDigit(text[2]) && text[3] == ' ' {
		p.status = text
	}
	server, version, signed := strings.Cut(text, "/")
	signed = signed && !strings.ContainsAny(server, " <") && digits(version) > 0 && strings.Trim(version, "0123456789.") == ""
	return hasPrefix(p.status, "3", "4", "5") && (text == "" || signed || title && text == strings.TrimSpace(p.status))
}

// untagged takes the tags of HTML out of a line.
func untagged(s string) string {
	var b strings.Builder
	for {
		text, rest, open := strings.Cut(s, "<")
		b.WriteString(text)
		if !open {
			return b.String()
		}
		if _, s, open = strings.Cut(rest, ">"); !open {
			return b.String()
		}
	}
}

func (p *curl) Close(emit Emit) {
	emit.held(Keep, &p.connected)
	p.endMeter(Keep.unless(p.other, Folded), emit) // of a download it says how much came
	p.chosen.Close(emit)
}

// meter reports whether s is a line of the progress meter.
func meter(s string) bool {
	return strings.HasPrefix(s, "  % Total ") || strings.HasPrefix(strings.TrimLeft(s, " "), "Dload  Upload") ||
		strings.Contains(s, "--:--:--") && len(strings.Fields(s)) > 8 && strings.Trim(s[:4], " 0123456789") == "" ||
		len(strings.Fields(s)) == 12 && strings.Trim(s, " 0123456789:-kMG.") == ""
}

// curlTrouble is in a line of information that says what went wrong.
var curlTrouble = words{"failed", "Failed", "refused", "error", "Error", "problem", "timed out", "Could not", "expired", "denied", "mismatch", "reset by peer"}

// telling reports whether a received header explains a status or is needed
// for the next request.
func telling(h string) bool {
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(h)), ":")
	return oneOf(name, "location", "www-authenticate", "retry-after", "allow") || hasPrefix(name, "x-ratelimit", "ratelimit-", "x-error", "x-request-id", "x-amzn-error", "grpc-status", "grpc-message", "access-control-allow-origin")
}
