-- From 0002_team.sql as it was first released to the text of today.
alter table public.ship_logs
  add column git_sha text not null default '', add column title text not null default '',
  add column author text not null default '', add column author_email text not null default '';
create index ship_logs_commit on public.ship_logs (team_id, git_sha) where git_sha <> '';
drop index public.eval_runs_recent;
create index eval_runs_recent on public.eval_runs (team_id, run_at desc) include (user_id, branch);
create index eval_runs_judged on public.eval_runs (team_id, run_at desc) include (id, repo_slug) where judge_averages is not null;
do $$ declare t text; cols text; begin
  foreach t in array array['plan_snapshots', 'usage_days'] loop
    cols := case t
      when 'plan_snapshots' then 'repo_slug text not null, project text not null default '''', workstream text not null default '''', milestone text not null default '''', phases int not null default 0, phases_done int not null default 0, plans int not null default 0, plans_done int not null default 0, requirements int not null default 0, requirements_done int not null default 0, detail jsonb not null default ''{}'', constraint plan_snapshots_check check (0 <= phases_done and phases_done <= phases and 0 <= plans_done and plans_done <= plans and 0 <= requirements_done and requirements_done <= requirements)'
      else 'repo_slug text not null, date date not null, hostname text not null default '''', agent text not null default '''', sessions int not null default 0, turns int not null default 0, prompts int not null default 0, prompt_chars bigint not null default 0, tools jsonb not null default ''{}'', outputs int not null default 0, tokens_before bigint not null default 0, tokens_after bigint not null default 0, constraint usage_days_check check (least(sessions, turns, prompts, prompt_chars, outputs, tokens_before, tokens_after) >= 0)' end;
    execute format('create table public.%I (team_id uuid not null references public.teams (id) on delete cascade, id uuid not null default gen_random_uuid(), ingest_key text not null, user_id uuid default auth.uid() references auth.users (id) on delete set null, occurred_at timestamptz not null default now(), created_at timestamptz not null default now(), %s, primary key (team_id, id))', t, cols);
    execute format('create unique index %I on public.%I (team_id, ingest_key)', t || '_ingest', t);
    execute format('create index %I on public.%I (team_id, occurred_at desc)', t || '_recent', t);
    execute format('create index %I on public.%I (team_id, repo_slug, occurred_at desc)', t || '_repo', t);
    execute format('create index %I on public.%I (team_id, created_at, id)', t || '_new', t);
    execute format('create trigger stamp before insert on public.%I for each row execute function cairn.stamp()', t);
    execute format('alter table public.%I enable row level security', t);
    execute format('revoke all on public.%I from anon, authenticated, public', t);
    execute format('grant all on public.%I to service_role', t);
    execute format('create policy service on public.%I to service_role using (true) with check (true)', t);
    execute format('create policy team_read on public.%I for select to authenticated using (team_id in (select cairn.my_teams()))', t);
    execute format('create policy team_insert on public.%I for insert to authenticated with check (team_id in (select cairn.my_teams()) and user_id = (select auth.uid()))', t);
    execute format('create policy admin_delete on public.%I for delete to authenticated using (team_id in (select cairn.my_teams_as(''{owner,admin}'')))', t);
    execute format('grant select, insert, delete on public.%I to authenticated', t);
  end loop;
end $$;
