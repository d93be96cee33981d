package ingest_test

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// Months come and go while others push, read and delete: nobody has to try again.
func TestMonthsComeAndGo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		team := dbtest.Team(t, d, "a")
		as := dbtest.Member(t, d, team, "owner")
		first := aRun(team, "f", dbtest.Day(0))
		if _, err := push(d, as, first); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				for n := range 15 {
					p := aRun(team, fmt.Sprintf("%d%02d", i, n), dbtest.Day((i+n)%6*31))
					if _, err := push(d, as, p); err != nil {
						t.Error("push:", err)
					}
					if n%5 == 4 {
						dbtest.Exec(t, d, `delete from eval_runs where team_id = ? and id = ?`, team, p.Run.ID)
					}
				}
			})
			wg.Go(func() {
				for range 15 {
					err := d.View(ctx, as, func(tx *db.Tx) error {
						if _, err := figures.CaseHistory(ctx, tx, figures.Ever(team), []int64{first.Run.Cases[0].ID}, 50); err != nil {
							return err
						}
						_, err := figures.Run(ctx, tx, team, first.Run.ID)
						return err
					})
					if err != nil && !errors.Is(err, sql.ErrNoRows) {
						t.Error("read:", err)
					}
				}
			})
		}
		wg.Go(func() {
			for n := range 10 {
				if _, err := d.DropMonthsBefore(ctx, dbtest.Day(n%6*31)); err != nil {
					t.Error("drop:", err)
				}
			}
		})
		wg.Wait()
		var run wire.EvalRun
		err := d.View(ctx, as, func(tx *db.Tx) (err error) {
			run, err = figures.Run(ctx, tx, team, first.Run.ID)
			return err
		})
		if err != nil || len(run.Results) != 3 {
			t.Errorf("this month's run has %d results, %v", len(run.Results), err)
		}
	})
}
