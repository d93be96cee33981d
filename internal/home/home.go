// Package home is every path and file mode that cairn uses, in one place.
//
// It is a leaf: every package may import it and it imports none of ours. It
// only names paths; it never creates, reads or writes anything.
package home

import (
	"os"
	"path/filepath"
	"strconv"
)

// Modes. What may hold a secret or a tool's output is for its owner only.
const (
	PrivateDir  os.FileMode = 0o700 // the user's directory and everything in it
	PrivateFile os.FileMode = 0o600
	SharedDir   os.FileMode = 0o755 // what is committed with a repository
	SharedFile  os.FileMode = 0o644
	Executable  os.FileMode = 0o755
)

// Probe is the variable that tells a hook that it is only tried out: what it
// does then is not counted as an agent's call.
const Probe = "CAIRN_PROBE"

// A Home is the user's directory, ~/.cairn or $CAIRN_HOME.
type Home string

// Find returns the user's directory by the environment. An environment
// without a home directory gives a path of this user's own in the system's
// temporary directory, so that a hook in a bare container still works.
func Find(getenv func(string) string) Home {
	if dir := getenv("CAIRN_HOME"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return Home(abs)
		}
		return Home(dir)
	}
	if dir := UserDir(getenv); dir != "" {
		return Home(filepath.Join(dir, ".cairn"))
	}
	return Home(filepath.Join(os.TempDir(), "cairn-"+strconv.Itoa(os.Getuid())))
}

// UserDir returns the directory that agents keep their own files under, or ""
// when the environment names none.
func UserDir(getenv func(string) string) string {
	if dir := getenv("HOME"); dir != "" {
		return dir
	}
	return getenv("USERPROFILE")
}

func (h Home) join(elem ...string) string {
	return filepath.Join(append([]string{string(h)}, elem...)...)
}

func (h Home) BinDir() string      { return h.join("bin") }
func (h Home) Config() string      { return h.join("config.toml") }
func (h Home) Rules() string       { return h.join("compact", "rules") }
func (h Home) FailedRules() string { return h.join("compact", "failed") }
func (h Home) Tee() string         { return h.join("compact", "tee") }
func (h Home) Usage() string       { return h.join("compact", "usage.jsonl") }
func (h Home) Benchmark() string   { return h.join("compact", "benchmark") }
func (h Home) Calls() string       { return h.join("compact", "calls") }
func (h Home) Reads() string       { return h.join("compact", "reads") }
func (h Home) Verifier() string    { return h.join("compact", "verifier") }

// Proofs holds the working trees of proofs that run, a directory for each repository.
func (h Home) Proofs() string { return h.join("prove") }

// Trust holds what the person trusts of repositories, a file for each.
func (h Home) Trust() string { return h.join("trust") }

// Fired is a file whose time says when the agent of this name last called us.
func (h Home) Fired(agent string) string { return h.join("compact", "fired", agent) }

// Update is what was found when a newer version was last looked for.
func (h Home) Update() string { return h.join("update.json") }

func (h Home) HookLog() string   { return h.join("log", "hook.log") }
func (h Home) Manifests() string { return h.join("install") }

// InstallTexts holds every text that install wrote and may have to know again,
// by its SHA-256; InstallEdited what users made of them, by the time when
// theirs made room; InstallLock keeps two installs apart.
func (h Home) InstallTexts() string  { return h.join("install", "texts") }
func (h Home) InstallEdited() string { return h.join("install", "edited") }
func (h Home) InstallLock() string   { return h.join("install", "lock") }

// Evals holds results, EvalLive what runners tell of runs in progress,
// EvalWatch who shows them, EvalLabels what people say of answers, by run;
// EvalPartials what parallel workers wrote, by suite;
// EvalCache and JudgeCache the caches, by suite; Queue the records that no
// server has yet.
func (h Home) Evals() string        { return h.join("evals") }
func (h Home) EvalLive() string     { return h.join("evals", "live") }
func (h Home) EvalWatch() string    { return h.join("evals", "watch") }
func (h Home) EvalLabels() string   { return h.join("evals", "labels") }
func (h Home) EvalPartials() string { return h.join("eval-partials") }
func (h Home) EvalCache() string    { return h.join("eval-cache") }
func (h Home) JudgeCache() string   { return h.join("judge-cache") }
func (h Home) Queue() string        { return h.join("queue") }

// Records holds a copy of what was recorded on this machine beside runs of evals,
// a file for each of the team's tables.
func (h Home) Records() string { return h.join("records") }

// Server holds the embedded database of cairn serve, ServerLog what the one says
// that cairn up started. UpLock keeps two that start or stop it apart.
func (h Home) Server() string    { return h.join("server") }
func (h Home) ServerLog() string { return h.join("log", "server.log") }
func (h Home) UpLock() string    { return h.join("up.lock") }

// Replicas holds copies of teams' rows, by team and person.
func (h Home) Replicas() string { return h.join("store", "teams") }

// OldMirror is where older versions had such copies.
func (h Home) OldMirror() string { return h.join("mirror") }

// Auth holds the sessions with servers of teams, AuthLock keeps two processes
// that change it apart; DrainLock is held by who delivers the queue; SyncLog has
// a line per operation.
func (h Home) Auth() string      { return h.join("auth.json") }
func (h Home) AuthLock() string  { return h.join("auth.lock") }
func (h Home) DrainLock() string { return h.join("drain.lock") }
func (h Home) SyncLog() string   { return h.join("sync.log") }

// Transcripts says up to where sessions were shared, by source and repository;
// Migrated what of before there was a team was queued for it.
func (h Home) Transcripts() string { return h.join("transcripts.json") }
func (h Home) Migrated() string    { return h.join("migrated.json") }

// Collected says what was collected of each repository for its team.
func (h Home) Collected() string { return h.join("collected") }

// Retros holds what was measured of a repository and sent, by its name; Ships
// says which ships of git were queued for which team.
func (h Home) Retros(repo string) string { return h.join("retros", repo) }
func (h Home) Ships() string             { return h.join("ships.json") }

// EvalLogs holds what was asked of judges and answered, while EVAL_VERBOSE is
// set; Prices what models cost where neither the built-in table nor the
// repository's is right.
func (h Home) EvalLogs() string { return h.join("log", "evals") }
func (h Home) Prices() string   { return h.join("prices.toml") }

// Store is the machine's own database, of what agents cost; Marks where their
// sessions stood, as hooks saw it.
func (h Home) Store() string { return h.join("store", "cairn.db") }
func (h Home) Marks() string { return h.join("store", "marks.jsonl") }

// Budgets is what agents may cost; SpendNow what they had cost when that was last
// added up, SpendTold which alerts were given, SpendAsked a file whose time says when
// a hook last had it added up.
func (h Home) Budgets() string    { return h.join("budgets.json") }
func (h Home) SpendNow() string   { return h.join("store", "now.json") }
func (h Home) SpendTold() string  { return h.join("store", "told.json") }
func (h Home) SpendAsked() string { return h.join("store", "asked") }

// A Repo is the root of a repository; its cairn files are in .cairn.
type Repo string

// FindRepo returns the nearest directory at or above dir that holds .cairn or
// .git, or "" when there is none. The user's own directory is no such mark: it
// would make a repository of everything under their home.
func FindRepo(dir string, getenv func(string) string) Repo {
	for dir != "" {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return Repo(dir)
		}
		if fi, err := os.Stat(filepath.Join(dir, ".cairn")); err == nil && !isUsers(fi, getenv) {
			return Repo(dir)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	return ""
}

// isUsers reports whether a .cairn is the user's directory: the one in use, or
// the one in their home that is not while CAIRN_HOME names another.
func isUsers(dir os.FileInfo, getenv func(string) string) bool {
	for _, h := range []string{string(Find(getenv)), filepath.Join(UserDir(getenv), ".cairn")} {
		if fi, err := os.Stat(h); err == nil && filepath.IsAbs(h) && os.SameFile(fi, dir) {
			return true
		}
	}
	return false
}

func (r Repo) join(elem ...string) string {
	return filepath.Join(append([]string{string(r), ".cairn"}, elem...)...)
}

// EvalPolicy is what the gate asks of a run, JudgeProfiles who judges, Prices
// what models cost where the built-in table is not right.
func (r Repo) EvalPolicy() string    { return r.join("eval-policy.toml") }
func (r Repo) JudgeProfiles() string { return r.join("judge-profiles.yaml") }
func (r Repo) Prices() string        { return r.join("prices.toml") }

func (r Repo) Team() string      { return r.join("team.json") }
func (r Repo) Config() string    { return r.join("config.toml") }
func (r Repo) Rules() string     { return r.join("rules") }
func (r Repo) Ignore() string    { return r.join(".gitignore") }
func (r Repo) TeamCache() string { return r.join("team-cache") }
