package reader

import (
	"encoding/xml"
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// readPromptfooXML reads `-o results.xml`, a dump of the JSON: an element a
// member, a list as elements of one name, no types. Rows are the <results>
// inside <results>.
func readPromptfooXML(data []byte, c *collector) *result.Run {
	p := newPromptfoo(c)
	x := newXML(data)
	var path []string
	for {
		switch t := x.next().(type) {
		case nil:
			if !p.listed && len(path) > 0 {
				must.Fail(errEarly)
			}
			return p.finish()
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.StartElement:
			path = append(path, t.Name.Local)
			switch where := strings.Join(path[1:], "/"); where {
			case "", "results", "config", "metadata", "results/stats":
				continue
			case "results/results":
				p.addXML(x.element())
			case "results/prompts":
				e := x.element()
				p.texts = append(p.texts, promptfooPrompt{Label: e.string("label"), Raw: e.string("raw")})
			default:
				text := x.text(4096)
				switch where {
				case "results/timestamp":
					p.run.Timestamp = stamp(text)
				case "results/stats/durationMs":
					f, _ := number(text)
					p.run.WallClockMS = max(0, f)
				case "config/description":
					p.run.Suite = strings.TrimSpace(text)
				case "metadata/promptfooVersion":
					p.run.ToolVer = strings.TrimSpace(text)
				}
			}
			path = path[:len(path)-1]
		}
	}
}

// An element of a dump: children, or text.
type element struct {
	name     string
	children []*element
	text     string
}

// element reads the rest of an element that was begun.
func (x *xmlReader) element() *element {
	e := &element{}
	var b strings.Builder
	for {
		switch t := x.inside().(type) {
		case xml.CharData:
			b.Write(t)
		case xml.StartElement:
			child := x.element()
			child.name = t.Name.Local
			e.children = append(e.children, child)
		case xml.EndElement:
			if len(e.children) == 0 {
				e.text = b.String()
			}
			return e
		}
	}
}

// all returns the children of a name; one that is not there has none.
func (e *element) all(name string) (list []*element) {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

func (e *element) at(path ...string) *element {
	for _, name := range path {
		list := e.all(name)
		if len(list) == 0 {
			return nil
		}
		e = list[0]
	}
	return e
}

func (e *element) string(path ...string) string {
	if e = e.at(path...); e == nil {
		return ""
	}
	return e.text
}

func (e *element) number(path ...string) *float64 {
	if f, ok := number(e.string(path...)); ok {
		return &f
	}
	return nil
}

func (e *element) or0(path ...string) float64 {
	if f := e.number(path...); f != nil {
		return *f
	}
	return 0
}

// value is an element as JSON: text, or an object of its children.
func (e *element) value() jsontext.Value {
	if e == nil {
		return nil
	}
	if len(e.children) == 0 {
		return quote(e.text)
	}
	var members []member
	seen := map[string]int{}
	for _, c := range e.children {
		if i, ok := seen[c.name]; ok { // a list
			list := members[i].value
			if list.Kind() != '[' {
				list = append(append(jsontext.Value("["), list...), ']')
			}
			members[i].value = append(append(append(list[:len(list)-1], ','), c.value()...), ']')
			continue
		}
		seen[c.name] = len(members)
		members = append(members, member{c.name, c.value()})
	}
	return object(members...)
}

func (p *promptfoo) addXML(e *element) {
	p.listed = true
	row := promptfooRow{
		TestIdx: e.or0("testIdx"), PromptIdx: e.or0("promptIdx"), FailureReason: e.number("failureReason"), Score: e.number("score"),
		LatencyMS: e.or0("latencyMs"), Cost: e.or0("cost"), Provider: promptfooProvider{ID: e.string("provider", "id"), Label: e.string("provider", "label")},
		Prompt: promptfooPrompt{Label: e.string("prompt", "label"), Raw: e.string("prompt", "raw")}, Vars: e.at("vars").value(),
		Response:    promptfooResponse{Output: e.at("response", "output").value(), Finish: e.string("response", "finishReason"), Cached: e.string("response", "cached") == "true"},
		Description: e.string("description"), Metadata: e.at("metadata").value(),
		Tokens: promptfooTokens{e.at("tokenUsage").usage(), e.at("tokenUsage", "assertions").usage()},
	}
	if s := e.string("success"); s != "" {
		passed, err := strconv.ParseBool(s)
		if err != nil {
			must.Fail(errors.New("success: true or false is wanted"))
		}
		row.Success = &passed
	}
	row.TestCase.Description = e.string("testCase", "description")
	row.TestCase.Metadata = e.at("testCase", "metadata").value()
	row.TestCase.Options.Grader = e.at("testCase", "options", "provider").value()
	if text := e.string("error"); text != "" {
		row.Error = quote(text)
	}
	if named := e.at("namedScores"); named != nil {
		row.NamedScores = map[string]*float64{}
		for _, n := range named.children {
			if f, ok := number(n.text); ok {
				row.NamedScores[n.name] = &f
			}
		}
	}
	if grade := e.at("gradingResult"); grade != nil && len(grade.children) > 0 {
		row.Grading = &promptfooGrade{Reason: grade.string("reason"), Comment: grade.string("comment"), Components: components(grade)}
	}
	p.add(&row)
}

func components(e *element) (list []promptfooComponent) {
	for _, c := range e.all("componentResults") {
		g := promptfooComponent{Pass: c.string("pass") == "true", Score: c.number("score"), Reason: c.string("reason"), Inner: components(c)}
		g.Assertion, g.Metadata.Set = c.at("assertion").assertion(), c.at("metadata", "assertionSet").assertion()
		list = append(list, g)
	}
	return list
}

func (e *element) assertion() *promptfooAssertion {
	if e == nil {
		return nil
	}
	return &promptfooAssertion{Type: e.string("type"), Metric: e.string("metric"), Value: e.at("value").value(), Threshold: e.number("threshold"), Weight: e.number("weight")}
}

func (e *element) usage() (u promptfooUsage) {
	if e == nil {
		return u
	}
	u.Total, u.Prompt, u.Completion, u.Cached, u.NumRequests = e.or0("total"), e.or0("prompt"), e.or0("completion"), e.or0("cached"), e.or0("numRequests")
	u.Details.CacheRead, u.Details.CacheWrite, u.Details.Reasoning = e.or0("completionDetails", "cacheReadInputTokens"), e.or0("completionDetails", "cacheCreationInputTokens"), e.or0("completionDetails", "reasoning")
	return u
}
