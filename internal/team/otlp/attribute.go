package otlp

import (
	"math"
	"path"
	"strconv"
	"strings"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"

	"cairn/internal/team/eval"
	"cairn/internal/team/record"
)

// attributes are those of a record and behind them those of its resource.
type attributes struct {
	own, resource []*common.KeyValue
}

func (a attributes) value(name string) *common.AnyValue {
	for _, list := range [...][]*common.KeyValue{a.own, a.resource} {
		for _, kv := range list {
			if kv.GetKey() == name {
				return kv.GetValue()
			}
		}
	}
	return nil
}

// text is the first that is there of several attributes.
func (a attributes) text(names ...string) string {
	for _, name := range names {
		switch v := a.value(name).GetValue().(type) {
		case *common.AnyValue_StringValue:
			if v.StringValue != "" {
				return v.StringValue
			}
		case *common.AnyValue_IntValue:
			return strconv.FormatInt(v.IntValue, 10)
		}
	}
	return ""
}

// number is the first that is there of several attributes, which may be texts.
func (a attributes) number(names ...string) (n float64, ok bool) {
	for _, name := range names {
		switch v := a.value(name).GetValue().(type) {
		case *common.AnyValue_IntValue:
			return float64(v.IntValue), true
		case *common.AnyValue_DoubleValue:
			return v.DoubleValue, true
		case *common.AnyValue_StringValue:
			if n, err := strconv.ParseFloat(v.StringValue, 64); err == nil {
				return n, true
			}
		}
	}
	return 0, false
}

// tokens is a count of tokens, 0 where there is none.
func (a attributes) tokens(err *error, names ...string) int64 {
	n, _ := a.number(names...)
	if !(n >= 0 && n <= mostTokens) {
		*err = errFigures
		return 0
	}
	return int64(math.Round(n))
}

// Names of agents, as cairn has them.
const (
	agentClaude  = "claude"
	agentCodex   = "codex"
	agentGemini  = "gemini"
	agentCopilot = "copilot"
)

// services are how services call themselves.
var services = [...]struct{ begins, agent string }{
	{"claude-code", agentClaude}, {"claude_code", agentClaude}, {"codex", agentCodex}, {"gemini-cli", agentGemini}, {"gemini_cli", agentGemini},
	{"copilot", agentCopilot}, {"github-copilot", agentCopilot}, {"github.copilot", agentCopilot}, {"opencode", "opencode"},
}

func agentOf(service string) string {
	low := strings.ToLower(service)
	for _, s := range services {
		if strings.HasPrefix(low, s.begins) {
			return s.agent
		}
	}
	return service
}

// place is the row of a record without figures: where it was, by whom.
func (a attributes) place(source string) record.SpendDay {
	row := record.SpendDay{Source: source, Agent: agentOf(a.text("service.name")), Hostname: a.text("host.name"),
		Session: a.text("session.id", "conversation.id", "gen_ai.conversation.id"), Repo: a.repo(), Branch: a.branch()}
	return row
}

// repo is the repository that a resource names: cairn's own attribute, else
// OpenTelemetry's conventions for version control.
func (a attributes) repo() string {
	if slug := a.text("cairn.repo"); slug != "" {
		return slug
	}
	if slug := eval.RepoSlug(a.text("vcs.repository.url.full")); strings.Contains(slug, "/") {
		return slug
	}
	name := a.text("vcs.repository.name")
	if owner := a.text("vcs.owner.name"); owner != "" && name != "" && !strings.Contains(name, "/") {
		name = path.Join(owner, name)
	}
	return name
}

func (a attributes) branch() string {
	name := a.text("cairn.branch")
	if kind := a.text("vcs.ref.head.type"); name == "" && (kind == "" || kind == "branch") {
		name = a.text("vcs.ref.head.name")
	}
	return strings.TrimPrefix(name, "refs/heads/")
}

func of(own []*common.KeyValue, r *resource.Resource) attributes {
	return attributes{own, r.GetAttributes()}
}
