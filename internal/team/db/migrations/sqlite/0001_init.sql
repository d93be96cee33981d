-- The same tables as PostgreSQL has, in SQLite. UUIDs are 16 bytes, timestamps microseconds since 1970 in UTC,
-- decimals whole numbers of their last digit (six digits: millionths), JSON and lists of texts are JSON texts.
-- A schema's name is the beginning of the table's: auth_users is auth.users.
create table auth_users (
  id blob primary key default (randomblob(16)),
  email text not null,
  encrypted_password text not null default '', -- bcrypt, '' where there is none
  email_confirmed_at integer, invited_at integer, confirmation_sent_at integer,
  recovery_sent_at integer, last_sign_in_at integer, banned_until integer,
  app_metadata text not null default '{}', user_metadata text not null default '{}',
  bot integer not null default 0, -- stands for tokens of CI
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)), updated_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create table auth_identities (
  id blob primary key default (randomblob(16)),
  user_id blob not null references auth_users (id) on delete cascade,
  provider text not null, provider_id text not null, email text,
  data text not null default '{}',
  last_sign_in_at integer, created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)), updated_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  unique (provider, provider_id)) strict;
create table auth_sessions (
  id blob primary key default (randomblob(16)),
  user_id blob not null references auth_users (id) on delete cascade,
  method text not null, -- password, otp, oauth, invite, pkce: claim amr
  user_agent text not null default '', ip text not null default '',
  refreshed_at integer, not_after integer, created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create table auth_refresh_tokens (
  token_hash text primary key,
  session_id blob not null references auth_sessions (id) on delete cascade,
  parent_hash text, -- whose successor it is
  used_at integer, -- when its successor was first given out
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create table auth_one_time_tokens (
  token_hash text primary key, -- of the link
  code_hash text not null default '', -- of the six digits, together with the address
  kind text not null, -- magiclink, signup, invite, recovery, claim
  user_id blob references auth_users (id) on delete cascade,
  email text not null default '',
  code_challenge text not null default '', redirect_to text not null default '',
  attempts integer not null default 0, -- wrong codes so far
  expires_at integer not null, created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create table auth_flows (
  id blob primary key default (randomblob(16)),
  provider text not null, state_hash text not null default '',
  verifier text not null default '', nonce text not null default '', -- ours towards the provider
  code_hash text not null default '', code_challenge text not null default '', code_challenge_method text not null default '',
  redirect_to text not null default '', user_id blob references auth_users (id) on delete cascade, method text not null default '',
  expires_at integer not null, created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create table cairn_secrets (name text primary key, value blob not null, expires_at integer, created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create unique index users_email on auth_users (lower(email));
create index auth_identities_user_id on auth_identities (user_id);
create index auth_sessions_user_id on auth_sessions (user_id);
create index auth_refresh_tokens_session_id on auth_refresh_tokens (session_id);
create index auth_one_time_tokens_user_id on auth_one_time_tokens (user_id);
create index auth_flows_state_hash on auth_flows (state_hash);
create index auth_flows_code_hash on auth_flows (code_hash);

create table teams (
  id blob not null default (randomblob(16)),
  name text not null constraint teams_name_check check (length(name) between 1 and 100),
  slug text not null constraint teams_slug_check check (length(slug) between 1 and 50 and slug not glob '*[^a-z0-9-]*' and slug not glob '-*' and slug not glob '*-'),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (id)
) strict;
create table team_members (
  team_id blob not null references teams (id) on delete cascade,
  user_id blob not null references auth_users (id) on delete cascade,
  role text not null default 'member' constraint team_members_role_check check (role in ('owner', 'admin', 'member', 'ci')),
  joined_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, user_id)
) strict, without rowid;
create table team_invites (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  email text not null,
  role text not null default 'member' constraint team_invites_role_check check (role in ('admin', 'member', 'ci')),
  token_hash text not null,
  invited_by blob references auth_users (id) on delete set null,
  expires_at integer not null default (cast((unixepoch('subsec') + 604800) * 1000000 as integer)),
  accepted_at integer,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, id)
) strict;
create table eval_runs (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null,
  run_at integer not null,
  ingest_key text not null constraint eval_runs_ingest_key_check check (length(ingest_key) between 16 and 128),
  user_id blob references auth_users (id) on delete set null,
  repo_slug text not null,
  branch text not null default '',
  git_sha text not null default '',
  git_dirty integer,
  label text not null,
  suite text not null default '',
  hostname text not null default '',
  tool text not null default '',
  tool_version text not null default '',
  kind text not null default 'eval',
  scope text not null default 'standard' constraint eval_runs_scope_check check (scope in ('quick', 'standard', 'full')),
  judge_tier text constraint eval_runs_judge_tier_check check (judge_tier in ('fast', 'standard', 'full')),
  tier text not null default 'standard',
  prompt_sha text,
  attempt integer not null default 1,
  total_tests integer not null constraint eval_runs_total_tests_check check (total_tests >= 0),
  passed integer not null constraint eval_runs_passed_check check (passed >= 0),
  failed integer not null constraint eval_runs_failed_check check (failed >= 0),
  skipped integer not null default 0 constraint eval_runs_skipped_check check (skipped >= 0),
  errored integer not null default 0 constraint eval_runs_errored_check check (errored >= 0),
  total_cost_usd integer not null default 0 constraint eval_runs_total_cost_usd_check check (total_cost_usd >= 0),
  total_duration_ms integer not null default 0,
  wall_clock_ms integer,
  judge_averages text,
  by_category text,
  meta text not null default '{}',
  schema_version integer not null default 1,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  constraint eval_runs_check check (passed + failed + skipped + errored = total_tests),
  primary key (team_id, id)
) strict;
create table eval_cases (
  team_id blob not null references teams (id) on delete cascade,
  id integer not null,
  repo_slug text not null,
  suite text not null default '',
  name text not null,
  variant text not null default '',
  category text not null default '',
  primary key (team_id, id)
) strict, without rowid;
create table eval_costs (
  team_id blob not null,
  run_id blob not null,
  model text not null,
  run_at integer not null,
  calls integer not null default 0 constraint eval_costs_calls_check check (calls >= 0),
  input_tokens integer not null default 0 constraint eval_costs_input_tokens_check check (input_tokens >= 0),
  output_tokens integer not null default 0 constraint eval_costs_output_tokens_check check (output_tokens >= 0),
  cache_read_tokens integer not null default 0 constraint eval_costs_cache_read_tokens_check check (cache_read_tokens >= 0),
  cache_write_tokens integer not null default 0 constraint eval_costs_cache_write_tokens_check check (cache_write_tokens >= 0),
  estimated_cost_usd integer not null default 0 constraint eval_costs_estimated_cost_usd_check check (estimated_cost_usd >= 0),
  price_table text not null default '',
  primary key (team_id, run_id, model),
  foreign key (team_id, run_id) references eval_runs (team_id, id) on delete cascade
) strict, without rowid;
create table daily_costs (
  team_id blob not null references teams (id) on delete cascade,
  day text not null,
  model text not null,
  calls integer not null default 0,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cost_usd integer not null default 0,
  primary key (team_id, day, model)
) strict, without rowid;
create table daily_evals (
  team_id blob not null references teams (id) on delete cascade,
  day text not null,
  repo_slug text not null,
  label text not null,
  suite text not null,
  runs integer not null default 0,
  passed integer not null default 0,
  failed integer not null default 0,
  errored integer not null default 0,
  total integer not null default 0,
  cost_usd integer not null default 0,
  primary key (team_id, day, repo_slug, label, suite)
) strict, without rowid;
create table retro_snapshots (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  date text not null,
  period text not null default '7d',
  metrics text not null default '{}',
  authors text not null default '{}',
  version_range text,
  streak_days integer,
  tweetable text,
  greptile text,
  backlog text,
  test_health text,
  primary key (team_id, id)
) strict;
create table qa_reports (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  url text not null,
  mode text not null default 'full',
  health_score integer constraint qa_reports_health_score_check check (health_score between 0 and 10000),
  issues text,
  category_scores text,
  report_markdown text,
  primary key (team_id, id)
) strict;
create table ship_logs (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  version text not null default '',
  branch text not null default '',
  git_sha text not null default '',
  title text not null default '',
  author text not null default '',
  author_email text not null default '',
  pr_url text,
  review_findings text,
  greptile_stats text,
  todos_completed text,
  test_results text,
  primary key (team_id, id)
) strict;
create table greptile_triage (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  date text not null,
  triage_type text not null constraint greptile_triage_triage_type_check check (triage_type in ('fp', 'fix', 'already-fixed')),
  file_pattern text not null,
  category text not null default '',
  primary key (team_id, id)
) strict;
create table session_transcripts (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  session_id text not null,
  messages text not null default '[]',
  total_turns integer,
  tools_used text,
  summary text,
  started_at integer,
  ended_at integer,
  primary key (team_id, id)
) strict;
create table sync_heartbeats (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  user_id blob references auth_users (id) on delete cascade,
  hostname text not null default '',
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, id)
) strict;
create unique index teams_slug_key on teams (slug);
create index team_members_user on team_members (user_id);
create unique index team_invites_open on team_invites (team_id, lower(email)) where accepted_at is null;
create unique index team_invites_token on team_invites (token_hash);
create unique index eval_runs_ingest on eval_runs (team_id, ingest_key);
create index eval_runs_recent on eval_runs (team_id, run_at desc, user_id, branch);
create index eval_runs_judged on eval_runs (team_id, run_at desc, id, repo_slug) where judge_averages is not null;
create index eval_runs_repo on eval_runs (team_id, repo_slug, run_at desc);
create index eval_runs_series on eval_runs (team_id, repo_slug, label, run_at desc);
create index eval_runs_new on eval_runs (team_id, created_at, id);
create index eval_costs_recent on eval_costs (team_id, run_at desc);
create unique index retro_snapshots_ingest on retro_snapshots (team_id, ingest_key);
create index retro_snapshots_recent on retro_snapshots (team_id, occurred_at desc);
create index retro_snapshots_repo on retro_snapshots (team_id, repo_slug, occurred_at desc);
create index retro_snapshots_new on retro_snapshots (team_id, created_at, id);
create unique index qa_reports_ingest on qa_reports (team_id, ingest_key);
create index qa_reports_recent on qa_reports (team_id, occurred_at desc);
create index qa_reports_repo on qa_reports (team_id, repo_slug, occurred_at desc);
create index qa_reports_new on qa_reports (team_id, created_at, id);
create unique index ship_logs_ingest on ship_logs (team_id, ingest_key);
create index ship_logs_recent on ship_logs (team_id, occurred_at desc);
create index ship_logs_repo on ship_logs (team_id, repo_slug, occurred_at desc);
create index ship_logs_commit on ship_logs (team_id, git_sha) where git_sha <> '';
create index ship_logs_new on ship_logs (team_id, created_at, id);
create unique index greptile_triage_ingest on greptile_triage (team_id, ingest_key);
create index greptile_triage_recent on greptile_triage (team_id, occurred_at desc);
create index greptile_triage_repo on greptile_triage (team_id, repo_slug, occurred_at desc);
create index greptile_triage_new on greptile_triage (team_id, created_at, id);
create unique index session_transcripts_ingest on session_transcripts (team_id, ingest_key);
create index session_transcripts_recent on session_transcripts (team_id, occurred_at desc);
create index session_transcripts_repo on session_transcripts (team_id, repo_slug, occurred_at desc);
create index session_transcripts_new on session_transcripts (team_id, created_at, id);
create unique index session_transcripts_session on session_transcripts (team_id, session_id);

-- A month of results and of payloads is a table of its own, so that a month can go at once: db/month.go makes
-- eval_results_202603 after the pattern of eval_results_000000, which stays empty, and eval_results is a view of all.
create table eval_results_000000 (
  team_id blob not null,
  run_id blob not null,
  run_at integer not null,
  case_id integer not null,
  repeat_no integer not null default 0,
  status integer not null constraint eval_results_status_check check (status between 0 and 3),
  score real,
  duration_ms integer,
  cost_usd integer,
  turns integer,
  primary key (team_id, run_id, case_id, repeat_no, run_at),
  foreign key (team_id, run_id) references eval_runs (team_id, id) on delete cascade
) strict, without rowid;
create index eval_results_000000_case on eval_results_000000 (team_id, case_id, run_at desc, status, score);
create table eval_payloads_000000 (
  team_id blob not null,
  run_id blob not null,
  run_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  case_id integer not null,
  repeat_no integer not null default 0,
  payload text not null constraint eval_payloads_payload_check check (octet_length(payload) < 1000000),
  primary key (team_id, run_id, case_id, repeat_no, run_at),
  foreign key (team_id, run_id) references eval_runs (team_id, id) on delete cascade
) strict;
create view eval_results as select * from eval_results_000000;
create view eval_payloads as select * from eval_payloads_000000;

-- Sums by day, kept by the database so that no way of writing or deleting can leave them wrong.
create trigger eval_costs_add after insert on eval_costs begin
  insert into daily_costs (team_id, day, model, calls, input_tokens, output_tokens, cost_usd)
    values (new.team_id, date(new.run_at / 1000000, 'unixepoch'), new.model, new.calls, new.input_tokens, new.output_tokens, new.estimated_cost_usd)
  on conflict (team_id, day, model) do update set calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, cost_usd = cost_usd + excluded.cost_usd;
end;
create trigger eval_costs_take after delete on eval_costs begin
  update daily_costs set calls = calls - old.calls, input_tokens = input_tokens - old.input_tokens,
    output_tokens = output_tokens - old.output_tokens, cost_usd = cost_usd - old.estimated_cost_usd
    where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and model = old.model;
  delete from daily_costs where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and model = old.model
    and calls = 0 and cost_usd = 0 and input_tokens = 0 and output_tokens = 0;
end;
create trigger eval_costs_update after update on eval_costs begin
  update daily_costs set calls = calls - old.calls, input_tokens = input_tokens - old.input_tokens,
    output_tokens = output_tokens - old.output_tokens, cost_usd = cost_usd - old.estimated_cost_usd
    where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and model = old.model;
  delete from daily_costs where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and model = old.model
    and calls = 0 and cost_usd = 0 and input_tokens = 0 and output_tokens = 0;
  insert into daily_costs (team_id, day, model, calls, input_tokens, output_tokens, cost_usd)
    values (new.team_id, date(new.run_at / 1000000, 'unixepoch'), new.model, new.calls, new.input_tokens, new.output_tokens, new.estimated_cost_usd)
  on conflict (team_id, day, model) do update set calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, cost_usd = cost_usd + excluded.cost_usd;
end;
create trigger eval_runs_add after insert on eval_runs begin
  insert into daily_evals (team_id, day, repo_slug, label, suite, runs, passed, failed, errored, total, cost_usd)
    values (new.team_id, date(new.run_at / 1000000, 'unixepoch'), new.repo_slug, new.label, new.suite, 1, new.passed, new.failed, new.errored, new.total_tests, new.total_cost_usd)
  on conflict (team_id, day, repo_slug, label, suite) do update set runs = runs + 1, passed = passed + excluded.passed,
    failed = failed + excluded.failed, errored = errored + excluded.errored, total = total + excluded.total, cost_usd = cost_usd + excluded.cost_usd;
end;
create trigger eval_runs_take after delete on eval_runs begin
  update daily_evals set runs = runs - 1, passed = passed - old.passed, failed = failed - old.failed, errored = errored - old.errored,
    total = total - old.total_tests, cost_usd = cost_usd - old.total_cost_usd
    where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and repo_slug = old.repo_slug and label = old.label and suite = old.suite;
  delete from daily_evals where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and repo_slug = old.repo_slug
    and label = old.label and suite = old.suite and runs = 0;
end;
create trigger eval_runs_update after update on eval_runs begin
  update daily_evals set runs = runs - 1, passed = passed - old.passed, failed = failed - old.failed, errored = errored - old.errored,
    total = total - old.total_tests, cost_usd = cost_usd - old.total_cost_usd
    where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and repo_slug = old.repo_slug and label = old.label and suite = old.suite;
  delete from daily_evals where team_id = old.team_id and day = date(old.run_at / 1000000, 'unixepoch') and repo_slug = old.repo_slug
    and label = old.label and suite = old.suite and runs = 0;
  insert into daily_evals (team_id, day, repo_slug, label, suite, runs, passed, failed, errored, total, cost_usd)
    values (new.team_id, date(new.run_at / 1000000, 'unixepoch'), new.repo_slug, new.label, new.suite, 1, new.passed, new.failed, new.errored, new.total_tests, new.total_cost_usd)
  on conflict (team_id, day, repo_slug, label, suite) do update set runs = runs + 1, passed = passed + excluded.passed,
    failed = failed + excluded.failed, errored = errored + excluded.errored, total = total + excluded.total, cost_usd = cost_usd + excluded.cost_usd;
end;

create trigger team_members_keep_owner_delete before delete on team_members
  when old.role = 'owner' and exists (select 1 from teams where id = old.team_id)
    and not exists (select 1 from team_members where team_id = old.team_id and role = 'owner' and user_id <> old.user_id)
begin select raise(abort, 'a team must keep one owner'); end;
create trigger team_members_keep_owner_update before update on team_members
  when old.role = 'owner' and new.role <> 'owner'
    and not exists (select 1 from team_members where team_id = old.team_id and role = 'owner' and user_id <> old.user_id)
begin select raise(abort, 'a team must keep one owner'); end;

create table cairn_trusted_workflows (
  id blob primary key default (randomblob(16)),
  team_id blob not null references teams (id) on delete cascade,
  issuer text not null, repository text not null, -- owner/name
  ref text not null default '', -- refs/heads/main, '' is any
  repository_id text not null default '', -- the issuer's, from the first exchange on: a name can change hands
  user_id blob not null references auth_users (id) on delete cascade, -- the bot
  scopes text not null, created_by blob references auth_users (id) on delete set null,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  unique (team_id, issuer, repository, ref)) strict;
create table cairn_ingest_tokens (
  id blob primary key default (randomblob(16)),
  team_id blob not null references teams (id) on delete cascade,
  user_id blob not null references auth_users (id) on delete cascade, -- the bot
  name text not null, scopes text not null, repo_slug text not null default '', -- '' is any
  token_hash text not null unique, prefix text not null, -- its first characters, to tell it by
  workflow_id blob references cairn_trusted_workflows (id) on delete cascade, -- that it was given to
  created_by blob references auth_users (id) on delete set null,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)), last_used_at integer, expires_at integer, revoked_at integer) strict;
create index cairn_ingest_tokens_team_id on cairn_ingest_tokens (team_id);
create index cairn_ingest_tokens_workflow_id on cairn_ingest_tokens (workflow_id);
