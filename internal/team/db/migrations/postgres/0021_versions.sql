-- server only
-- How often what a team's pages show has changed: a page that was made at the same sum is still right, on every server of
-- the database. records counts what is no eval: figures of it outlive pushes. Several rows a team, so that pushes of a team
-- do not wait for each other; none is ever set back.
create table cairn.team_versions (
  team_id uuid not null, shard smallint not null, n bigint not null default 1, records bigint not null default 0, primary key (team_id, shard)) with (fillfactor = 50);
grant select on cairn.team_versions to authenticated, service_role;
grant select, insert, update on cairn.team_versions to cairn_server;
-- Once for a transaction and team: a push writes into five tables. A team that has just been deleted is not counted: what
-- goes with it comes here after touch_team.
create function cairn.touch() returns trigger language plpgsql security definer set search_path = '' as $$
declare t uuid; mark text; record int := (tg_table_name !~ '^eval_')::int; begin
  for t in select distinct c.team_id from changed c where exists (select from public.teams where id = c.team_id) order by 1 loop
    mark := concat_ws(' ', pg_current_xact_id(), t, record);
    continue when mark = current_setting('cairn.touched', true);
    insert into cairn.team_versions as v (team_id, shard, records) values (t, pg_backend_pid() % 32, record)
      on conflict (team_id, shard) do update set n = v.n + 1, records = v.records + record;
    perform set_config('cairn.touched', mark, true);
  end loop;
  return null; end $$;
do $$ declare t text; begin
  foreach t in array array['team_members', 'eval_runs', 'eval_cases', 'eval_results', 'eval_payloads', 'eval_costs', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'sync_heartbeats', 'team_settings', 'team_channels', 'alerts', 'deliveries'] loop
    execute format('create trigger touch_added after insert on public.%I referencing new table as changed for each statement execute function cairn.touch()', t);
    execute format('create trigger touch_changed after update on public.%I referencing new table as changed for each statement execute function cairn.touch()', t);
    execute format('create trigger touch_gone after delete on public.%I referencing old table as changed for each statement execute function cairn.touch()', t);
  end loop;
end $$;
-- What a team is called, and its people. A team that is deleted leaves nothing.
create function cairn.touch_team() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  if tg_op = 'DELETE' then delete from cairn.team_versions where team_id in (select id from changed); return null; end if;
  insert into cairn.team_versions as v (team_id, shard, records) select id, pg_backend_pid() % 32, 1 from changed order by 1
    on conflict (team_id, shard) do update set n = v.n + 1, records = v.records + 1;
  return null; end $$;
create trigger touch_changed after update on public.teams referencing new table as changed for each statement execute function cairn.touch_team();
create trigger touch_gone after delete on public.teams referencing old table as changed for each statement execute function cairn.touch_team();
create function cairn.touch_person() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  insert into cairn.team_versions as v (team_id, shard, records) select team_id, pg_backend_pid() % 32, 1 from public.team_members where user_id = new.id order by 1
    on conflict (team_id, shard) do update set n = v.n + 1, records = v.records + 1;
  return null; end $$;
create trigger touch_changed after update of email on auth.users for each row when (old.email is distinct from new.email) execute function cairn.touch_person();
revoke all on function cairn.touch(), cairn.touch_team(), cairn.touch_person() from public;
