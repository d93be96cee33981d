-- What members say of an answer: right or wrong, as a whole (*) or by a criterion of the judges. One word of each. Only
-- people say so: no token of CI, which has cairn.team set.
create table public.eval_labels (
  team_id uuid not null, run_id uuid not null, case_id bigint not null,
  criterion text not null default '*' constraint eval_labels_criterion_check check (criterion <> ''),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  pass boolean not null, created_at timestamptz not null default now(),
  primary key (team_id, run_id, case_id, criterion, user_id),
  constraint eval_labels_team_id_run_id_fkey foreign key (team_id, run_id) references public.eval_runs (team_id, id) on delete cascade);
create trigger stamp before insert or update on public.eval_labels for each row execute function cairn.stamp(); -- one that is changed was given now
create trigger size before insert or update of criterion on public.eval_labels for each row
  when (octet_length(new.criterion) > 500) execute function cairn.too_long();
alter table public.eval_labels enable row level security;
revoke all on public.eval_labels from anon, authenticated, public;
grant all on public.eval_labels to service_role;
grant select, insert, update, delete on public.eval_labels to authenticated;
create policy service on public.eval_labels to service_role using (true) with check (true);
create policy team_read on public.eval_labels for select to authenticated using (team_id = any (array(select cairn.my_teams())));
create policy own_insert on public.eval_labels for insert to authenticated
  with check (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())) and coalesce(current_setting('cairn.team', true), '') = '');
create policy own_update on public.eval_labels for update to authenticated
  using (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())) and coalesce(current_setting('cairn.team', true), '') = '')
  with check (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())));
create policy own_delete on public.eval_labels for delete to authenticated using (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())));
create policy admin_delete on public.eval_labels for delete to authenticated using (team_id = any (array(select cairn.my_teams_as('{owner,admin}'))));
create policy one_repository on public.eval_labels as restrictive to authenticated
  using ((select cairn.my_repo()) is null or cairn.run_in_my_repo(team_id, run_id));
