// Package wire is what team/client and team/server say to each other, declared
// once: paths, headers and the shapes of requests and answers. It is Supabase's
// protocol wherever Supabase has one, so that the same client works against a
// Supabase project; what begins with /cairn/ only cairn's server has.
// Nothing here does anything.
package wire

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
)

// TokenPrefix begins every token of CI, so that scanners of secrets find it.
const TokenPrefix = "cairn_ci_"

// DefaultListen is where cairn serve listens when nothing else is said.
const DefaultListen = "127.0.0.1:7373"
