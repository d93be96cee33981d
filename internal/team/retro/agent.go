package retro

import "strings"

// An agentSign is how an agent's commits can be known: by a word of its name or
// by its address. What stands here was seen in trailers and authors of public
// repositories.
type agentSign struct {
	name  string // what it is called here
	word  string // the name begins with it, as a word, in lower case
	email string // the address ends with it, in lower case
}

var agentSigns = [...]agentSign{
	{"Claude", "claude", "@anthropic.com"},
	{"Copilot", "copilot", "+copilot@users.noreply.github.com"},
	{"Copilot", "github copilot", "copilot@github.com"},
	{"Copilot", "copilot-swe-agent", ""},
	{"Cursor", "cursor", "@cursor.com"},
	{"Cursor", "cursor agent", "cursoragent@cursor.com"},
	{"Codex", "codex", "@openai.com"},
	{"Codex", "chatgpt-codex-connector", ""},
	{"Gemini", "gemini", "gemini-code-assist@google.com"},
	{"Gemini", "gemini-code-assist", "+gemini-cli@users.noreply.github.com"},
	{"Jules", "google-labs-jules", ""},
	{"Devin", "devin-ai-integration", "@cognition.ai"},
	{"Devin", "devin ai", "@devin.ai"},
	{"Aider", "aider", "@aider.chat"},
	{"opencode", "opencode", "@opencode.ai"},
	{"Amp", "amp", "@ampcode.com"},
	{"Crush", "crush", "@charm.land"},
	{"OpenHands", "openhands", "@all-hands.dev"},
	{"Cline", "cline", "@cline.bot"},
	{"Windsurf", "windsurf", "@codeium.com"},
	{"Warp", "warp", "agent@warp.dev"},
	{"Qwen", "qwen-coder", "qwen-coder@alibabacloud.com"},
	{"Kiro", "kiro", "@kiro.dev"},
	{"Factory", "factory-droid", "droid@factory.ai"},
	{"Sweep", "sweep-ai", ""},
}

// nameOnly are the agents whose name alone is a sign: no person is called so.
// The others are also words and names of people, and need their address, or that
// there is none.
func nameOnly(word string) bool {
	switch word {
	case "claude", "cursor", "gemini", "amp", "crush", "warp", "cline", "kiro", "codex":
		return false
	}
	return true
}

// agentName is what an agent is called, "" for who is none.
func agentName(name, email string) string {
	name, email = strings.ToLower(name), strings.ToLower(email)
	name, app := strings.CutSuffix(name, "[bot]")
	for _, sign := range agentSigns {
		if sign.email != "" && strings.HasSuffix(email, sign.email) && (sign.email[0] != '@' || noReply(email, sign) || beginsWith(name, sign.word)) {
			return sign.name
		}
		if beginsWith(name, sign.word) && (nameOnly(sign.word) || email == "" || app) {
			return sign.name
		}
	}
	return ""
}

// noReply reports an address that nobody reads: those who work for who makes an
// agent have addresses there, too.
func noReply(email string, sign agentSign) bool {
	local, _, _ := strings.Cut(email, "@")
	local = strings.ReplaceAll(local, "-", "")
	return local == "noreply" || local == "agent" || local == "bot" || local == sign.word
}

// beginsWith reports whether name is word or goes on after it with no letter.
func beginsWith(name, word string) bool {
	rest, ok := strings.CutPrefix(name, word)
	return ok && (rest == "" || (rest[0] < 'a' || rest[0] > 'z') && rest[0] < 0x80)
}

// botNames are bots that do not say so in their name.
var botNames = [...]string{
	"dependabot", "dependabot-preview", "renovate", "github-actions", "github actions", "greenkeeper", "semantic-release", "mergify",
	"codecov", "allcontributors", "pre-commit-ci", "copybara-service", "copybara service", "weblate", "hosted weblate",
	"bors", "homu", "snyk", "pyup.io", "imgbot", "k8s-ci-robot", "gopherbot", "goreleaser", "gitlab ci", "azure pipelines", "travis ci",
	"release-please", "crowdin", "transifex", "web-flow",
}

// sortOf tells people, agents and bots apart.
func sortOf(name, email string) nature {
	if agentName(name, email) != "" {
		return agent
	}
	name, email = strings.ToLower(name), strings.ToLower(email)
	local, _, _ := strings.Cut(email, "@")
	for _, text := range [...]string{name, local} {
		for _, end := range [...]string{"[bot]", "-bot", "_bot", " bot", "-robot"} {
			if strings.HasSuffix(text, end) {
				return bot
			}
		}
	}
	for _, known := range botNames {
		if name == known || local == known {
			return bot
		}
	}
	return human
}
