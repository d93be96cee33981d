package cli

import (
	"fmt"
	"strings"

	"cairn/internal/config"
	"cairn/internal/manual"
	"cairn/internal/team/result/reader"
)

// topics are what `cairn help TOPIC` prints, in the order of its list. What a
// table of the code knows is made of that table.
func topics() []manual.Topic {
	return []manual.Topic{
		exitTopic(),
		{Name: "environment", Short: "Variables that cairn reads", Rows: variables[:],
			Text: "A flag comes before a variable, a variable before a file. Every setting is a\nvariable too: cairn help settings."},
		settingsTopic(),
		{Name: "files", Short: "What cairn keeps, and where", Rows: keptFiles[:],
			Text: "~/.cairn is $CAIRN_HOME where that is set. What is under .cairn and .planning\nis the repository's."},
		{Name: "formats", Short: "Files that cairn reads and writes", Rows: formats(),
			Text: "What a file of results is, is decided by its content, never by its name."},
		{Name: "runs", Short: "How to name a run of an eval", Rows: runNames[:],
			Text: "Wherever RUN, A or B stands in the help of cairn eval:"},
	}
}

func exitTopic() manual.Topic {
	t := manual.Topic{Name: "exit-codes", Short: "What the exit code of every command means",
		Text: "cairn run ends as the command that it ran ended."}
	for _, c := range exitCodes {
		t.Rows = append(t.Rows, manual.Row{Name: fmt.Sprint(c.code), Means: c.means + "."})
	}
	return t
}

func settingsTopic() manual.Topic {
	t := manual.Topic{Name: "settings", Short: "Settings, their defaults and meaning",
		Text: "cairn config set KEY VALUE changes one in ~/.cairn/config.toml, cairn config\nexplain KEY says where its value comes from. Its variable is CAIRN_ and the key\nin capitals, _ for each dot: CAIRN_COMPACT_LEVEL."}
	for _, s := range config.Settings() {
		means := s.Doc
		if s.Default != "" {
			means += " Default: " + strings.ReplaceAll(s.Default, ",", ", ") + "."
		}
		t.Rows = append(t.Rows, manual.Row{Name: s.Key, Means: means})
	}
	return t
}

// variables are all that a person or a job of CI may set, but for those of
// settings. What cairn sets for its own children is not here.
var variables = [...]manual.Row{
	{Name: "CAIRN_HOME", Means: "The user's directory, in place of ~/.cairn."},
	{Name: "CAIRN_RAW", Means: "1: nothing is compacted, for one command or a whole shell."},
	{Name: "CAIRN_COMPACT_VERIFY", Means: "1: the verifier looks at every output that was cut."},
	{Name: "CAIRN_URL", Means: "The team's server, before what .cairn/team.json says: for CI."},
	{Name: "CAIRN_ACCESS_TOKEN", Means: "The token that CI signs in with (cairn team token create)."},
	{Name: "CAIRN_CI_EMAIL", Means: "The address that CI signs in with at a Supabase project."},
	{Name: "CAIRN_CI_PASSWORD", Means: "The password that goes with it."},
	{Name: "CAIRN_INSECURE_HTTP", Means: "1: a server on another machine may be reached without TLS."},
	{Name: "CAIRN_SIGNIN_PORT", Means: "The port on which a sign-in in the browser comes back."},
	{Name: "CAIRN_SYNC_BACKGROUND", Means: "0: nothing is left running; what waits is sent by the next cairn sync drain."},
	{Name: "CAIRN_DATABASE_URL", Means: "The PostgreSQL of cairn serve, and of cairn sync init --database."},
	{Name: "CAIRN_CHANNEL_URL", Means: "Where messages of a channel go, for cairn team alerts channel add."},
	{Name: "CAIRN_CHANNEL_SECRET", Means: "What a webhook's messages are signed with; one is made without it."},
	{Name: "CAIRN_SERVE_FLAG", Means: "A flag of cairn serve, its name in capitals, _ for each hyphen: CAIRN_SERVE_LISTEN."},
	{Name: "CAIRN_JWT_SECRET", Means: "Signs the server's access tokens, in place of the secret in its database; 32 bytes or more."},
	{Name: "CAIRN_METRICS_TOKEN", Means: "Who sends it may read the server's /metrics from another machine."},
	{Name: "CAIRN_SMTP_PASSWORD", Means: "Of the user at the server's mail server."},
	{Name: "CAIRN_PROVIDER_NAME_SECRET", Means: "The client secret of a provider of sign-ins, as CAIRN_PROVIDER_GITHUB_SECRET."},
	{Name: "LITESTREAM", Means: "1: Litestream copies the server's database, which then leaves its log alone."},
	{Name: "EVAL_LABEL", Means: "What to call the runs that are pushed, in place of the branch."},
	{Name: "EVAL_TIER", Means: "How much of a suite was run: quick, standard, full."},
	{Name: "EVAL_EMBEDDING_MODEL", Means: "Which model gives the embeddings of similar (default text-embedding-3-small)."},
	{Name: "EVAL_JUDGE_TIER", Means: "Which models judge: fast, standard, full (also haiku, sonnet, opus)."},
	{Name: "EVAL_CACHE", Means: "0 or off: cairn eval cache has nothing and keeps nothing."},
	{Name: "EVAL_CACHE_CLEAR", Means: "1: nothing is read from the cache, and all is written anew. A time: what is older than that."},
	{Name: "EVAL_JUDGE_CACHE", Means: "0 or off: judges are asked anew; their answers are kept."},
	{Name: "EVAL_VERBOSE", Means: "1: what judges were asked and answered is kept in ~/.cairn/log/evals."},
	{Name: "ANTHROPIC_API_KEY", Means: "For the verifier of cuts, and for judges."},
	{Name: "ANTHROPIC_BASE_URL", Means: "Where its requests go instead."},
	{Name: "OPENAI_API_KEY", Means: "For judges of OpenAI's protocol."},
	{Name: "OPENAI_BASE_URL", Means: "Where its requests go instead."},
	{Name: "BRAVE_API_KEY", Means: "For searches that cairn plan query websearch makes."},
	{Name: "GSD_WORKSTREAM", Means: "The workstream of cairn plan, as --ws."},
	{Name: "GSD_PROJECT", Means: "The project below .planning/ that cairn plan query reads."},
	{Name: "GSD_SESSION_KEY", Means: "Names the session that a chosen workstream is remembered for."},
	{Name: "GSD_SKIP_SCHEMA_CHECK", Means: "true: the gate on drift of the database's schema is passed over."},
	{Name: "GSD_JSON_ERRORS", Means: "1: cairn plan query writes its errors as JSON."},
	{Name: "GSD_AGENTS_DIR", Means: "Where cairn plan looks for installed roles."},
	{Name: "GITHUB_TOKEN", Means: "For cairn eval gate --comment and --check in GitHub Actions; GH_TOKEN if it is not set."},
	{Name: "GITLAB_TOKEN", Means: "For cairn eval gate --comment in GitLab CI: a project access token with the scope api."},
	{Name: "NO_COLOR", Means: "Any text: no color."},
	{Name: "CI", Means: "Any text: nothing is asked, no release is looked for."},
}

var keptFiles = [...]manual.Row{
	{Name: "~/.cairn/config.toml", Means: "Your settings."},
	{Name: "~/.cairn/trust/", Means: "Which of a repository's files you trust, by their SHA-256; cairn trust writes it."},
	{Name: "~/.cairn/bin/", Means: "The binary that hooks and prompts call; cairn install puts it there."},
	{Name: "~/.cairn/auth.json", Means: "Your sessions with servers, by their URL."},
	{Name: "~/.cairn/evals/", Means: "Runs of evals, a JSON file each."},
	{Name: "~/.cairn/records/", Means: "Retros, QA reports, releases and verdicts that were taken over from another tool, a file for each table."},
	{Name: "~/.cairn/eval-cache/", Means: "What cairn eval cache keeps, by suite."},
	{Name: "~/.cairn/eval-partials/", Means: "What parallel workers of a runner wrote, by suite."},
	{Name: "~/.cairn/judge-cache/", Means: "Answers of judges."},
	{Name: "~/.cairn/queue/", Means: "Records that no server has yet, a file each."},
	{Name: "~/.cairn/retros/", Means: "What was measured of a repository and sent, by its name."},
	{Name: "~/.cairn/ships.json", Means: "Which releases of git were queued for which team."},
	{Name: "~/.cairn/collected", Means: "What was collected of each repository for its team."},
	{Name: "~/.cairn/store/", Means: "What agents cost on this machine, and where their sessions stood; no word of them."},
	{Name: "~/.cairn/budgets.json", Means: "What agents may cost before you are alerted."},
	{Name: "~/.cairn/store/teams/", Means: "Copies of what you may see of your teams' rows, a database each."},
	{Name: "~/.cairn/sync.log", Means: "A line for each sync; never a secret."},
	{Name: "~/.cairn/compact/rules/", Means: "Your rules of compaction."},
	{Name: "~/.cairn/compact/reads/", Means: "What each session was shown of files, as hashes of lines, for two days."},
	{Name: "~/.cairn/compact/tee/", Means: "Raw outputs of the last days, for cairn compact show."},
	{Name: "~/.cairn/compact/usage.jsonl", Means: "The account of what compaction did; the part before it is usage.jsonl.1, each of up to 32 MiB."},
	{Name: "~/.cairn/prove/", Means: "Worktrees in which cairn plan prove runs, while it runs."},
	{Name: "~/.cairn/log/", Means: "What hooks could not do, what judges said, and the server that cairn up started."},
	{Name: "~/.cairn/install/", Means: "What cairn install wrote, so that uninstall takes out just that."},
	{Name: "~/.cairn/prices.toml", Means: "What models cost, where the built-in table is not right."},
	{Name: "~/.cairn/server/", Means: "The embedded database of cairn serve."},
	{Name: ".cairn/team.json", Means: "The repository's team: its server and name. Committed."},
	{Name: ".cairn/config.toml", Means: "The project's settings, once you trust them; it cannot set what would serve a stranger. Committed."},
	{Name: ".cairn/rules/", Means: "The project's rules of compaction. Committed."},
	{Name: ".cairn/eval-policy.toml", Means: "What cairn eval gate asks of a run. Committed."},
	{Name: ".cairn/judge-profiles.yaml", Means: "Who judges, and how. Committed."},
	{Name: ".cairn/prices.toml", Means: "Prices of models for this project. Committed."},
	{Name: ".cairn/team-cache/", Means: "What cairn sync pull brought, as JSON for other programs; git ignores it."},
	{Name: ".planning/", Means: "The plan: Markdown, and config.json."},
}

func formats() []manual.Row {
	return []manual.Row{
		{Name: "results, in", Means: "cairn eval push reads " + reader.Formats + "."},
		{Name: "results, out", Means: "cairn eval schema prints the format as JSON Schema; cairn eval show --json a run in it."},
		{Name: "cases", Means: "cairn eval cases reads YAML; cairn eval cases lint checks it, and cairn eval cases types lists the expectations."},
		{Name: "policy", Means: "cairn eval gate reads .cairn/eval-policy.toml."},
		{Name: "rules", Means: "cairn compact new-rule drafts one as JSON; cairn compact verify checks them."},
		{Name: "settings", Means: "TOML; a key that is not known is warned of, with its line."},
		{Name: "plan", Means: "Markdown with YAML frontmatter; cairn plan template prints the documents."},
		{Name: "--json", Means: "One JSON value, or one on each line for a list. Members are added, never renamed."},
		{Name: "--junit, --markdown", Means: "What cairn eval gate writes for CI."},
	}
}

var runNames = [...]manual.Row{
	{Name: "FILE", Means: "A file of results; - is stdin."},
	{Name: "an id", Means: "Or its beginning, as cairn eval list shows it. Only an id names a run of another repository."},
	{Name: "a label", Means: "The newest run of that label; label~1 is the one before."},
	{Name: "a suite", Means: "The newest run of that suite."},
	{Name: "@BRANCH", Means: "The newest run of a branch: @main."},
	{Name: "a commit", Means: "Seven digits or more of its hash."},
	{Name: "latest", Means: "The newest run of HEAD's commit. Outside of a git repository: of all."},
	{Name: "previous", Means: "The run before, of the same label and suite."},
	{Name: "merge-base", Means: "The newest run of the commit where the branch began, or of one before."},
}
