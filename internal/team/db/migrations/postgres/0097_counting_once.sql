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
create or replace function cairn.check_usage() returns trigger language plpgsql security definer set search_path = '' as $$
declare l record; u record; mark text; large boolean; begin
  if tg_op = 'UPDATE' and new.n_rows <= old.n_rows and new.n_bytes <= old.n_bytes or new.shard = -1 or not cairn.is_request() then return null; end if;
  select coalesce(q.max_rows, d.max_rows) as max_rows, coalesce(q.max_bytes, d.max_bytes) as max_bytes into l -- as quota_of, without a call
    from cairn.quota_defaults d left join cairn.team_quotas q on q.team_id = new.team_id;
  if l.max_rows = 0 and l.max_bytes = 0 then return null; end if;
  mark := concat_ws(' ', pg_current_xact_id(), new.team_id);
  large := l.max_rows > 0 and (new.n_rows - case when tg_op = 'UPDATE' then old.n_rows else 0 end) > l.max_rows / 10000
    or l.max_bytes > 0 and (new.n_bytes - case when tg_op = 'UPDATE' then old.n_bytes else 0 end) > l.max_bytes / 10000;
  if not large and mark = current_setting('cairn.checked', true) then return null; end if;
  select coalesce(sum(n_rows), 0) as n_rows, coalesce(sum(n_bytes), 0) as n_bytes into u from cairn.team_usage where team_id = new.team_id;
  if large or l.max_rows > 0 and u.n_rows > l.max_rows * 0.95 or l.max_bytes > 0 and u.n_bytes > l.max_bytes * 0.95 then
    perform pg_advisory_xact_lock(hashtextextended('cairn.quota ' || new.team_id, 0));
    select coalesce(sum(n_rows), 0) as n_rows, coalesce(sum(n_bytes), 0) as n_bytes into u from cairn.team_usage where team_id = new.team_id;
  end if;
  if l.max_rows > 0 and u.n_rows > l.max_rows then
    raise exception 'the team may store at most % rows; with this it would have at least %', l.max_rows, u.n_rows using errcode = '53Q01'; end if;
  if l.max_bytes > 0 and u.n_bytes > l.max_bytes then
    raise exception 'the team may store at most % bytes; with this it would have at least %', l.max_bytes, u.n_bytes using errcode = '53Q02'; end if;
  perform set_config('cairn.checked', mark, true);
  return null; end $$;
