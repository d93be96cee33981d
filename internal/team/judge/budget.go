package judge

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"cairn/internal/team/result"
	"cairn/internal/tokens"
)

// ErrBudget is an answer that was not asked for because the budget was spent.
var ErrBudget = errors.New("the budget was spent")

// overrun is how many requests may be under way where there is a budget: when
// one turns out to have spent it, no more than these are still paid.
const overrun = 5

// A Budget is what all requests of a panel may cost together. None starts once
// it is spent.
type Budget struct {
	USD float64
	// Price is what tokens cost; known is false for a model without a price,
	// which counts as nothing: the caller refuses such a model before.
	Price func(result.Cost) (usd float64, known bool)

	once     sync.Once
	underWay chan struct{} // a place for each
	mu       sync.Mutex
	spent    float64
}

// begin waits until a request may start.
func (b *Budget) begin(ctx context.Context) error {
	b.once.Do(func() { b.underWay = make(chan struct{}, overrun) })
	select {
	case b.underWay <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent >= b.USD {
		<-b.underWay
		return fmt.Errorf("%w: $%.2f of $%.2f", ErrBudget, b.spent, b.USD)
	}
	return nil
}

// end takes note of what a request cost.
func (b *Budget) end(usd float64) {
	b.mu.Lock()
	b.spent += usd
	b.mu.Unlock()
	<-b.underWay
}

// of is what a request cost. Where the server counts no tokens they are
// estimated, or the budget would never be spent.
func (b *Budget) of(model string, m *message, r *reply) float64 {
	c := r.usage
	c.Model, c.Calls = model, 1
	if c.InputTokens == 0 && c.OutputTokens == 0 && c.CacheReadTokens == 0 && c.CacheWriteTokens == 0 {
		c.InputTokens, c.OutputTokens = int64(m.size()), int64(tokens.Estimate(r.text))
	}
	usd, _ := b.Price(c)
	return usd
}
