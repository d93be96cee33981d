-- server only
-- Labels count among the rows of a team.
create or replace function cairn.counted_tables() returns text[] language sql immutable set search_path = '' as
  $$ select array['eval_runs', 'eval_cases', 'eval_results', 'eval_payloads', 'eval_costs', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'sync_heartbeats', 'eval_labels'] $$;
create function cairn.count_eval_labels() returns trigger language plpgsql security definer set search_path = '' as $$ declare g record; begin
  if tg_op <> 'INSERT' then
    for g in select c.team_id, count(*) as n, sum(octet_length(c.criterion)) as size from gone c group by 1 order by 1 loop
      perform cairn.add_usage(g.team_id, '', -g.n, -g.size); end loop;
  end if;
  if tg_op <> 'DELETE' then
    for g in select c.team_id, count(*) as n, sum(octet_length(c.criterion)) as size from added c group by 1 order by 1 loop
      perform cairn.add_usage(g.team_id, '', g.n, g.size); end loop;
  end if;
  return null; end $$;
revoke all on function cairn.count_eval_labels() from public;
create trigger usage_added after insert on public.eval_labels referencing new table as added for each statement execute function cairn.count_eval_labels();
create trigger usage_changed after update on public.eval_labels referencing old table as gone new table as added for each statement execute function cairn.count_eval_labels();
create trigger usage_gone after delete on public.eval_labels referencing old table as gone for each statement execute function cairn.count_eval_labels();
