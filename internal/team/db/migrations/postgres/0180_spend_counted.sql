-- server only
-- What agents cost counts among the rows of a team, and a change of it among those of its pages.
create or replace function cairn.counted_tables() returns text[] language sql immutable set search_path = '' as
  $$ select array['eval_runs', 'eval_cases', 'eval_results', 'eval_payloads', 'eval_costs', 'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'plan_snapshots', 'usage_days', 'sync_heartbeats', 'eval_labels', 'spend_days'] $$;
create function cairn.count_spend_days() returns trigger language plpgsql security definer set search_path = '' as $$ declare g record; begin
  if tg_op <> 'INSERT' then
    for g in select c.team_id, count(*) as n, sum(octet_length(c.agent) + octet_length(c.branch) + octet_length(c.commit_sha) + octet_length(c.hostname) + octet_length(c.ingest_key) + octet_length(c.model) + octet_length(c.phase) + octet_length(c.repo_slug) + octet_length(c.session) + octet_length(c.source)) as size from gone c group by 1 order by 1 loop
      perform cairn.add_usage(g.team_id, '', -g.n, -g.size); end loop;
  end if;
  if tg_op <> 'DELETE' then
    for g in select c.team_id, count(*) as n, sum(octet_length(c.agent) + octet_length(c.branch) + octet_length(c.commit_sha) + octet_length(c.hostname) + octet_length(c.ingest_key) + octet_length(c.model) + octet_length(c.phase) + octet_length(c.repo_slug) + octet_length(c.session) + octet_length(c.source)) as size from added c group by 1 order by 1 loop
      perform cairn.add_usage(g.team_id, '', g.n, g.size); end loop;
  end if;
  return null; end $$;
revoke all on function cairn.count_spend_days() from public;
create trigger usage_added after insert on public.spend_days referencing new table as added for each statement execute function cairn.count_spend_days();
create trigger usage_changed after update on public.spend_days referencing old table as gone new table as added for each statement execute function cairn.count_spend_days();
create trigger usage_gone after delete on public.spend_days referencing old table as gone for each statement execute function cairn.count_spend_days();
create trigger touch_added after insert on public.spend_days referencing new table as changed for each statement execute function cairn.touch();
create trigger touch_changed after update on public.spend_days referencing new table as changed for each statement execute function cairn.touch();
create trigger touch_gone after delete on public.spend_days referencing old table as changed for each statement execute function cairn.touch();
