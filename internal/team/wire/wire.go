// Package wire is what team/client and team/server say to each other, declared
// once: paths, headers and the shapes of requests and answers. It is Supabase's
// protocol wherever Supabase has one, so that the same client works against a
// Supabase project; what begins with /cairn/ only cairn's server has.
// Nothing here does anything.
package wire

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// Paths.
const (
	Rest = "/rest/v1/" // + a table
	RPC  = "/rest/v1/rpc/"
	Auth = "/auth/v1/"

	PushEvalRun  = RPC + "push_eval_run"
	PushEvalPart = RPC + "push_eval_part"
	CreateTeam   = RPC + "create_team"
	TeamPulse    = RPC + "team_pulse"
	TeamPeople   = RPC + "team_people"
	InviteMember = RPC + "invite_member"
	AcceptInvite = RPC + "accept_invite"

	Tokens      = "/cairn/v1/tokens"       // tokens of CI: GET lists, POST makes, DELETE /ID revokes
	TokenGitHub = "/cairn/v1/token/github" // POST: GitHub's OIDC token for one of ours
	TokenGitLab = "/cairn/v1/token/gitlab" // POST: GitLab's, alike
	Claim       = "/cairn/v1/claim"        // POST: the first start's one-time link makes the first owner
	Enter       = "/cairn/v1/enter"        // POST: an address that signs a browser in, once; [Entry]
	Digest      = "/cairn/v1/digest"       // GET ?team_id=: the digest of the last seven days; [Digested]
	Server      = "/cairn/v1/server"       // GET: what the server is, which ways to sign in it has
	Own         = "/cairn/v1/own"          // of who runs the server on this machine: GET tells which process it is, DELETE ends it
	ConfirmMail = "/mail/confirm"          // a page: the receiver of a mail channel confirms, or refuses
	Healthy     = "/healthz"
	Ready       = "/readyz"
	Metrics     = "/metrics"

	OTLP = "/v1/" // POST logs, metrics and traces of OpenTelemetry
)

// TeamHeader names the team, by slug or id, that telemetry is of, where its sender is in several.
const TeamHeader = "X-Cairn-Team"

// RepoHeader and BranchHeader say where an agent runs whose telemetry does not.
const (
	RepoHeader   = "X-Cairn-Repo"
	BranchHeader = "X-Cairn-Branch"
)

// TokenPrefix begins every token of CI, so that scanners of secrets find it.
const TokenPrefix = "cairn_ci_"

// DefaultListen is where cairn serve listens when nothing else is said.
const DefaultListen = "127.0.0.1:7373"

// NewOwner is the body of [Claim]: who has the token of a server's first start
// becomes its first user. The answer is a [Session].
type NewOwner struct {
	Token string `json:"token"`
	Email string `json:"email"`
}

// An Entry is the answer to [Enter].
type Entry struct {
	URL string `json:"url"` // works once, for five minutes; &next=/t/TEAM/VIEW may be added
}

// Process answers [Own]: what the process that serves is.
type Process struct {
	PID     int    `json:"pid"`
	Version string `json:"version"`
	AnonKey string `json:"anon_key"`
}

// About answers Server.
type About struct {
	Name    string   `json:"name"` // cairn
	Version string   `json:"version"`
	SignIn  []string `json:"sign_in"`           // ways to: password, magiclink, invite, and names of providers
	Signup  bool     `json:"signup"`            // strangers may
	AnonKey string   `json:"anon_key,omitzero"` // the public key, for .cairn/team.json
}

// Digested answers a GET of Digest.
type Digested struct {
	Markdown string         `json:"markdown"`
	Data     jsontext.Value `json:"data"` // what a webhook gets of it
}

// What holds a token says in print only what it is: a log line or an error that
// somebody adds one day must not give it away. JSON has it.

// Format implements [fmt.Formatter].
func (s Session) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "session of %s", s.User.Email) }

// Format implements [fmt.Formatter].
func (t Token) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "token %s…", t.Prefix) }

// Format implements [fmt.Formatter].
func (n NewOwner) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "claim of %s", n.Email) }

// Format implements [fmt.Formatter].
func (g GitHubToken) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "workflow's token for %q", g.Team) }

// Paths of what owners do with their team as a whole. A team is named by its id,
// its slug, or a slug that it had before.
const (
	// Teams + TEAM: GET says which team it is, to its members; [Team]. Its owners
	// change it by PATCH, [TeamChange], and delete it by DELETE ?confirm=SLUG, which
	// answers 200 when all of it is gone and 202 before; [Deletion].
	// Teams + TEAM + "/export": GET answers with a ZIP archive, see docs/export.md;
	// ?person=ADDRESS, or me, leaves out what is not that member's.
	Teams = "/cairn/v1/teams/"
	// Deletions + ID: GET says, to whoever has the id of a deletion, whether all is gone.
	Deletions = "/cairn/v1/deletions/"
)

// QuotaHeader is the header of an answer that says by which limit of the team a
// request was refused: rows, bytes, channels or invitations.
const QuotaHeader = "Cairn-Quota"

// A Quota is a limit of a team and how much of it is used: Teams + TEAM +
// "/quota" lists them to its owners and admins.
type Quota struct {
	Kind  string `json:"kind"` // rows, bytes, messages, channels, invitations
	Used  int64  `json:"used"`
	Limit int64  `json:"limit"` // 0 is none
	Own   bool   `json:"own"`   // it was set for this team
}

// A Team as its members see it.
type Team struct {
	ID   uuid.UUID `json:"id"`
	Slug string    `json:"slug"`
	Name string    `json:"name"`
	Role string    `json:"role"` // of whoever asks
}

// A TeamChange is the body of PATCH; what is not given stays.
type TeamChange struct {
	Slug string `json:"slug,omitzero"`
	Name string `json:"name,omitzero"`
}

// A Deletion of a team. Nobody is in the team any more, also before it is done.
type Deletion struct {
	ID   uuid.UUID `json:"id"`
	Done bool      `json:"done"` // nothing of the team is left
}

// MostSlug is how many bytes a team's slug may have.
const MostSlug = 50
