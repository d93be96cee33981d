package herald

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/notify"
	"cairn/internal/team/retry"
)

const (
	// lease is how long a claimed message is this server's: longer than any try.
	lease = 2 * time.Minute
	// tries is how often a message is sent at most: over about four hours.
	tries      = 10
	firstPause = 40 * time.Second // less by up to a half
	longest    = 160 * time.Minute
	sideBySide = 16
	// deliverTime is how long a round goes on sending: receivers that do not answer
	// must not keep runs from being judged.
	deliverTime = 20 * time.Second
)

// Deliver sends the messages that are due; what is left after a while is the
// next round's.
func (h *Herald) Deliver(ctx context.Context) (done Done, err error) {
	for began := h.now(); ctx.Err() == nil && h.now().Sub(began) < deliverTime; {
		due := false
		err := h.view(ctx, func(tx *db.Tx) { due = must.Get(notice.Due(ctx, tx, h.now())) })
		if err != nil || !due { // nothing is written where nothing is to be done
			return done, err
		}
		some, err := notice.Claim(ctx, h.DB, h.now(), h.now().Add(lease), sideBySide)
		if err != nil || len(some) == 0 {
			return done, err
		}
		var mu sync.Mutex
		var all sync.WaitGroup
		for _, one := range some {
			all.Go(func() {
				sent, failed := h.send(ctx, one)
				mu.Lock()
				defer mu.Unlock()
				err = errors.Join(err, failed)
				if sent {
					done.Sent++
				} else {
					done.Failed++
				}
			})
		}
		if all.Wait(); err != nil {
			return done, err
		}
	}
	return done, ctx.Err()
}

// send sends one and notes what became of it, also when the server is being stopped.
func (h *Herald) send(ctx context.Context, one notice.Delivery) (sent bool, err error) {
	c := notify.Channel{Kind: one.Kind, Target: one.Target, Secret: one.Secret}
	if one.IsQuestion() {
		if one.Message, err = h.question(ctx, one); err != nil {
			return false, err
		}
	}
	problem := h.Sender.Send(ctx, c, one.ID.String(), one.Message)
	keep := context.WithoutCancel(ctx)
	var f *notify.Failure
	switch {
	case problem == nil:
		return true, notice.Sent(keep, h.DB, one, h.now())
	case !errors.As(problem, &f): // the server stops: the next one sends it
		return false, notice.Retry(keep, h.DB, one, "the server was stopped", h.now())
	}
	log := h.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	log = log.With("channel", one.Name, "kind", one.Kind, "event", one.Event, "tries", one.Attempts, "error", f.Why)
	if f.Final || one.Attempts >= tries {
		log.Error("a message is given up")
		return false, notice.GiveUp(keep, h.DB, one, f.Why, h.now())
	}
	pause := max(f.After, retry.Delay(one.Attempts, firstPause, longest))
	log.Warn("a message is tried again later", "after", pause.Round(time.Second))
	return false, notice.Retry(keep, h.DB, one, f.Why, h.now().Add(pause))
}
