package wire

import "github.com/google/uuid"

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
