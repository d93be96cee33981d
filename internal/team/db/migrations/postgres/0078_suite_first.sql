-- An index of team and suite was also one by team alone: in a new database, which has no statistics yet, the look-up of a
-- run by its key read all runs of the team by it, once for each result of a push.
drop index public.eval_runs_suite;
create index eval_runs_suite on public.eval_runs (suite, team_id, run_at desc);
