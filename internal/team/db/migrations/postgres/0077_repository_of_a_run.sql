-- Whether a token of one repository may read a row of a run is looked up only for such a token: as a subselect it was in
-- the plan of every partition, for everybody.
create function cairn.run_in_my_repo(team uuid, run uuid) returns boolean language sql stable security definer set search_path = '' as
  $$ select exists (select from public.eval_runs r where r.team_id = team and r.id = run and r.repo_slug = cairn.my_repo()) $$;
revoke all on function cairn.run_in_my_repo(uuid, uuid) from public;
grant execute on function cairn.run_in_my_repo(uuid, uuid) to authenticated, service_role;
do $$ declare t text; begin
  foreach t in array array['eval_results', 'eval_payloads', 'eval_costs'] loop
    execute format('alter policy one_repository on public.%I using ((select cairn.my_repo()) is null or cairn.run_in_my_repo(team_id, run_id))', t);
  end loop;
end $$;
