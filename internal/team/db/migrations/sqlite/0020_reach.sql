-- The newest runs of a suite, in whatever repository.
create index eval_runs_suite on eval_runs (team_id, suite, run_at desc);
