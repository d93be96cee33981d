package retro

import (
	"context"
	"time"
)

// A History is what was read of the commits: everything but what they changed,
// which is asked for those that count only.
type History struct {
	o       Options
	tip     string   // "" in a repository without a commit
	commits []commit // the newest first
	newest  int64    // committed at, of all
}

// A commit as it was read.
type commit struct{}

// Read reads the history once.
func Read(ctx context.Context, o Options) (*History, error) { return &History{o: o}, nil }

// Measure measures the period of days that ends with the day that last is in.
func (h *History) Measure(ctx context.Context, last time.Time, days int) (Report, error) {
	return Report{}, nil
}

// Weeks is [Weeks] of a history that was read.
func (h *History) Weeks(ctx context.Context, now time.Time, n int) ([]Report, error) { return nil, nil }

// Ships is [Ships] of a history that was read.
func (h *History) Ships(ctx context.Context) ([]Ship, error) { return nil, nil }
