package config

import (
	"fmt"
	"slices"
	"strings"
)

// The keys of the settings, for Config.Bool and the like.
const (
	CompactEnabled   = "compact.enabled"
	CompactLevel     = "compact.level"
	CompactExclude   = "compact.exclude_commands"
	CompactRegexMS   = "compact.regex.per_rule_timeout_ms"
	CompactTeeOnExit = "compact.tee.on_exit"
	CompactTeeBytes  = "compact.tee.max_bytes"
	CompactTeeRedact = "compact.tee.redact_patterns"
	CompactTeeDays   = "compact.tee.cleanup_days"
	CompactShimTools = "compact.shim.tools"
	CompactReads     = "compact.repeat_reads"
	CompactOutline   = "compact.outline_reads"

	VerifierEnabled    = "compact.verifier.enabled"
	VerifierModel      = "compact.verifier.model"
	VerifierFailure    = "compact.verifier.trigger_failure_compaction"
	VerifierAggressive = "compact.verifier.trigger_aggressive_reduction"
	VerifierNoMatch    = "compact.verifier.trigger_large_no_match"
	VerifierByText     = "compact.verifier.failure_signal_fallback"
	VerifierLines      = "compact.verifier.max_input_lines"

	BenchmarkRoot = "compact.benchmark.transcript_root"
	BenchmarkDir  = "compact.benchmark.output_dir"
	BenchmarkCap  = "compact.benchmark.scenario_cap"

	UpdateCheck = "update_check"
	SyncEnabled = "sync_enabled"

	SyncTranscripts = "sync_transcripts"
	SyncPlanText    = "sync_plan_text"
	SyncSpend       = "sync_spend"
	StepProves      = "plan.step_proves"

	SpendStatusLine = "spend.status_line"
)

// A Setting declares one key. A new one is a row in settings and nothing else.
type Setting struct {
	Key      string
	Kind     Kind
	Default  string // as the environment would say it
	Env      string // CAIRN_ and the key in upper case, . as _
	Allowed  []string
	Min, Max int
	ByUser   bool // a project's file may not set it
	Doc      string
}

// settings are all there are, in the order `config list` shows. Whatever a
// repository could use against the person who clones it is ByUser.
var settings = []Setting{
	{
		Key: CompactEnabled, Kind: Bool, Default: "true", Env: "CAIRN_COMPACT_ENABLED",
		Doc: "Compact tool output at all; CAIRN_RAW=1 says no for one command.",
	},
	{
		Key: CompactLevel, Kind: Enum, Default: "normal", Env: "CAIRN_COMPACT_LEVEL",
		Allowed: []string{"minimal", "normal", "aggressive"},
		Doc:     "How much is cut: minimal filters and folds repeats, normal also truncates and counts, aggressive also groups.",
	},
	{
		Key: CompactExclude, Kind: List, Env: "CAIRN_COMPACT_EXCLUDE_COMMANDS",
		Doc: `Commands whose output is never touched, each by its first words, such as "curl" or "git show".`,
	},
	{
		Key: CompactRegexMS, Kind: Int, Default: "50", Env: "CAIRN_COMPACT_REGEX_PER_RULE_TIMEOUT_MS", Min: 1, Max: 10_000,
		Doc: "Milliseconds that the patterns of one rule may take on one output before they are left out.",
	},
	{
		Key: CompactTeeOnExit, Kind: Enum, Default: "nonzero", Env: "CAIRN_COMPACT_TEE_ON_EXIT",
		Allowed: []string{"nonzero", "always", "never"},
		Doc:     "Which raw outputs are stored for `cairn compact show`: nonzero and always mean every output that was cut.",
	},
	{
		Key: CompactTeeBytes, Kind: Int, Default: "33554432", Env: "CAIRN_COMPACT_TEE_MAX_BYTES", Min: 1024, Max: 1 << 30,
		Doc: "Largest stored output in bytes; of a longer one the beginning and the end are stored.",
	},
	{
		Key: CompactTeeRedact, Kind: List, Env: "CAIRN_COMPACT_TEE_REDACT_PATTERNS", ByUser: true,
		Default: "aws,github,gitlab,slack,jwt,bearer,ssh-private-key,google,stripe,npm,pypi,anthropic,openai,url,password",
		Allowed: []string{"aws", "github", "gitlab", "slack", "jwt", "bearer", "ssh-private-key", "google", "stripe", "npm", "pypi", "anthropic", "openai", "url", "password"},
		Doc:     "Kinds of secret that are taken out of what is stored.",
	},
	{
		Key: CompactTeeDays, Kind: Int, Default: "7", Env: "CAIRN_COMPACT_TEE_CLEANUP_DAYS", Min: 1, Max: 3650,
		Doc: "Days after which a stored output is removed.",
	},
	{
		Key: CompactShimTools, Kind: List, Env: "CAIRN_COMPACT_SHIM_TOOLS", ByUser: true,
		Doc: "Has no effect: whatever fails in the agent's shell is compacted.",
	},
	{
		Key: CompactReads, Kind: Bool, Default: "true", Env: "CAIRN_COMPACT_REPEAT_READS",
		Doc: "Leave out of a repeated Read the lines that the model has in its context. Needs an agent that reports when the context is replaced: Claude Code.",
	},
	{
		Key: CompactOutline, Kind: Bool, Default: "false", Env: "CAIRN_COMPACT_OUTLINE_READS",
		Doc: "Show of a file of 8 KB or more, when it is read for the first time, its start and an outline with line numbers; a second Read shows all. Needs compact.repeat_reads. No experiment with a model has shown that this does no harm.",
	},
	{
		Key: VerifierEnabled, Kind: Bool, Default: "false", Env: "CAIRN_COMPACT_VERIFIER_ENABLED", ByUser: true,
		Doc: "The LLM check: send lines of some outputs, secrets removed, to a model that finds what was left out and should not have been. It needs ANTHROPIC_API_KEY, too.",
	},
	{
		Key: VerifierModel, Kind: Text, Default: "claude-haiku-4-5-20251001", Env: "CAIRN_COMPACT_VERIFIER_MODEL", ByUser: true,
		Doc: "The model that is asked.",
	},
	{
		Key: VerifierFailure, Kind: Bool, Default: "true", Env: "CAIRN_COMPACT_VERIFIER_TRIGGER_FAILURE_COMPACTION", ByUser: true,
		Doc: "Ask when a command failed and more than 50 % of its lines were left out.",
	},
	{
		Key: VerifierAggressive, Kind: Bool, Default: "false", Env: "CAIRN_COMPACT_VERIFIER_TRIGGER_AGGRESSIVE_REDUCTION", ByUser: true,
		Doc: "Ask when more than 80 % of more than 200 lines were left out.",
	},
	{
		Key: VerifierNoMatch, Kind: Bool, Default: "false", Env: "CAIRN_COMPACT_VERIFIER_TRIGGER_LARGE_NO_MATCH", ByUser: true,
		Doc: "Ask about more than 500 lines that no rule is for.",
	},
	{
		Key: VerifierByText, Kind: Bool, Default: "true", Env: "CAIRN_COMPACT_VERIFIER_FAILURE_SIGNAL_FALLBACK", ByUser: true,
		Doc: "Where no exit code tells of a failure, let the output tell.",
	},
	{
		Key: VerifierLines, Kind: Int, Default: "2000", Env: "CAIRN_COMPACT_VERIFIER_MAX_INPUT_LINES", Min: 20, Max: 20_000, ByUser: true,
		Doc: "Lines of an output that are sent, secrets taken out; of a longer one both ends.",
	},
	{
		Key: BenchmarkRoot, Kind: Text, Env: "CAIRN_COMPACT_BENCHMARK_TRANSCRIPT_ROOT", ByUser: true,
		Doc: "Directory of the transcripts that the benchmark reads; empty means those of every agent it knows.",
	},
	{
		Key: BenchmarkDir, Kind: Text, Env: "CAIRN_COMPACT_BENCHMARK_OUTPUT_DIR", ByUser: true,
		Doc: "Directory in which the benchmark replaces latest/; empty means compact/benchmark in cairn's own.",
	},
	{
		Key: BenchmarkCap, Kind: Int, Default: "20", Env: "CAIRN_COMPACT_BENCHMARK_SCENARIO_CAP", Min: 1, Max: 1000,
		Doc: "Scenarios of the benchmark at most, those with the most output.",
	},
	{
		Key: UpdateCheck, Kind: Bool, Default: "false", Env: "CAIRN_UPDATE_CHECK", ByUser: true,
		Doc: "Look for a newer release once a day, when a session begins: one request that says nothing about you. A build from source never does, nor does one in CI; cairn update looks when you run it.",
	},
	{
		Key: SpendStatusLine, Kind: Bool, Default: "true", Env: "CAIRN_SPEND_STATUS_LINE", ByUser: true,
		Doc: "Show in the agent's status line what agents cost today and in this five-hour block, as `cairn spend` last added it up.",
	},
	{
		Key: StepProves, Kind: Bool, Default: "false", Env: "CAIRN_PLAN_STEP_PROVES", ByUser: true,
		Doc: "Let `cairn plan step` run the commands of a plan's <verify> itself. They run with your permissions, and whoever writes the plan chooses them, an agent too; without it the step says to run `cairn plan prove`, for which the agent asks you.",
	},
	{
		Key: SyncEnabled, Kind: Bool, Default: "false", Env: "CAIRN_SYNC_ENABLED", ByUser: true,
		Doc: "Keep a copy of each record in ~/.cairn/queue for the team's server, in repositories with a .cairn/team.json.",
	},
	{
		Key: SyncTranscripts, Kind: Bool, Default: "false", Env: "CAIRN_SYNC_TRANSCRIPTS", ByUser: true,
		Doc: "Let `cairn sync push-transcript` share what was said in sessions with an agent; nothing is taken out. You and the team's admins can read it.",
	},
	{
		Key: SyncPlanText, Kind: Bool, Default: "false", Env: "CAIRN_SYNC_PLAN_TEXT", ByUser: true,
		Doc: "Let `cairn sync collect` and `cairn up` share what the plan says: decisions with who made them, requirements and blockers, known secrets taken out. Everybody in the team can read it.",
	},
	{
		Key: SyncSpend, Kind: Bool, Default: "false", Env: "CAIRN_SYNC_SPEND", ByUser: true,
		Doc: "Let `cairn sync collect` share what your agents cost in a repository with its team: tokens and dollars by day, session, branch, commit, pull request and model, and no word of what was said. `cairn up` tells this machine's own server without it.",
	},
}

// Settings returns the declarations in the order of the table.
func Settings() []Setting { return slices.Clone(settings) }

// Find returns the setting of key. Its error says which key could be meant.
func Find(key string) (Setting, error) {
	for _, s := range settings {
		if s.Key == key {
			return s, nil
		}
	}
	return Setting{}, unknown(key)
}

// ErrUnknown is in the error for a key that no setting has.
var ErrUnknown = error(&mistake{"no such setting", "cairn config list shows every setting"})

// A mistake is an error with what to do about it.
type mistake struct{ text, hint string }

func (m *mistake) Error() string { return m.text }
func (m *mistake) Hint() string  { return m.hint }

// retired are keys that files have from earlier versions and that nothing reads:
// each could say only what is so.
var retired = [...]string{"compact.benchmark.local_only", "compact.verifier.sanitization"}

func unknown(key string) error {
	if slices.Contains(retired[:], key) {
		return fmt.Errorf("%w any more: it has no effect", ErrUnknown)
	}
	leaf := key[strings.LastIndexByte(key, '.')+1:]
	for _, s := range settings {
		if strings.HasSuffix(s.Key, "."+leaf) || strings.HasPrefix(s.Key, key+".") {
			return fmt.Errorf("%w, did you mean %s", ErrUnknown, s.Key)
		}
	}
	return ErrUnknown
}
