package dashboardcmd

import (
	"context"

	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// labels are those of the project itself: the copy has none, so that nobody reads
// one that was taken back.
type labels struct{ *client.Client }

func (l labels) Of(ctx context.Context, _ db.Identity, of wire.EvalLabel) ([]wire.EvalLabel, error) {
	return l.Labels(ctx, of)
}

func (l labels) Set(ctx context.Context, _ db.Identity, label wire.EvalLabel, gone bool) error {
	return l.SetLabel(ctx, label, gone)
}
