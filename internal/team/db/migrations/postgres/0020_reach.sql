-- What a session reaches: of a token of CI only its team and, where it is for one, its repository. The server sets
-- cairn.team and cairn.repo for each transaction; '' or unset is a person, or a server of an older version.
create or replace function cairn.my_teams() returns setof uuid language sql stable security definer set search_path = '' as
  $$ select team_id from public.team_members where user_id = (select auth.uid())
     and coalesce(current_setting('cairn.team', true), '') in ('', team_id::text) $$;
create or replace function cairn.my_teams_as(roles text[]) returns setof uuid language sql stable security definer set search_path = '' as
  $$ select team_id from public.team_members where user_id = (select auth.uid()) and role = any (roles)
     and coalesce(current_setting('cairn.team', true), '') in ('', team_id::text) $$;
create function cairn.my_repo() returns text language sql stable parallel safe set search_path = '' as
  $$ select nullif(current_setting('cairn.repo', true), '') $$;
revoke all on function cairn.my_repo() from public;
grant execute on function cairn.my_repo() to authenticated, service_role;

-- Restrictive: whatever else a policy of these tables allows, a token of one repository stays inside of it. A new table
-- needs a policy of this name; a test says so.
do $$ declare t text; begin
  foreach t in array array['eval_runs', 'eval_cases', 'daily_evals', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'alerts'] loop
    execute format('create policy one_repository on public.%I as restrictive to authenticated using ((select cairn.my_repo()) is null or repo_slug = (select cairn.my_repo()))', t);
  end loop;
  foreach t in array array['eval_results', 'eval_payloads', 'eval_costs'] loop
    execute format('create policy one_repository on public.%1$I as restrictive to authenticated using ((select cairn.my_repo()) is null or exists (select from public.eval_runs r where r.team_id = %1$I.team_id and r.id = %1$I.run_id and r.repo_slug = (select cairn.my_repo())))', t);
  end loop;
  foreach t in array array['team_members', 'sync_heartbeats'] loop
    execute format('create policy one_repository on public.%I as restrictive to authenticated using ((select cairn.my_repo()) is null or user_id = (select auth.uid()))', t);
  end loop;
  foreach t in array array['team_invites', 'daily_costs', 'team_settings', 'team_channels', 'deliveries'] loop
    execute format('create policy one_repository on public.%I as restrictive to authenticated using ((select cairn.my_repo()) is null)', t);
  end loop;
end $$;
create policy one_repository on public.teams as restrictive to authenticated using (true);

-- Daily sums of costs are of all repositories, so that for a token of one its runs are summed.
create or replace function public.team_pulse(p_team uuid, p_days int default 7) returns json language sql stable security invoker set search_path = '' as
  $$ select json_build_object(
    'members', case when cairn.my_repo() is null then (select count(*) from public.team_members where team_id = p_team and role <> 'ci') end,
    'runs', (select coalesce(sum(runs), 0) from public.daily_evals where team_id = p_team and day >= current_date - p_days),
    'cost_usd', case when cairn.my_repo() is null
      then (select coalesce(sum(cost_usd), 0) from public.daily_costs where team_id = p_team and day >= current_date - p_days)
      else (select coalesce(sum(estimated_cost_usd), 0) from public.eval_costs where team_id = p_team and run_at >= (current_date - p_days)::timestamp at time zone 'UTC') end,
    'ships', (select count(*) from public.ship_logs where team_id = p_team and occurred_at >= now() - make_interval(days => p_days)),
    'last_ship_at', (select max(occurred_at) from public.ship_logs where team_id = p_team)) $$;
create or replace function public.team_people(p_team uuid) returns table (user_id uuid, email text, role text, joined_at timestamptz)
  language sql stable security definer set search_path = '' as
  $$ select m.user_id, u.email::text, m.role, m.joined_at from public.team_members m join auth.users u on u.id = m.user_id
     where m.team_id = p_team and p_team in (select cairn.my_teams()) and cairn.my_repo() is null order by m.joined_at, u.email $$;

-- A list of teams that is made once for a statement can be looked up in an index; a hashed subselect cannot, and reads
-- the rows of all teams.
do $$ declare p record; begin
  for p in select * from pg_catalog.pg_policies where schemaname = 'public' and qual ~ 'IN \( SELECT cairn\.my_teams' loop
    execute format('alter policy %I on public.%I using (%s)', p.policyname, p.tablename,
      regexp_replace(p.qual, 'IN \( SELECT (cairn\.my_teams[a-z_]*\([^)]*\)) AS [a-z_]+\)', '= ANY (ARRAY(SELECT \1))', 'g'));
  end loop;
end $$;
alter policy own_or_admin_read on public.session_transcripts -- the team comes first, so that both parts of the "or" go by it
  using (team_id = any (array(select cairn.my_teams())) and (user_id = (select auth.uid()) or team_id = any (array(select cairn.my_teams_as('{owner,admin}')))));

create index eval_runs_suite on public.eval_runs (team_id, suite, run_at desc);
-- Results that say how many planted bugs were found: few of many payloads.
create index eval_payloads_detection on public.eval_payloads (team_id, run_id) where payload -> 'detection_rate' is not null;
