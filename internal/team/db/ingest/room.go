package ingest

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"cairn/internal/team/postgrest"
)

// A run in memory takes several times the bytes that it has as JSON. Small ones
// are of no account; of large ones so many bytes are read at a time, and who
// waits longer than patience is told to come back.
const (
	smallRun = 1 << 20
	mostRoom = 32 << 20
	patience = 20 * time.Second
)

var room = semaphore.NewWeighted(mostRoom)

// Enter waits until a request of so many bytes may be read. leave must be called
// when it is done.
func Enter(ctx context.Context, bytes int) (leave func(), err error) {
	if bytes <= smallRun {
		return func() {}, nil
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n := min(int64(bytes), mostRoom)
	if room.Acquire(limited, n) == nil {
		return func() { room.Release(n) }, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, &postgrest.Error{Status: 503, Code: "53400", Message: "many large runs are being stored; send this one again later"}
}
