-- From 0001_init.sql as it was first released to the text of today.
alter table ship_logs add column git_sha text not null default '';
alter table ship_logs add column title text not null default '';
alter table ship_logs add column author text not null default '';
alter table ship_logs add column author_email text not null default '';
create index ship_logs_commit on ship_logs (team_id, git_sha) where git_sha <> '';
drop index eval_runs_recent;
create index eval_runs_recent on eval_runs (team_id, run_at desc, user_id, branch);
create index eval_runs_judged on eval_runs (team_id, run_at desc, id, repo_slug) where judge_averages is not null;
