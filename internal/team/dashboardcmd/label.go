package dashboardcmd

import (
	"context"

	"cairn/internal/team/db"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
)

// labels are those of the project itself: the copy has none, so that nobody reads
// one that was taken back.
type labels struct{ *link.Team }

func (l labels) Of(ctx context.Context, _ db.Identity, of wire.EvalLabel) ([]wire.EvalLabel, error) {
	return l.Client.Labels(ctx, of)
}

func (l labels) Set(ctx context.Context, _ db.Identity, label wire.EvalLabel, gone bool) error {
	return l.Client.SetLabel(ctx, label, gone)
}
