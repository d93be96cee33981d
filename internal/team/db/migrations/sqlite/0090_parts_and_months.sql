-- Results and payloads of a run go with it, each out of the month that it was counted in: that need not be the run's.
drop trigger eval_runs_usage_results;
create trigger eval_runs_usage_results before delete on eval_runs begin
  insert into cairn_team_usage (team_id, month, n_rows, n_bytes)
    select old.team_id, strftime('%Y%m', x.run_at / 1000000, 'unixepoch'), -count(*), -sum(x.size) from (
      select run_at, 0 as size from eval_results where team_id = old.team_id and run_id = old.id
      union all select run_at, octet_length(payload) from eval_payloads where team_id = old.team_id and run_id = old.id) x
    where true group by 2
    on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes;
end;
