-- How far plans are, how people work with agents; when a team's week begins, where it is told, what of, and what was sent.
create table plan_snapshots (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  project text not null default '',
  workstream text not null default '',
  milestone text not null default '',
  phases integer not null default 0,
  phases_done integer not null default 0,
  plans integer not null default 0,
  plans_done integer not null default 0,
  requirements integer not null default 0,
  requirements_done integer not null default 0,
  detail text not null default '{}',
  constraint plan_snapshots_check check (0 <= phases_done and phases_done <= phases and 0 <= plans_done and plans_done <= plans and 0 <= requirements_done and requirements_done <= requirements),
  primary key (team_id, id)
) strict;
create table usage_days (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  date text not null,
  hostname text not null default '',
  agent text not null default '',
  sessions integer not null default 0,
  turns integer not null default 0,
  prompts integer not null default 0,
  prompt_chars integer not null default 0,
  tools text not null default '{}',
  outputs integer not null default 0,
  tokens_before integer not null default 0,
  tokens_after integer not null default 0,
  constraint usage_days_check check (min(sessions, turns, prompts, prompt_chars, outputs, tokens_before, tokens_after) >= 0),
  primary key (team_id, id)
) strict;
create unique index plan_snapshots_ingest on plan_snapshots (team_id, ingest_key);
create index plan_snapshots_recent on plan_snapshots (team_id, occurred_at desc);
create index plan_snapshots_repo on plan_snapshots (team_id, repo_slug, occurred_at desc);
create index plan_snapshots_new on plan_snapshots (team_id, created_at, id);
create unique index usage_days_ingest on usage_days (team_id, ingest_key);
create index usage_days_recent on usage_days (team_id, occurred_at desc);
create index usage_days_repo on usage_days (team_id, repo_slug, occurred_at desc);
create index usage_days_new on usage_days (team_id, created_at, id);
create table team_settings (
  team_id blob not null primary key references teams (id) on delete cascade,
  timezone text not null default 'UTC' constraint team_settings_timezone_check check (length(timezone) between 1 and 64),
  digest_weekday integer not null default 1 constraint team_settings_digest_weekday_check check (digest_weekday between 0 and 6),
  digest_hour integer not null default 9 constraint team_settings_digest_hour_check check (digest_hour between 0 and 23),
  updated_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))
) strict;
create table team_channels (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  user_id blob references auth_users (id) on delete set null,
  kind text not null constraint team_channels_kind_check check (kind in ('slack', 'webhook', 'mail')),
  name text not null constraint team_channels_name_check check (length(name) between 1 and 60),
  target text not null constraint team_channels_target_check check (length(target) between 3 and 2000),
  secret text not null default '' constraint team_channels_secret_check check (length(secret) <= 200),
  alerts integer not null default 1,
  digest integer not null default 1,
  test_at integer,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, id)
) strict;
create unique index team_channels_name_key on team_channels (team_id, name);
create table alerts (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  repo_slug text not null,
  suite text not null,
  branch text not null,
  kind text not null,
  state text not null constraint alerts_state_check check (state in ('pending', 'firing', 'resolved')),
  outcome text not null default '',
  began_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  pushes integer not null default 1,
  good integer not null default 0,
  run_id blob,
  run_at integer,
  p real not null,
  expected real not null,
  observed real not null,
  cases integer not null,
  detail text not null default '{}',
  opened_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  fired_at integer,
  resolved_at integer,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, id)
) strict;
-- At most one alert of a series is open.
create unique index alerts_open on alerts (team_id, repo_slug, suite, branch, kind) where state <> 'resolved';
create index alerts_recent on alerts (team_id, opened_at desc);
create table deliveries (
  team_id blob not null,
  id blob not null default (randomblob(16)),
  channel_id blob not null,
  event text not null,
  message text not null default '{}',
  due_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  attempts integer not null default 0,
  sent_at integer,
  failed_at integer,
  error text not null default '',
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, id),
  foreign key (team_id, channel_id) references team_channels (team_id, id) on delete cascade
) strict;
create unique index deliveries_event_key on deliveries (team_id, channel_id, event);
create index deliveries_due on deliveries (due_at) where sent_at is null and failed_at is null;

-- Runs that are to be judged: in the transaction of the push, so that none is forgotten. What is older than a week is
-- history only.
create table cairn_judgments (
  team_id blob not null,
  run_id blob not null,
  run_at integer not null,
  due_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, run_id),
  foreign key (team_id, run_id) references eval_runs (team_id, id) on delete cascade
) strict;
create index cairn_judgments_run_at on cairn_judgments (run_at);
create trigger eval_runs_await after insert on eval_runs when new.run_at > cast((unixepoch('subsec') - 604800) * 1000000 as integer) begin
  insert into cairn_judgments (team_id, run_id, run_at) values (new.team_id, new.id, new.run_at) on conflict do nothing;
end;
-- What a run is judged by.
create index eval_runs_main on eval_runs (team_id, repo_slug, suite, kind, run_at desc) where branch in ('main', 'master');
-- What changed on main, in the order of time, without the runs' own rows.
create index eval_runs_changes on eval_runs (team_id, run_at desc, repo_slug, suite, kind, id, git_sha, user_id, passed, failed) where branch in ('main', 'master');
