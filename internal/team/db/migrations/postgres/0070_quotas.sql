-- server only
-- What a team stores, and how much it may. Limits: null in team_quotas is the server's default, 0 is none. A server writes
-- its defaults when it starts.
create table cairn.quota_defaults (
  id boolean primary key default true constraint quota_defaults_id_check check (id),
  max_rows bigint not null default 0, max_bytes bigint not null default 0, max_messages bigint not null default 0,
  max_channels bigint not null default 0, max_invitations bigint not null default 0);
insert into cairn.quota_defaults default values;
create table cairn.team_quotas (
  team_id uuid primary key references public.teams (id) on delete cascade,
  max_rows bigint, max_bytes bigint, max_messages bigint, max_channels bigint, max_invitations bigint,
  changed_at timestamptz not null default now());
-- Rows and bytes by month of the tables that are dropped by month, '' of the others. Several shards, so that pushes of a
-- team do not wait for each other; -1 has what a count of the rows themselves corrected.
create table cairn.team_usage (
  team_id uuid not null, month text not null, shard smallint not null, n_rows bigint not null default 0, n_bytes bigint not null default 0,
  primary key (team_id, month, shard)) with (fillfactor = 50);
-- Teams whose rows were counted. Those of before this migration are counted by a job.
create table cairn.counted_teams (team_id uuid primary key, counted_at timestamptz not null default now());
-- Attempts to send a message, by day in UTC.
create table cairn.team_messages (team_id uuid not null, day date not null, n bigint not null default 0, primary key (team_id, day));
grant select, insert, update, delete on cairn.quota_defaults, cairn.team_quotas, cairn.team_usage, cairn.counted_teams, cairn.team_messages to cairn_server;
grant select on cairn.quota_defaults, cairn.team_quotas, cairn.team_usage, cairn.team_messages to authenticated;
alter table cairn.team_quotas enable row level security;
alter table cairn.team_usage enable row level security;
alter table cairn.team_messages enable row level security;
do $$ declare t text; begin
  foreach t in array array['team_quotas', 'team_usage', 'team_messages'] loop
    execute format('create policy server on cairn.%I to cairn_server using (true) with check (true)', t);
    execute format('create policy admin_read on cairn.%I for select to authenticated using (team_id = any (array(select cairn.my_teams_as(''{owner,admin}''))))', t);
    execute format('create policy one_repository on cairn.%I as restrictive for select to authenticated using ((select cairn.my_repo()) is null)', t);
  end loop;
end $$;

create function cairn.quota_of(p_team uuid, out max_rows bigint, out max_bytes bigint, out max_messages bigint, out max_channels bigint, out max_invitations bigint)
  language sql stable security definer set search_path = '' as $$
  select coalesce(q.max_rows, d.max_rows), coalesce(q.max_bytes, d.max_bytes), coalesce(q.max_messages, d.max_messages),
    coalesce(q.max_channels, d.max_channels), coalesce(q.max_invitations, d.max_invitations)
  from cairn.quota_defaults d left join cairn.team_quotas q on q.team_id = p_team $$;
-- Whether a transaction is somebody's request. The server's own work, an erasure for example, is never refused.
create function cairn.is_request() returns boolean language sql stable set search_path = '' as $$
  select current_setting('role', true) in ('authenticated', 'service_role')
    or coalesce(o.j ->> 'actor', '') in ('user', 'token', 'service') and not coalesce((o.j ->> 'quiet')::boolean, false)
  from (select nullif(current_setting('cairn.origin', true), '')::json as j) o $$;

-- The size of JSON as it is before compression: alike for a new value and for a stored one. An empty object or array
-- before it leaves it as it is.
create function cairn.json_size(j jsonb) returns int language sql immutable parallel safe set search_path = '' as
  $$ select coalesce(pg_column_size(case jsonb_typeof(j) when 'object' then '{}'::jsonb || j when 'array' then '[]'::jsonb || j else j end), 0) $$;
-- The bytes of texts and JSON in a row c of a table, as an expression.
create function cairn.size_of(t regclass) returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(format(case atttypid when 'jsonb'::regtype then 'cairn.json_size(c.%I)' when 'text[]'::regtype then 'coalesce(octet_length(c.%I::text), 0)' else 'coalesce(octet_length(c.%I), 0)' end, attname), ' + ' order by attname), '0')
  from pg_catalog.pg_attribute where attrelid = t and attnum > 0 and not attisdropped and atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype) $$;
create function cairn.month_of(t text) returns text language sql immutable set search_path = '' as
  $$ select case when t in ('eval_results', 'eval_payloads') then 'to_char(c.run_at at time zone ''UTC'', ''YYYYMM'')' else '''''::text' end $$;
create function cairn.counted_tables() returns text[] language sql immutable set search_path = '' as
  $$ select array['eval_runs', 'eval_cases', 'eval_results', 'eval_payloads', 'eval_costs', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'sync_heartbeats'] $$;

create function cairn.add_usage(p_team uuid, p_month text, p_rows bigint, p_bytes bigint) returns void language plpgsql security definer set search_path = '' as $$ begin
  -- What goes with a team that was deleted is not counted.
  if p_rows = 0 and p_bytes = 0 or not exists (select from public.teams where id = p_team) then return; end if;
  insert into cairn.team_usage as u (team_id, month, shard, n_rows, n_bytes) values (p_team, p_month, pg_backend_pid() % 32, p_rows, p_bytes)
    on conflict (team_id, month, shard) do update set n_rows = u.n_rows + excluded.n_rows, n_bytes = u.n_bytes + excluded.n_bytes; end $$;
do $$ declare t text; size text; month text; begin
  foreach t in array cairn.counted_tables() loop
    size := cairn.size_of(('public.' || t)::regclass);
    month := cairn.month_of(t);
    execute format($f$
      create function cairn.%1$I() returns trigger language plpgsql security definer set search_path = '' as $b$ declare g record; begin
        if tg_op = 'INSERT' then
          for g in select c.team_id, %2$s as month, count(*) as n, sum(%3$s) as size from added c group by 1, 2 order by 1, 2 loop
            perform cairn.add_usage(g.team_id, g.month, g.n, g.size); end loop;
        elsif tg_op = 'DELETE' then
          for g in select c.team_id, %2$s as month, count(*) as n, sum(%3$s) as size from gone c group by 1, 2 order by 1, 2 loop
            perform cairn.add_usage(g.team_id, g.month, -g.n, -g.size); end loop;
        else
          for g in select x.team_id, x.month, sum(x.n) as n, sum(x.size) as size from (
              select c.team_id, %2$s as month, 1 as n, %3$s as size from added c
              union all select c.team_id, %2$s, -1, -(%3$s) from gone c) x group by 1, 2 order by 1, 2 loop
            perform cairn.add_usage(g.team_id, g.month, g.n, g.size); end loop;
        end if;
        return null; end $b$ $f$, 'count_' || t, month, size);
    execute format('revoke all on function cairn.%I() from public', 'count_' || t);
    execute format('create trigger usage_added after insert on public.%I referencing new table as added for each statement execute function cairn.%I()', t, 'count_' || t);
    execute format('create trigger usage_changed after update on public.%I referencing old table as gone new table as added for each statement execute function cairn.%I()', t, 'count_' || t);
    execute format('create trigger usage_gone after delete on public.%I referencing old table as gone for each statement execute function cairn.%I()', t, 'count_' || t);
  end loop;
end $$;

-- Counts the rows of a team and corrects what the triggers know of them. It is one statement: it sees rows and
-- counters of the same moment.
create function cairn.count_team(p_team uuid) returns void language plpgsql security definer set search_path = '' as $$
declare q text := 'select month, -n_rows as n, -n_bytes as size from cairn.team_usage where team_id = $1'; t text; begin
  perform pg_advisory_xact_lock(hashtextextended('cairn.count_team ' || p_team, 0));
  foreach t in array cairn.counted_tables() loop
    q := q || format(' union all select %s, count(*), coalesce(sum(%s), 0) from public.%I c where team_id = $1 group by 1', cairn.month_of(t), cairn.size_of(('public.' || t)::regclass), t);
  end loop;
  execute 'insert into cairn.team_usage as u (team_id, month, shard, n_rows, n_bytes)
    select $1, month, -1, sum(n), sum(size) from (' || q || ') x group by month having sum(n) <> 0 or sum(size) <> 0
    on conflict (team_id, month, shard) do update set n_rows = u.n_rows + excluded.n_rows, n_bytes = u.n_bytes + excluded.n_bytes' using p_team;
  insert into cairn.counted_teams (team_id) select id from public.teams where id = p_team on conflict (team_id) do update set counted_at = now(); end $$;

-- At the end of a transaction, so that whoever is close to the limit waits for others only while they commit. Far from it
-- and by little nobody waits: what all connections add at once is less than the distance.
create function cairn.check_usage() returns trigger language plpgsql security definer set search_path = '' as $$
declare l record; u record; mark text; large boolean; begin
  if tg_op = 'UPDATE' and new.n_rows <= old.n_rows and new.n_bytes <= old.n_bytes then return null; end if;
  select * into l from cairn.quota_of(new.team_id);
  if l.max_rows = 0 and l.max_bytes = 0 or new.shard = -1 or not cairn.is_request() then return null; end if;
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
create constraint trigger check_usage after insert or update on cairn.team_usage deferrable initially deferred for each row execute function cairn.check_usage();

-- Channels and invitations are few: who adds one waits for others of the team.
create function cairn.check_number() returns trigger language plpgsql security definer set search_path = '' as $$
declare l record; n bigint; begin
  select * into l from cairn.quota_of(new.team_id);
  if not cairn.is_request() then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('cairn.quota ' || new.team_id, 0));
  if tg_table_name = 'team_channels' and l.max_channels > 0 then
    select count(*) into n from public.team_channels where team_id = new.team_id;
    if n >= l.max_channels then raise exception 'the team may have at most % alert channels, and has %', l.max_channels, n using errcode = '23Q01'; end if;
  elsif tg_table_name = 'team_invites' and l.max_invitations > 0 then
    select count(*) into n from public.team_invites where team_id = new.team_id and accepted_at is null and expires_at > now();
    if n >= l.max_invitations then raise exception 'the team may have at most % open invitations, and has %', l.max_invitations, n using errcode = '23Q02'; end if;
  end if;
  return new; end $$;
create trigger quota before insert on public.team_channels for each row execute function cairn.check_number();
create trigger quota before insert on public.team_invites for each row execute function cairn.check_number();

create function cairn.count_message() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  insert into cairn.team_messages as m (team_id, day, n) values (new.team_id, (now() at time zone 'UTC')::date, new.attempts - old.attempts)
    on conflict (team_id, day) do update set n = m.n + excluded.n;
  return null; end $$;
create trigger count_message after update of attempts on public.deliveries for each row when (new.attempts > old.attempts) execute function cairn.count_message();

create function cairn.forget_usage() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  delete from cairn.team_usage where team_id in (select id from changed);
  delete from cairn.counted_teams where team_id in (select id from changed);
  delete from cairn.team_messages where team_id in (select id from changed);
  return null; end $$;
create trigger usage_gone after delete on public.teams referencing old table as changed for each statement execute function cairn.forget_usage();

create function cairn.audit_quota() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  perform cairn.audit('quota.changed', new.team_id, null, concat_ws(' ', 'rows=' || new.max_rows, 'bytes=' || new.max_bytes, 'messages=' || new.max_messages,
    'channels=' || new.max_channels, 'invitations=' || new.max_invitations));
  return null; end $$;
create trigger audit after insert or update on cairn.team_quotas for each row execute function cairn.audit_quota();

-- One user can own at most 20 teams, also those that others made: a team's quota would be no limit.
create function cairn.check_owner() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  if not cairn.is_request() then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('cairn.owner ' || new.user_id, 0));
  if (select count(*) from public.team_members where user_id = new.user_id and role = 'owner') >= 20 then
    raise exception 'one user can own at most 20 teams' using errcode = '42501'; end if;
  return new; end $$;
create trigger quota before insert on public.team_members for each row when (new.role = 'owner') execute function cairn.check_owner();
create trigger quota_changed before update on public.team_members for each row when (new.role = 'owner' and old.role <> 'owner') execute function cairn.check_owner();

-- Parts of runs are not rows yet: together with what is stored they must fit.
create function cairn.check_part() returns trigger language plpgsql security definer set search_path = '' as $$
declare l record; n bigint; begin
  select * into l from cairn.quota_of(new.team_id);
  if l.max_bytes = 0 or not cairn.is_request() then return null; end if;
  select coalesce((select sum(n_bytes) from cairn.team_usage where team_id = new.team_id), 0)
    + coalesce((select sum(pg_column_size(body)) from cairn.eval_parts where team_id = new.team_id), 0) into n;
  if n > l.max_bytes then raise exception 'the team may store at most % bytes; with this it would have at least %', l.max_bytes, n using errcode = '53Q02'; end if;
  return null; end $$;
create trigger quota after insert or update on cairn.eval_parts for each row execute function cairn.check_part();

-- A month that is dropped gives its room back.
create or replace function cairn.drop_months_before(at timestamptz) returns int language plpgsql security definer set search_path = '' as $$
declare t record; months text[] := '{}'; first timestamptz := date_trunc('month', at, 'UTC'); begin
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
  delete from cairn.team_usage where month <> '' and month < to_char(at at time zone 'UTC', 'YYYYMM');
  return cardinality(months);
end $$;

revoke all on function cairn.quota_of(uuid), cairn.is_request(), cairn.json_size(jsonb), cairn.size_of(regclass), cairn.month_of(text), cairn.counted_tables(),
  cairn.add_usage(uuid, text, bigint, bigint), cairn.count_team(uuid), cairn.check_usage(), cairn.check_number(), cairn.check_part(), cairn.check_owner(), cairn.count_message(), cairn.forget_usage(), cairn.audit_quota() from public;
grant execute on function cairn.quota_of(uuid), cairn.count_team(uuid) to cairn_server;
