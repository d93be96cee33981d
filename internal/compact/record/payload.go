package record

import "strings"

// payload is the parser for what the command lines of clouds and of services
// answer with: JSON, XML, or a table when that is asked for. The first line
// tells.
type payload struct{ as Parser }

func (*payload) wide() {}

func (p *payload) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if p.as == nil && t == "" {
		emit.line(Folded, l)
		return
	}
	if p.as == nil {
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
	return &jsonText{}
}

func (p *payload) Close(emit Emit) {
	if p.as != nil {
		p.as.Close(emit)
	}
}
