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

// overrun is how many requests may be under way with a budget: when one of them
// exceeds it, only these are still paid.
const overrun = 5

// A Budget limits the cost of all requests of a panel. No request starts once it
// is spent.
type Budget struct {
	USD float64
	// Price is the price of tokens. A model without a known price counts as free;
	// the caller refuses such a model.
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

// end records the cost of a request.
func (b *Budget) end(usd float64) {
	b.mu.Lock()
	b.spent += usd
	b.mu.Unlock()
	<-b.underWay
}

// of is the cost of a request. If the server does not count tokens they are
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
