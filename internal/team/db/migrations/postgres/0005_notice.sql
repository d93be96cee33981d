-- When a team's week begins, where it is told, what of, and what was sent.
create table public.team_settings (
  team_id uuid primary key references public.teams (id) on delete cascade,
  timezone text not null default 'UTC' constraint team_settings_timezone_check check (length(timezone) between 1 and 64),
  digest_weekday smallint not null default 1 constraint team_settings_digest_weekday_check check (digest_weekday between 0 and 6),
  digest_hour smallint not null default 9 constraint team_settings_digest_hour_check check (digest_hour between 0 and 23),
  updated_at timestamptz not null default now());
create table public.team_channels (
  team_id uuid not null references public.teams (id) on delete cascade, id uuid not null default gen_random_uuid(),
  user_id uuid default auth.uid() references auth.users (id) on delete set null,
  kind text not null constraint team_channels_kind_check check (kind in ('slack', 'webhook', 'mail')),
  name text not null constraint team_channels_name_check check (length(name) between 1 and 60),
  target text not null constraint team_channels_target_check check (length(target) between 3 and 2000),
  secret text not null default '' constraint team_channels_secret_check check (length(secret) <= 200),
  alerts boolean not null default true, digest boolean not null default true, test_at timestamptz, created_at timestamptz not null default now(),
  primary key (team_id, id), constraint team_channels_name_key unique (team_id, name));
create table public.alerts (
  team_id uuid not null references public.teams (id) on delete cascade, id uuid not null default gen_random_uuid(),
  repo_slug text not null, suite text not null, branch text not null, kind text not null,
  state text not null constraint alerts_state_check check (state in ('pending', 'firing', 'resolved')),
  outcome text not null default '', began_at timestamptz not null default now(), pushes int not null default 1, good int not null default 0,
  run_id uuid, run_at timestamptz, p real not null, expected real not null, observed real not null, cases int not null,
  detail jsonb not null default '{}', opened_at timestamptz not null default now(), fired_at timestamptz, resolved_at timestamptz,
  created_at timestamptz not null default now(), primary key (team_id, id));
-- At most one alert of a series is open.
create unique index alerts_open on public.alerts (team_id, repo_slug, suite, branch, kind) where state <> 'resolved';
create index alerts_recent on public.alerts (team_id, opened_at desc);
create table public.deliveries (
  team_id uuid not null, id uuid not null default gen_random_uuid(), channel_id uuid not null, event text not null,
  message jsonb not null default '{}', due_at timestamptz not null default now(), attempts int not null default 0,
  sent_at timestamptz, failed_at timestamptz, error text not null default '', created_at timestamptz not null default now(),
  primary key (team_id, id), constraint deliveries_event_key unique (team_id, channel_id, event),
  constraint deliveries_channel_fkey foreign key (team_id, channel_id) references public.team_channels (team_id, id) on delete cascade);
create index deliveries_due on public.deliveries (due_at) where sent_at is null and failed_at is null;

-- Runs that are to be judged: in the transaction of the push, so that none is forgotten. What is older than a week is
-- history only.
create table cairn.judgments (
  team_id uuid not null, run_id uuid not null, run_at timestamptz not null, due_at timestamptz not null default now(), primary key (team_id, run_id),
  foreign key (team_id, run_id) references public.eval_runs (team_id, id) on delete cascade);
create index on cairn.judgments (run_at);
create function cairn.await_judgment() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  insert into cairn.judgments (team_id, run_id, run_at) select team_id, id, run_at from changed where run_at > now() - interval '7 days' on conflict do nothing;
  return null; end $$;
revoke all on function cairn.await_judgment() from public;
create trigger await_judgment after insert on public.eval_runs referencing new table as changed for each statement execute function cairn.await_judgment();
grant select, insert, update, delete on cairn.judgments to service_role;
-- What a run is judged by.
create index eval_runs_main on public.eval_runs (team_id, repo_slug, suite, kind, run_at desc) where branch in ('main', 'master');
-- What changed on main, in the order of time, without the runs' own rows.
create index eval_runs_changes on public.eval_runs (team_id, run_at desc) include (id, repo_slug, suite, kind, git_sha, user_id, passed, failed) where branch in ('main', 'master');

create trigger stamp before insert on public.team_channels for each row execute function cairn.stamp();
do $$ declare t text; begin
  foreach t in array array['team_settings', 'team_channels', 'alerts', 'deliveries'] loop
    execute format('alter table public.%I enable row level security', t);
    execute format('revoke all on public.%I from anon, authenticated, public', t);
    execute format('grant all on public.%I to service_role', t);
    execute format('create policy service on public.%I to service_role using (true) with check (true)', t);
  end loop;
  foreach t in array array['team_settings', 'alerts'] loop
    execute format('create policy team_read on public.%I for select to authenticated using (team_id in (select cairn.my_teams()))', t);
    execute format('grant select on public.%I to authenticated', t);
  end loop;
  foreach t in array array['team_channels', 'deliveries'] loop
    execute format('create policy admin_read on public.%I for select to authenticated using (team_id in (select cairn.my_teams_as(''{owner,admin}'')))', t);
    execute format('grant select on public.%I to authenticated', t);
  end loop;
  foreach t in array array['team_settings', 'team_channels'] loop
    execute format('create policy admin_update on public.%I for update to authenticated using (team_id in (select cairn.my_teams_as(''{owner,admin}''))) with check (team_id in (select cairn.my_teams_as(''{owner,admin}'')))', t);
  end loop;
end $$;
create policy admin_insert on public.team_settings for insert to authenticated with check (team_id in (select cairn.my_teams_as('{owner,admin}')));
create policy admin_insert on public.team_channels for insert to authenticated
  with check (team_id in (select cairn.my_teams_as('{owner,admin}')) and user_id = (select auth.uid()));
create policy admin_delete on public.team_channels for delete to authenticated using (team_id in (select cairn.my_teams_as('{owner,admin}')));
grant insert, update (timezone, digest_weekday, digest_hour) on public.team_settings to authenticated;
grant insert, delete, update (name, alerts, digest, test_at) on public.team_channels to authenticated;
