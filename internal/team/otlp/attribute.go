package otlp

import (
	"math"
	"path"
	"strconv"
	"strings"

	"cairn/internal/team/eval"
	"cairn/internal/team/otlp/proto"
	"cairn/internal/team/record"
)

// attributes are those of a record and behind them those of its resource.
type attributes struct {
	own, resource []*proto.KeyValue
}

func (a attributes) value(name string) any {
	for _, list := range [...][]*proto.KeyValue{a.own, a.resource} {
		for _, kv := range list {
			if kv.Key == name {
				return kv.Value.Get()
			}
		}
	}
	return nil
}

// text is the first that is there of several attributes.
func (a attributes) text(names ...string) string {
	for _, name := range names {
		switch v := a.value(name).(type) {
		case string:
			if v != "" {
				return v
			}
		case int64:
			return strconv.FormatInt(v, 10)
		}
	}
	return ""
}

// number is the first that is there of several attributes, which may be texts.
func (a attributes) number(names ...string) (n float64, ok bool) {
	for _, name := range names {
		switch v := a.value(name).(type) {
		case int64:
			return float64(v), true
		case float64:
			return v, true
		case string:
			if n, err := strconv.ParseFloat(v, 64); err == nil {
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

func of(own []*proto.KeyValue, r *proto.Resource) attributes {
	return attributes{own, r.Get()}
}
