-- The teams' tables, for PostgreSQL 15 and newer and for Supabase. It needs the roles anon, authenticated and
-- service_role, auth.users and auth.uid().
-- Row-level security is not forced: the functions that are "security definer" run as the owner of the tables, and
-- forcing it would make policies call themselves without end.
create schema if not exists cairn; -- not among the schemas that requests may name

create table public.teams (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint teams_name_check check (length(name) between 1 and 100),
  slug text not null unique constraint teams_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$'),
  created_at timestamptz not null default now());
create table public.team_members (
  team_id uuid not null references public.teams (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null default 'member' constraint team_members_role_check check (role in ('owner', 'admin', 'member', 'ci')),
  joined_at timestamptz not null default now(),
  primary key (team_id, user_id));
create index on public.team_members (user_id);
create table public.team_invites (
  team_id uuid not null references public.teams (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null,
  role text not null default 'member' constraint team_invites_role_check check (role in ('admin', 'member', 'ci')),
  token_hash text not null, -- SHA-256 in hex
  invited_by uuid references auth.users (id) on delete set null,
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (team_id, id));
create unique index team_invites_open on public.team_invites (team_id, lower(email)) where accepted_at is null;
create unique index team_invites_token on public.team_invites (token_hash);

-- Whose teams: "security definer" so that the policy of team_members does not ask itself; stable, and called in a
-- subselect, so that a statement asks once.
create function cairn.my_teams() returns setof uuid language sql stable security definer set search_path = '' as
  $$ select team_id from public.team_members where user_id = (select auth.uid()) $$;
create function cairn.my_teams_as(roles text[]) returns setof uuid language sql stable security definer set search_path = '' as
  $$ select team_id from public.team_members where user_id = (select auth.uid()) and role = any (roles) $$;
revoke all on function cairn.my_teams(), cairn.my_teams_as(text[]) from public;
grant usage on schema cairn to authenticated, service_role;
grant execute on function cairn.my_teams(), cairn.my_teams_as(text[]) to authenticated, service_role;

create table public.eval_runs (
  team_id uuid not null references public.teams (id) on delete cascade,
  id uuid not null, -- uuidv5(team, ingest_key), by whoever sends it
  run_at timestamptz not null, -- when it ran, never when it was sent
  ingest_key text not null constraint eval_runs_ingest_key_check check (length(ingest_key) between 16 and 128),
  user_id uuid default auth.uid() references auth.users (id) on delete set null,
  repo_slug text not null, branch text not null default '', git_sha text not null default '', git_dirty boolean,
  label text not null, suite text not null default '', hostname text not null default '',
  tool text not null default '', tool_version text not null default '',
  kind text not null default 'eval',
  scope text not null default 'standard' constraint eval_runs_scope_check check (scope in ('quick', 'standard', 'full')),
  judge_tier text constraint eval_runs_judge_tier_check check (judge_tier in ('fast', 'standard', 'full')),
  tier text not null default 'standard', -- as older senders have it, in any word
  prompt_sha text, attempt int not null default 1,
  total_tests int not null constraint eval_runs_total_tests_check check (total_tests >= 0),
  passed int not null constraint eval_runs_passed_check check (passed >= 0),
  failed int not null constraint eval_runs_failed_check check (failed >= 0),
  skipped int not null default 0 constraint eval_runs_skipped_check check (skipped >= 0),
  errored int not null default 0 constraint eval_runs_errored_check check (errored >= 0),
  total_cost_usd numeric(14,6) not null default 0 constraint eval_runs_total_cost_usd_check check (total_cost_usd >= 0),
  total_duration_ms bigint not null default 0, wall_clock_ms bigint,
  judge_averages jsonb, by_category jsonb, meta jsonb not null default '{}',
  schema_version int not null default 1,
  created_at timestamptz not null default now(),
  constraint eval_runs_check check (passed + failed + skipped + errored = total_tests),
  primary key (team_id, id));
create unique index eval_runs_ingest on public.eval_runs (team_id, ingest_key);
create index eval_runs_recent on public.eval_runs (team_id, run_at desc) include (user_id, branch);
create index eval_runs_judged on public.eval_runs (team_id, run_at desc) include (id, repo_slug) where judge_averages is not null;
create index eval_runs_repo on public.eval_runs (team_id, repo_slug, run_at desc);
create index eval_runs_series on public.eval_runs (team_id, repo_slug, label, run_at desc);
create index eval_runs_new on public.eval_runs (team_id, created_at, id); -- what a pull has not seen yet
create table public.eval_cases (
  team_id uuid not null references public.teams (id) on delete cascade,
  id bigint not null, -- the low 63 bits of a SHA-256 of repository, suite, name and variant
  repo_slug text not null, suite text not null default '', name text not null, variant text not null default '', category text not null default '',
  primary key (team_id, id));
-- One narrow row for each case, run and repeat, kept apart by month so that a month can go at once.
create table public.eval_results (
  team_id uuid not null, run_id uuid not null, run_at timestamptz not null, case_id bigint not null,
  repeat_no smallint not null default 0,
  status smallint not null constraint eval_results_status_check check (status between 0 and 3), -- 0 pass, 1 fail, 2 skip, 3 error
  score real, duration_ms int, cost_usd numeric(12,6), turns smallint,
  primary key (team_id, run_id, case_id, repeat_no, run_at),
  constraint eval_results_team_id_run_id_fkey foreign key (team_id, run_id) references public.eval_runs (team_id, id) on delete cascade
) partition by range (run_at);
create index eval_results_case on public.eval_results (team_id, case_id, run_at desc) include (status, score);
create table public.eval_payloads (
  team_id uuid not null, run_id uuid not null, run_at timestamptz not null default now(), case_id bigint not null,
  repeat_no smallint not null default 0,
  payload jsonb not null constraint eval_payloads_payload_check check (octet_length(payload::text) < 1000000),
  primary key (team_id, run_id, case_id, repeat_no, run_at),
  constraint eval_payloads_team_id_run_id_fkey foreign key (team_id, run_id) references public.eval_runs (team_id, id) on delete cascade
) partition by range (run_at);
create table cairn.eval_results_default partition of public.eval_results default;
create table cairn.eval_payloads_default partition of public.eval_payloads default;
create table public.eval_costs (
  team_id uuid not null, run_id uuid not null, model text not null, run_at timestamptz not null,
  calls bigint not null default 0 constraint eval_costs_calls_check check (calls >= 0),
  input_tokens bigint not null default 0 constraint eval_costs_input_tokens_check check (input_tokens >= 0),
  output_tokens bigint not null default 0 constraint eval_costs_output_tokens_check check (output_tokens >= 0),
  cache_read_tokens bigint not null default 0 constraint eval_costs_cache_read_tokens_check check (cache_read_tokens >= 0),
  cache_write_tokens bigint not null default 0 constraint eval_costs_cache_write_tokens_check check (cache_write_tokens >= 0),
  estimated_cost_usd numeric(14,6) not null default 0 constraint eval_costs_estimated_cost_usd_check check (estimated_cost_usd >= 0),
  price_table text not null default '',
  primary key (team_id, run_id, model),
  -- Both columns: a cost cannot be attached to another team's run.
  constraint eval_costs_team_id_run_id_fkey foreign key (team_id, run_id) references public.eval_runs (team_id, id) on delete cascade);
create index on public.eval_costs (team_id, run_at desc);

-- A month of results and payloads is a partition, made when the first run of it is pushed. Rows that come in by
-- another way before that are in the default partition; then that stays their home.
create function cairn.ensure_month(at timestamptz) returns void language plpgsql security definer set search_path = '' as $$
declare first timestamptz := date_trunc('month', at, 'UTC'); month text := to_char(at at time zone 'UTC', 'YYYYMM'); t text;
begin
  if to_regclass('cairn.eval_payloads_' || month) is not null then return; end if;
  if at < '2000-01-01Z' then raise exception 'run_at % is before the year 2000', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') using errcode = '22008'; end if;
  if at > now() + interval '1 day' then raise exception 'run_at % is more than a day in the future', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') using errcode = '22008'; end if;
  perform pg_advisory_xact_lock(hashtext('cairn.ensure_month'));
  if to_regclass('cairn.eval_payloads_' || month) is not null then return; end if;
  -- The foreign key of a partition locks eval_runs. Pushes lock it before eval_results, so it comes first here, too:
  -- the other way around two of them could wait for each other.
  lock table public.eval_runs in share row exclusive mode;
  foreach t in array array['eval_results', 'eval_payloads'] loop
    if to_regclass(format('cairn.%I', t || '_' || month)) is null then
      begin
        execute format('create table cairn.%I partition of public.%I for values from (%L) to (%L)', t || '_' || month, t, first,
          (first at time zone 'UTC' + interval '1 month') at time zone 'UTC');
      exception when check_violation then null; -- the default partition has rows of that month
      end;
    end if;
  end loop;
end $$;
revoke all on function cairn.ensure_month(timestamptz) from public;
grant execute on function cairn.ensure_month(timestamptz) to authenticated, service_role;
-- Drops the months before that of a time and says how many. Runs, costs and daily sums stay.
create function cairn.drop_months_before(at timestamptz) returns int language plpgsql security definer set search_path = '' as $$
declare t record; months text[] := '{}'; first timestamptz := date_trunc('month', at, 'UTC');
begin
  perform pg_advisory_xact_lock(hashtext('cairn.ensure_month'));
  lock table public.eval_results, public.eval_payloads in access exclusive mode; -- in the order in which pushes and readers come to them
  for t in select c.relname as part from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('public.eval_results'::regclass, 'public.eval_payloads'::regclass)
      and c.relname ~ '_\d{6}$' and right(c.relname, 6) < to_char(at at time zone 'UTC', 'YYYYMM') order by 1 loop
    execute format('drop table cairn.%I', t.part); -- without detach, which would lock eval_runs
    if right(t.part, 6) <> all (months) then months := months || right(t.part, 6); end if;
  end loop;
  delete from cairn.eval_payloads_default where run_at < first;
  delete from cairn.eval_results_default where run_at < first;
  return cardinality(months);
end $$;
revoke all on function cairn.drop_months_before(timestamptz) from public;
grant execute on function cairn.drop_months_before(timestamptz) to service_role;

-- Sums by day, kept by the database so that no way of writing or deleting can leave them wrong.
create table public.daily_costs (
  team_id uuid not null references public.teams (id) on delete cascade, day date not null, model text not null,
  calls bigint not null default 0, input_tokens bigint not null default 0, output_tokens bigint not null default 0,
  cost_usd numeric(16,6) not null default 0,
  primary key (team_id, day, model));
create table public.daily_evals (
  team_id uuid not null references public.teams (id) on delete cascade, day date not null,
  repo_slug text not null, label text not null, suite text not null,
  runs bigint not null default 0, passed bigint not null default 0, failed bigint not null default 0,
  errored bigint not null default 0, total bigint not null default 0, cost_usd numeric(16,6) not null default 0,
  primary key (team_id, day, repo_slug, label, suite));
create function cairn.add_costs() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  insert into public.daily_costs as d
    select team_id, (run_at at time zone 'UTC')::date, model, sum(calls), sum(input_tokens), sum(output_tokens), sum(estimated_cost_usd)
    from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (team_id, day, model) do update set calls = d.calls + excluded.calls, input_tokens = d.input_tokens + excluded.input_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens, cost_usd = d.cost_usd + excluded.cost_usd;
  return null; end $$;
create function cairn.take_costs() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  update public.daily_costs d set calls = d.calls - g.calls, input_tokens = d.input_tokens - g.input_tokens,
    output_tokens = d.output_tokens - g.output_tokens, cost_usd = d.cost_usd - g.cost_usd
  from (select team_id, (run_at at time zone 'UTC')::date as day, model, sum(calls) as calls, sum(input_tokens) as input_tokens,
      sum(output_tokens) as output_tokens, sum(estimated_cost_usd) as cost_usd from changed group by 1, 2, 3) g
  where d.team_id = g.team_id and d.day = g.day and d.model = g.model;
  delete from public.daily_costs where calls = 0 and cost_usd = 0 and input_tokens = 0 and output_tokens = 0
    and (team_id, day) in (select team_id, (run_at at time zone 'UTC')::date from changed);
  return null; end $$;
create trigger add_daily after insert on public.eval_costs referencing new table as changed for each statement execute function cairn.add_costs();
create trigger take_daily after delete on public.eval_costs referencing old table as changed for each statement execute function cairn.take_costs();
create trigger update_daily_take after update on public.eval_costs referencing old table as changed for each statement execute function cairn.take_costs();
create trigger update_daily_add after update on public.eval_costs referencing new table as changed for each statement execute function cairn.add_costs();
create function cairn.add_runs() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  insert into public.daily_evals as d
    select team_id, (run_at at time zone 'UTC')::date, repo_slug, label, suite, count(*), sum(passed), sum(failed), sum(errored), sum(total_tests), sum(total_cost_usd)
    from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (team_id, day, repo_slug, label, suite) do update set runs = d.runs + excluded.runs, passed = d.passed + excluded.passed,
    failed = d.failed + excluded.failed, errored = d.errored + excluded.errored, total = d.total + excluded.total, cost_usd = d.cost_usd + excluded.cost_usd;
  return null; end $$;
create function cairn.take_runs() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  update public.daily_evals d set runs = d.runs - g.runs, passed = d.passed - g.passed, failed = d.failed - g.failed,
    errored = d.errored - g.errored, total = d.total - g.total, cost_usd = d.cost_usd - g.cost_usd
  from (select team_id, (run_at at time zone 'UTC')::date as day, repo_slug, label, suite, count(*) as runs, sum(passed) as passed,
      sum(failed) as failed, sum(errored) as errored, sum(total_tests) as total, sum(total_cost_usd) as cost_usd from changed group by 1, 2, 3, 4, 5) g
  where d.team_id = g.team_id and d.day = g.day and d.repo_slug = g.repo_slug and d.label = g.label and d.suite = g.suite;
  delete from public.daily_evals where runs = 0 and (team_id, day) in (select team_id, (run_at at time zone 'UTC')::date from changed);
  return null; end $$;
create trigger add_daily after insert on public.eval_runs referencing new table as changed for each statement execute function cairn.add_runs();
create trigger take_daily after delete on public.eval_runs referencing old table as changed for each statement execute function cairn.take_runs();
create trigger update_daily_take after update on public.eval_runs referencing old table as changed for each statement execute function cairn.take_runs();
create trigger update_daily_add after update on public.eval_runs referencing new table as changed for each statement execute function cairn.add_runs();
revoke all on function cairn.add_costs(), cairn.take_costs(), cairn.add_runs(), cairn.take_runs() from public;

-- Records of other work. All have the same head.
do $$ declare t text; cols text; begin
  foreach t in array array['retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days'] loop
    cols := case t
      when 'retro_snapshots' then 'repo_slug text not null, date date not null, period text not null default ''7d'', metrics jsonb not null default ''{}'', authors jsonb not null default ''{}'', version_range jsonb, streak_days int, tweetable text, greptile jsonb, backlog jsonb, test_health jsonb'
      when 'qa_reports' then 'repo_slug text not null, url text not null, mode text not null default ''full'', health_score numeric(5,2) constraint qa_reports_health_score_check check (health_score between 0 and 100), issues jsonb, category_scores jsonb, report_markdown text'
      when 'ship_logs' then 'repo_slug text not null, version text not null default '''', branch text not null default '''', git_sha text not null default '''', title text not null default '''', author text not null default '''', author_email text not null default '''', pr_url text, review_findings jsonb, greptile_stats jsonb, todos_completed text[], test_results jsonb'
      when 'greptile_triage' then 'repo_slug text not null, date date not null, triage_type text not null constraint greptile_triage_triage_type_check check (triage_type in (''fp'', ''fix'', ''already-fixed'')), file_pattern text not null, category text not null default '''''
      when 'plan_snapshots' then 'repo_slug text not null, project text not null default '''', workstream text not null default '''', milestone text not null default '''', phases int not null default 0, phases_done int not null default 0, plans int not null default 0, plans_done int not null default 0, requirements int not null default 0, requirements_done int not null default 0, detail jsonb not null default ''{}'', constraint plan_snapshots_check check (0 <= phases_done and phases_done <= phases and 0 <= plans_done and plans_done <= plans and 0 <= requirements_done and requirements_done <= requirements)'
      when 'usage_days' then 'repo_slug text not null, date date not null, hostname text not null default '''', agent text not null default '''', sessions int not null default 0, turns int not null default 0, prompts int not null default 0, prompt_chars bigint not null default 0, tools jsonb not null default ''{}'', outputs int not null default 0, tokens_before bigint not null default 0, tokens_after bigint not null default 0, constraint usage_days_check check (least(sessions, turns, prompts, prompt_chars, outputs, tokens_before, tokens_after) >= 0)'
      else 'repo_slug text not null, session_id text not null, messages jsonb not null default ''[]'', total_turns int, tools_used jsonb, summary text, started_at timestamptz, ended_at timestamptz' end;
    execute format('create table public.%I (team_id uuid not null references public.teams (id) on delete cascade, id uuid not null default gen_random_uuid(), ingest_key text not null, user_id uuid default auth.uid() references auth.users (id) on delete set null, occurred_at timestamptz not null default now(), created_at timestamptz not null default now(), %s, primary key (team_id, id))', t, cols);
    execute format('create unique index %I on public.%I (team_id, ingest_key)', t || '_ingest', t);
    execute format('create index %I on public.%I (team_id, occurred_at desc)', t || '_recent', t);
    execute format('create index %I on public.%I (team_id, repo_slug, occurred_at desc)', t || '_repo', t);
    execute format('create index %I on public.%I (team_id, created_at, id)', t || '_new', t);
  end loop;
end $$;
create index ship_logs_commit on public.ship_logs (team_id, git_sha) where git_sha <> '';
create unique index session_transcripts_session on public.session_transcripts (team_id, session_id);
create table public.sync_heartbeats (
  team_id uuid not null references public.teams (id) on delete cascade, id uuid not null default gen_random_uuid(),
  user_id uuid default auth.uid() references auth.users (id) on delete cascade, hostname text not null default '',
  created_at timestamptz not null default now(), primary key (team_id, id));

-- The server's stamps: nobody can backdate when a row came, or leave out who sent it.
create function cairn.stamp() returns trigger language plpgsql set search_path = '' as $$ begin
  new.created_at := now();
  if new.user_id is null then new.user_id := (select auth.uid()); end if;
  return new; end $$;
do $$ declare t text; begin
  foreach t in array array['eval_runs', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'sync_heartbeats'] loop
    execute format('create trigger stamp before insert on public.%I for each row execute function cairn.stamp()', t);
  end loop; end $$;

-- Who may do what. The registry of cairn's own server says the same.
do $$ declare t text; begin
  foreach t in array array['teams', 'team_members', 'team_invites', 'eval_runs', 'eval_cases', 'eval_results', 'eval_payloads', 'eval_costs', 'daily_costs', 'daily_evals', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'sync_heartbeats'] loop
    execute format('alter table public.%I enable row level security', t);
    execute format('revoke all on public.%I from anon, authenticated, public', t);
    execute format('grant all on public.%I to service_role', t);
    execute format('create policy service on public.%I to service_role using (true) with check (true)', t);
  end loop;
  foreach t in array array['eval_runs', 'eval_cases', 'eval_results', 'eval_payloads', 'eval_costs', 'daily_costs', 'daily_evals', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'plan_snapshots', 'usage_days', 'sync_heartbeats'] loop
    execute format('create policy team_read on public.%I for select to authenticated using (team_id in (select cairn.my_teams()))', t);
    execute format('grant select on public.%I to authenticated', t);
  end loop;
  foreach t in array array['eval_runs', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'sync_heartbeats'] loop
    execute format('create policy team_insert on public.%I for insert to authenticated with check (team_id in (select cairn.my_teams()) and user_id = (select auth.uid()))', t);
    execute format('create policy admin_delete on public.%I for delete to authenticated using (team_id in (select cairn.my_teams_as(''{owner,admin}'')))', t);
    execute format('grant insert, delete on public.%I to authenticated', t);
  end loop;
  foreach t in array array['eval_cases', 'eval_results', 'eval_payloads', 'eval_costs'] loop
    execute format('create policy team_insert on public.%I for insert to authenticated with check (team_id in (select cairn.my_teams()))', t);
    execute format('grant insert on public.%I to authenticated', t);
  end loop;
  -- One's own record may be corrected; runs never change.
  foreach t in array array['retro_snapshots', 'qa_reports', 'session_transcripts'] loop
    execute format('create policy own_update on public.%I for update to authenticated using (user_id = (select auth.uid()) and team_id in (select cairn.my_teams())) with check (user_id = (select auth.uid()) and team_id in (select cairn.my_teams()))', t);
    execute format('grant update on public.%I to authenticated', t);
  end loop;
end $$;
create policy own_or_admin_read on public.session_transcripts for select to authenticated
  using (team_id in (select cairn.my_teams()) and user_id = (select auth.uid()) or team_id in (select cairn.my_teams_as('{owner,admin}')));
create policy own_delete on public.session_transcripts for delete to authenticated using (user_id = (select auth.uid()) and team_id in (select cairn.my_teams()));
grant select on public.session_transcripts, public.teams, public.team_members to authenticated;
create policy team_read on public.teams for select to authenticated using (id in (select cairn.my_teams()));
create policy team_read on public.team_members for select to authenticated using (team_id in (select cairn.my_teams()));
create policy admin_update on public.team_members for update to authenticated
  using (team_id in (select cairn.my_teams_as('{owner,admin}')) and (role <> 'owner' or team_id in (select cairn.my_teams_as('{owner}'))))
  with check (team_id in (select cairn.my_teams_as('{owner,admin}')) and (role <> 'owner' or team_id in (select cairn.my_teams_as('{owner}'))));
create policy leave_or_admin_delete on public.team_members for delete to authenticated
  using (user_id = (select auth.uid()) or team_id in (select cairn.my_teams_as('{owner,admin}')) and (role <> 'owner' or team_id in (select cairn.my_teams_as('{owner}'))));
grant update (role), delete on public.team_members to authenticated;
create policy admin_read on public.team_invites for select to authenticated using (team_id in (select cairn.my_teams_as('{owner,admin}')));
create policy admin_delete on public.team_invites for delete to authenticated using (team_id in (select cairn.my_teams_as('{owner,admin}')));
grant select (team_id, id, email, role, invited_by, expires_at, accepted_at, created_at), delete on public.team_invites to authenticated; -- not token_hash

create function cairn.keep_owner() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  -- Two owners who leave at once wait for each other here.
  if old.role = 'owner' then perform 1 from public.teams where id = old.team_id for no key update; end if;
  if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner') and exists (select 1 from public.teams where id = old.team_id)
    and not exists (select 1 from public.team_members where team_id = old.team_id and role = 'owner' and user_id <> old.user_id)
  then raise exception 'a team must keep one owner' using errcode = '23514'; end if;
  return coalesce(new, old); end $$;
create trigger keep_owner before update or delete on public.team_members for each row execute function cairn.keep_owner();

-- Functions that requests may call.
create function public.create_team(team_slug text, team_name text) returns uuid language plpgsql security definer set search_path = '' as $$
declare new_id uuid; me uuid := (select auth.uid()); begin
  if me is null then raise exception 'must be authenticated' using errcode = '42501'; end if;
  -- Names are few on a server that lets strangers sign up.
  if (select count(*) from public.team_members where user_id = me and role = 'owner') >= 20 then
    raise exception 'one user can own at most 20 teams' using errcode = '42501'; end if;
  insert into public.teams (slug, name) values (team_slug, team_name) returning id into new_id;
  insert into public.team_members (team_id, user_id, role) values (new_id, me, 'owner');
  return new_id; end $$;
create function public.team_pulse(p_team uuid, p_days int default 7) returns json language sql stable security invoker set search_path = '' as
  $$ select json_build_object(
    'members', (select count(*) from public.team_members where team_id = p_team and role <> 'ci'),
    'runs', (select coalesce(sum(runs), 0) from public.daily_evals where team_id = p_team and day >= current_date - p_days),
    'cost_usd', (select coalesce(sum(cost_usd), 0) from public.daily_costs where team_id = p_team and day >= current_date - p_days),
    'ships', (select count(*) from public.ship_logs where team_id = p_team and occurred_at >= now() - make_interval(days => p_days)),
    'last_ship_at', (select max(occurred_at) from public.ship_logs where team_id = p_team)) $$;
-- The members of a team with their addresses, for its members.
create function public.team_people(p_team uuid) returns table (user_id uuid, email text, role text, joined_at timestamptz)
  language sql stable security definer set search_path = '' as
  $$ select m.user_id, u.email::text, m.role, m.joined_at from public.team_members m join auth.users u on u.id = m.user_id
     where m.team_id = p_team and p_team in (select cairn.my_teams()) order by m.joined_at, u.email $$;
-- Invites someone and returns what proves it, once.
create function public.invite_member(p_team uuid, p_email text, p_role text default 'member') returns text language plpgsql security definer set search_path = '' as $$
declare token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''); begin
  if p_team not in (select cairn.my_teams_as('{owner,admin}')) then raise exception 'only an owner or an admin can invite' using errcode = '42501'; end if;
  delete from public.team_invites where team_id = p_team and lower(email) = lower(p_email) and accepted_at is null;
  insert into public.team_invites (team_id, email, role, token_hash, invited_by)
    values (p_team, p_email, p_role, encode(sha256(convert_to(token, 'UTF8')), 'hex'), (select auth.uid()));
  return token; end $$;
-- Makes the caller a member of the team that the token is of. Once per token.
create function public.accept_invite(p_token text) returns uuid language plpgsql security definer set search_path = '' as $$
declare i record; me uuid := (select auth.uid()); begin
  if me is null then raise exception 'must be authenticated' using errcode = '42501'; end if;
  update public.team_invites set accepted_at = now()
    where token_hash = encode(sha256(convert_to(p_token, 'UTF8')), 'hex') and accepted_at is null and expires_at > now() returning team_id, role into i;
  if i.team_id is null then raise exception 'the invitation is used up, expired or was never made' using errcode = '42501'; end if;
  insert into public.team_members (team_id, user_id, role) values (i.team_id, me, i.role) on conflict do nothing;
  return i.team_id; end $$;
-- Stores a run with everything in it, or finds that it is there. {"id", "duplicate"}.
create function public.push_eval_run(p_team uuid, p_run jsonb) returns json language plpgsql security invoker set search_path = '' as $$
declare r public.eval_runs; n int; known uuid; begin
  r := jsonb_populate_record(null::public.eval_runs, p_run);
  perform cairn.ensure_month(r.run_at); -- before any lock on eval_runs
  insert into public.eval_runs (team_id, id, run_at, ingest_key, user_id, repo_slug, branch, git_sha, git_dirty, label, suite, hostname, tool, tool_version,
      kind, scope, judge_tier, tier, prompt_sha, attempt, total_tests, passed, failed, skipped, errored, total_cost_usd, total_duration_ms, wall_clock_ms,
      judge_averages, by_category, meta, schema_version)
    values (p_team, r.id, r.run_at, r.ingest_key, (select auth.uid()), r.repo_slug, coalesce(r.branch, ''), coalesce(r.git_sha, ''), r.git_dirty, r.label,
      coalesce(r.suite, ''), coalesce(r.hostname, ''), coalesce(r.tool, ''), coalesce(r.tool_version, ''), coalesce(r.kind, 'eval'), coalesce(r.scope, 'standard'),
      r.judge_tier, coalesce(r.tier, 'standard'), r.prompt_sha, coalesce(r.attempt, 1), r.total_tests, r.passed, r.failed, coalesce(r.skipped, 0), coalesce(r.errored, 0),
      coalesce(r.total_cost_usd, 0), coalesce(r.total_duration_ms, 0), r.wall_clock_ms, r.judge_averages, r.by_category, coalesce(r.meta, '{}'), coalesce(r.schema_version, 1))
    on conflict do nothing;
  get diagnostics n = row_count;
  if n = 0 then
    select e.id into known from public.eval_runs e where e.team_id = p_team and e.ingest_key = r.ingest_key;
    if known is null then -- its id is another run's
      raise unique_violation using message = 'duplicate key value violates unique constraint "eval_runs_pkey"';
    end if;
    return json_build_object('id', known, 'duplicate', true);
  end if;
  insert into public.eval_cases (team_id, id, repo_slug, suite, name, variant, category)
    select p_team, c.id, r.repo_slug, coalesce(c.suite, ''), c.name, coalesce(c.variant, ''), coalesce(c.category, '')
    from jsonb_populate_recordset(null::public.eval_cases, p_run -> 'cases') c order by c.id on conflict do nothing;
  insert into public.eval_results (team_id, run_id, run_at, case_id, repeat_no, status, score, duration_ms, cost_usd, turns)
    select p_team, r.id, r.run_at, c.case_id, coalesce(c.repeat_no, 0), c.status, c.score, c.duration_ms, c.cost_usd, c.turns
    from jsonb_populate_recordset(null::public.eval_results, p_run -> 'results') c;
  insert into public.eval_payloads (team_id, run_id, run_at, case_id, repeat_no, payload)
    select p_team, r.id, r.run_at, (c ->> 'case_id')::bigint, coalesce((c ->> 'repeat_no')::smallint, 0), c -> 'payload'
    from jsonb_array_elements(p_run -> 'results') c where jsonb_typeof(c -> 'payload') = 'object';
  insert into public.eval_costs (team_id, run_id, model, run_at, calls, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, estimated_cost_usd, price_table)
    select p_team, r.id, c.model, r.run_at, coalesce(c.calls, 0), coalesce(c.input_tokens, 0), coalesce(c.output_tokens, 0), coalesce(c.cache_read_tokens, 0),
      coalesce(c.cache_write_tokens, 0), coalesce(c.estimated_cost_usd, 0), coalesce(c.price_table, '')
    from jsonb_populate_recordset(null::public.eval_costs, p_run -> 'costs') c;
  return json_build_object('id', r.id, 'duplicate', false); end $$;
do $$ declare f text; begin
  foreach f in array array['create_team(text, text)', 'team_pulse(uuid, int)', 'team_people(uuid)', 'invite_member(uuid, text, text)', 'accept_invite(text)', 'push_eval_run(uuid, jsonb)'] loop
    execute format('revoke all on function public.%s from public, anon', f);
    execute format('grant execute on function public.%s to authenticated, service_role', f);
  end loop; end $$;
grant usage on schema public to anon, authenticated, service_role;
