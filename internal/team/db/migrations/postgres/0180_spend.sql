-- What a person's agents cost on a day in one place, of figures only: no word of a prompt or of an output has room in it.
-- The names are of printable signs without a space; repositories, branches and machines may have letters of any language.
create table public.spend_days (
  team_id uuid not null references public.teams (id) on delete cascade, id uuid not null default gen_random_uuid(), ingest_key text not null,
  user_id uuid default auth.uid() references auth.users (id) on delete set null, occurred_at timestamptz not null default now(),
  created_at timestamptz not null default now(), repo_slug text not null, day date not null, source text not null,
  hostname text not null default '', agent text not null default '', session text not null default '', branch text not null default '',
  commit_sha text not null default '', pull_request int not null default 0, phase text not null default '', model text not null default '',
  input_tokens bigint not null default 0, cache_read_tokens bigint not null default 0, write_5m_tokens bigint not null default 0,
  write_1h_tokens bigint not null default 0, output_tokens bigint not null default 0, requests bigint not null default 0,
  usd_micros bigint not null default 0, unpriced bigint not null default 0,
  constraint spend_days_source_check check (source in ('ledger', 'otlp', 'metrics')),
  constraint spend_days_check check (least(pull_request, input_tokens, cache_read_tokens, write_5m_tokens, write_1h_tokens, output_tokens, requests, usd_micros, unpriced) >= 0 and unpriced <= requests),
  constraint spend_days_names_check check ((agent || session || commit_sha || phase || model) !~ '[^!-~]'),
  constraint spend_days_places_check check ((hostname || branch) !~ '[\x01-\x20\x7f]' and repo_slug !~ '[\x01-\x1f\x7f]'),
  primary key (team_id, id));
create unique index spend_days_ingest on public.spend_days (team_id, ingest_key);
create unique index spend_days_place on public.spend_days (team_id, user_id, day, source, hostname, session, agent, repo_slug, branch, commit_sha, pull_request, model);
create index spend_days_recent on public.spend_days (team_id, occurred_at desc);
create index spend_days_repo on public.spend_days (team_id, repo_slug, occurred_at desc);
create index spend_days_new on public.spend_days (team_id, created_at, id);
create index spend_days_day on public.spend_days (team_id, day);
create index spend_days_session on public.spend_days (team_id, session, source);
-- One that is changed comes again: pulls and copies go by when a row came.
create trigger stamp before insert on public.spend_days for each row execute function cairn.stamp();
create function cairn.stamp_change() returns trigger language plpgsql set search_path = '' as $$ begin
  new.created_at := now();
  return new; end $$;
revoke all on function cairn.stamp_change() from public;
create trigger stamp_change before update on public.spend_days for each row execute function cairn.stamp_change();
create trigger size before insert or update of ingest_key, repo_slug, source, hostname, agent, session, branch, commit_sha, phase, model on public.spend_days for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.source) > 20 or octet_length(new.hostname) > 255 or octet_length(new.agent) > 100 or octet_length(new.session) > 200 or octet_length(new.branch) > 500 or octet_length(new.commit_sha) > 64 or octet_length(new.phase) > 100 or octet_length(new.model) > 200) execute function cairn.too_long();
alter table public.spend_days enable row level security;
revoke all on public.spend_days from anon, authenticated, public;
grant all on public.spend_days to service_role;
grant select, insert, update, delete on public.spend_days to authenticated;
create policy service on public.spend_days to service_role using (true) with check (true);
create policy team_read on public.spend_days for select to authenticated using (team_id = any (array(select cairn.my_teams())));
create policy team_insert on public.spend_days for insert to authenticated with check (team_id = any (array(select cairn.my_teams())) and user_id = (select auth.uid()));
create policy own_update on public.spend_days for update to authenticated
  using (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())))
  with check (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())));
create policy own_delete on public.spend_days for delete to authenticated using (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())));
create policy admin_delete on public.spend_days for delete to authenticated using (team_id = any (array(select cairn.my_teams_as('{owner,admin}'))));
create policy one_repository on public.spend_days as restrictive to authenticated using ((select cairn.my_repo()) is null or repo_slug = (select cairn.my_repo()));
-- Whether members see what each of them spends: not until an owner or an admin of the team turns it on.
alter table public.team_settings add column people_spend boolean not null default false;
grant update (people_spend) on public.team_settings to authenticated;
