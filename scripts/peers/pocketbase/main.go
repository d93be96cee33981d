// Command peer is PocketBase with collections for eval runs and results, the
// peer of scripts/load: cd scripts/peers/pocketbase && go run . serve --dir DIR --http 127.0.0.1:PORT.
// It is a module of its own so that cairn does not depend on it.
package main

import (
	"log"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

func main() {
	app := pocketbase.New()
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		if err := prepare(app); err != nil {
			return err
		}
		return e.Next()
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

// prepare allows batches, makes the two collections and an admin whose
// password is in the environment.
func prepare(app core.App) error {
	settings := app.Settings()
	settings.Batch.Enabled, settings.Batch.MaxRequests, settings.Batch.Timeout = true, 200, 30
	settings.RateLimits.Enabled = false
	if err := app.Save(settings); err != nil {
		return err
	}
	if _, err := app.FindCollectionByNameOrId("eval_runs"); err == nil {
		return nil
	}
	runs := core.NewBaseCollection("eval_runs")
	for _, name := range []string{"team_id", "ingest_key", "run_at", "repo_slug", "branch", "git_sha", "label", "suite", "hostname"} {
		runs.Fields.Add(&core.TextField{Name: name})
	}
	for _, name := range []string{"total_tests", "passed", "failed", "total_cost_usd", "total_duration_ms"} {
		runs.Fields.Add(&core.NumberField{Name: name})
	}
	runs.AddIndex("eval_runs_ingest", true, "team_id, ingest_key", "")
	runs.AddIndex("eval_runs_recent", false, "team_id, run_at", "")
	runs.ListRule, runs.CreateRule = types.Pointer("@request.auth.id != ''"), types.Pointer("@request.auth.id != ''")
	if err := app.Save(runs); err != nil {
		return err
	}
	results := core.NewBaseCollection("eval_results")
	for _, name := range []string{"team_id", "run_id", "run_at"} {
		results.Fields.Add(&core.TextField{Name: name})
	}
	for _, name := range []string{"case_id", "status", "score", "duration_ms"} {
		results.Fields.Add(&core.NumberField{Name: name})
	}
	results.AddIndex("eval_results_run", false, "team_id, run_id", "")
	results.AddIndex("eval_results_case", false, "team_id, case_id, run_at", "")
	results.ListRule, results.CreateRule = types.Pointer("@request.auth.id != ''"), types.Pointer("@request.auth.id != ''")
	if err := app.Save(results); err != nil {
		return err
	}
	superusers, err := app.FindCollectionByNameOrId(core.CollectionNameSuperusers)
	if err != nil {
		return err
	}
	admin := core.NewRecord(superusers)
	admin.SetEmail("load@example.test")
	admin.SetPassword(os.Getenv("PEER_PASSWORD"))
	return app.Save(admin)
}
