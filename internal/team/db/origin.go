package db

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
)

// An Origin is who asks for what a transaction writes, and from where: the
// triggers of the audit log take it from there. The zero value is the server's own work.
type Origin struct {
	Actor   string    `json:"actor,omitzero"` // see the constants
	User    uuid.UUID `json:"user,omitzero"`
	Token   uuid.UUID `json:"token,omitzero"` // of CI
	Address string    `json:"address,omitzero"`
	// Quiet keeps triggers from writing entries: the caller writes one for all.
	Quiet bool `json:"quiet,omitzero"`
}

// Actors of an audit entry. An update without an origin is the server's.
const (
	ActorUser      = "user"
	ActorToken     = "token"
	ActorService   = "service" // the service key
	ActorOperator  = "operator"
	ActorServer    = "server"
	ActorAnonymous = "anonymous" // a request of nobody who is known
)

type originKey struct{}

// WithOrigin returns a context whose updates have an origin. It is kept as a
// pointer: who asks is known later than from where, see [Origin.Is].
func WithOrigin(ctx context.Context, o *Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns the origin of a context, nil where it has none.
func OriginOf(ctx context.Context) *Origin {
	o, _ := ctx.Value(originKey{}).(*Origin)
	return o
}

// Quiet returns a context whose updates are not in the audit log unless the
// caller writes entries itself.
func Quiet(ctx context.Context) context.Context {
	var o Origin
	if was := OriginOf(ctx); was != nil {
		o = *was
	}
	o.Quiet = true
	return WithOrigin(ctx, &o)
}

// Is says who asks, as soon as that is known. A nil origin stays one.
func (o *Origin) Is(as Identity) {
	if o == nil {
		return
	}
	switch {
	case as.Token != uuid.Nil:
		o.Actor, o.User, o.Token = ActorToken, as.User, as.Token
	case as.User != uuid.Nil:
		o.Actor, o.User = ActorUser, as.User
	case as.Role == Service:
		o.Actor = ActorService
	}
}

// origin is that of an update: the context's, completed by whom it runs as.
func origin(ctx context.Context, as Identity) Origin {
	var o Origin
	if known := OriginOf(ctx); known != nil {
		o = *known
	}
	if o.User == uuid.Nil && o.Actor != ActorOperator {
		o.Is(as)
	}
	return o
}

// setting is the origin as PostgreSQL's triggers read it, "" for none.
func (o Origin) setting() string {
	if o == (Origin{}) {
		return ""
	}
	text, _ := json.Marshal(o) // it has texts and ids only
	return string(text)
}

// within runs fn with an origin that SQLite's triggers read, in a row that is
// empty again when fn has ended.
func (o Origin) within(ctx context.Context, t *Tx, fn func(*Tx) error) error {
	if o == (Origin{}) {
		return fn(t)
	}
	set := func(o Origin) error {
		_, err := t.ExecOften(ctx, `update cairn.origin set actor = ?, user_id = ?, token_id = ?, address = ?, quiet = ? where id = 1`,
			nullText(o.Actor), uuid.NullUUID{UUID: o.User, Valid: o.User != uuid.Nil}, uuid.NullUUID{UUID: o.Token, Valid: o.Token != uuid.Nil}, o.Address, o.Quiet)
		return err
	}
	if err := set(o); err != nil {
		return err
	}
	if err := fn(t); err != nil {
		return err // the savepoint undoes the row, too
	}
	return set(Origin{})
}

func nullText(s string) any {
	if s == "" {
		return nil
	}
	return s
}
