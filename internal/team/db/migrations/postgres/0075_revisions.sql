-- server only
-- revised counts changes of evals other than that a run of the last seven days comes with all of its rows. What is of runs
-- that are known is right as long as revised stays, and so is what is of a time more than seven days ago, however many
-- runs are pushed meanwhile.
alter table cairn.team_versions add column revised bigint not null default 0;
create or replace function cairn.touch() returns trigger language plpgsql security definer set search_path = '' as $$
declare t uuid; mark text; record int := (tg_table_name !~ '^eval_')::int; revision int := 0; now_pushed text; pushed uuid; begin
  now_pushed := current_setting('cairn.pushed', true);
  if record = 0 and tg_op <> 'INSERT' then revision := 1;
  elsif tg_table_name = 'eval_runs' then -- a run that is pushed alone: what comes for it in this transaction is new, too
    revision := (exists (select from changed where run_at < now() - interval '7 days'))::int;
    perform set_config('cairn.pushed', coalesce((select concat_ws(' ', pg_current_xact_id(), min(id::text)) from changed having count(*) = 1), ''), true);
  elsif tg_table_name in ('eval_results', 'eval_payloads', 'eval_costs') then
    if split_part(now_pushed, ' ', 1) = pg_current_xact_id()::text then pushed := split_part(now_pushed, ' ', 2)::uuid; end if;
    revision := (exists (select from changed where run_id is distinct from pushed))::int;
  elsif tg_table_name = 'eval_cases' then -- of results that may be there
    revision := (split_part(now_pushed, ' ', 1) is distinct from pg_current_xact_id()::text)::int;
  end if;
  for t in select distinct c.team_id from changed c where exists (select from public.teams where id = c.team_id) order by 1 loop
    mark := concat_ws(' ', pg_current_xact_id(), t, record, revision);
    continue when mark = current_setting('cairn.touched', true);
    insert into cairn.team_versions as v (team_id, shard, records, revised) values (t, pg_backend_pid() % 32, record, revision)
      on conflict (team_id, shard) do update set n = v.n + 1, records = v.records + record, revised = v.revised + revision;
    perform set_config('cairn.touched', mark, true);
  end loop;
  return null; end $$;
