-- server only
-- Parts of runs: those of a team come one after the other, so that together they fit, too, and they have a number: each one
-- that comes looks at the others.
create or replace function cairn.check_part() returns trigger language plpgsql security definer set search_path = '' as $$
declare l record; parts record; stored bigint; begin
  perform pg_advisory_xact_lock(hashtextextended('cairn.parts ' || new.team_id, 0));
  select count(*) as n, coalesce(sum(pg_column_size(body)), 0) as size into parts from cairn.eval_parts where team_id = new.team_id;
  if parts.n > 5000 then raise exception 'the team has 5,000 parts whose runs did not come' using errcode = '53400'; end if;
  select * into l from cairn.quota_of(new.team_id);
  if l.max_bytes = 0 or not cairn.is_request() then return null; end if;
  select coalesce(sum(n_bytes), 0) into stored from cairn.team_usage where team_id = new.team_id;
  if stored + parts.size > l.max_bytes then
    raise exception 'the team may store at most % bytes; with this it would have at least %', l.max_bytes, stored + parts.size using errcode = '53Q02'; end if;
  return null; end $$;
