-- server only
-- As in 0075, but what comes with a run in its transaction is looked at once, and counted once also where the run is old.
create or replace function cairn.touch() returns trigger language plpgsql security definer set search_path = '' as $$
declare teams uuid[]; t uuid; xid text := pg_current_xact_id(); was text := current_setting('cairn.pushed', true); pushed uuid;
  record int := (tg_table_name !~ '^eval_')::int; revision int := 0; begin
  if split_part(was, ' ', 1) = xid then pushed := split_part(was, ' ', 2); end if;
  if tg_op = 'INSERT' and tg_table_name in ('eval_results', 'eval_payloads', 'eval_costs') then
    select array_agg(team_id), bool_or(r)::int into teams, revision from (select team_id, bool_or(run_id is distinct from pushed) as r from changed group by 1 order by 1) c;
  else
    select array_agg(team_id) into teams from (select distinct team_id from changed order by 1) c;
    if record = 0 and tg_op <> 'INSERT' then revision := 1;
    elsif tg_table_name = 'eval_runs' then -- a run that is pushed alone: what comes for it in this transaction is new, too
      revision := (exists (select from changed where run_at < now() - interval '7 days'))::int;
      perform set_config('cairn.pushed', coalesce((select concat_ws(' ', xid, min(id::text)) from changed having count(*) = 1), ''), true);
    elsif tg_table_name = 'eval_cases' then -- of results that may be there
      revision := (pushed is null)::int;
    end if;
  end if;
  foreach t in array coalesce(teams, '{}') loop
    continue when current_setting('cairn.touched', true) in (concat_ws(' ', xid, t, record, revision), concat_ws(' ', xid, t, record, 1));
    update cairn.team_versions set n = n + 1, records = records + record, revised = revised + revision where team_id = t and shard = pg_backend_pid() % 32;
    if not found then -- a team that has just been deleted stays so
      insert into cairn.team_versions as v (team_id, shard, records, revised) select id, pg_backend_pid() % 32, record, revision from public.teams where id = t
        on conflict (team_id, shard) do update set n = v.n + 1, records = v.records + record, revised = v.revised + revision;
    end if;
    perform set_config('cairn.touched', concat_ws(' ', xid, t, record, revision), true);
  end loop;
  return null; end $$;

create or replace function cairn.add_usage(p_team uuid, p_month text, p_rows bigint, p_bytes bigint) returns void language plpgsql security definer set search_path = '' as $$ begin
  if p_rows = 0 and p_bytes = 0 then return; end if;
  update cairn.team_usage set n_rows = n_rows + p_rows, n_bytes = n_bytes + p_bytes where team_id = p_team and month = p_month and shard = pg_backend_pid() % 32;
  if found then return; end if;
  -- What goes with a team that was deleted is not counted.
  insert into cairn.team_usage as u (team_id, month, shard, n_rows, n_bytes) select id, p_month, pg_backend_pid() % 32, p_rows, p_bytes from public.teams where id = p_team
    on conflict (team_id, month, shard) do update set n_rows = u.n_rows + excluded.n_rows, n_bytes = u.n_bytes + excluded.n_bytes; end $$;
