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

// leastOfElement is what a case or a result of a request counts at least: however
// few bytes it has, it takes as much memory as another. Those of clients have more.
const leastOfElement = 48

// Enter waits until a request's body may be read. leave must be called when it is done.
func Enter(ctx context.Context, body []byte) (leave func(), err error) {
	bytes := max(len(body), elements(body)*leastOfElement)
	switch {
	case bytes <= smallRun:
		return func() {}, nil
	case bytes > mostRoom && len(body) <= mostRoom:
		return nil, &postgrest.Error{Status: 413, Code: "54000", Message: "a push has too many cases and results; send the run in parts"}
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

// elements counts what stands in the lists of a run: {"p_run": {"results": [...]}}.
func elements(body []byte) (n int) {
	list := false
	for c, depth := range postgrest.Marks(body) {
		switch {
		case depth != 3:
		case c == '[' || c == '{':
			list = c == '['
			n++
		case c == ',' && list:
			n++
		}
	}
	return n
}
