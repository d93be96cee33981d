-- server only
-- What telemetry needs to be counted once: where cumulative sums stood, and which messages came in the last hour, for one
-- that is sent again because its answer got lost. Hashes, numbers and times only.
create table cairn.telemetry_sums (
  team_id uuid not null references public.teams (id) on delete cascade, user_id uuid not null references auth.users (id) on delete cascade,
  series bytea not null, start_ns bigint not null, at_ns bigint not null, value double precision not null, n bigint not null,
  seen_at timestamptz not null, primary key (team_id, user_id, series));
create table cairn.telemetry_seen (
  team_id uuid not null references public.teams (id) on delete cascade, user_id uuid not null references auth.users (id) on delete cascade,
  digest bytea not null, seen_at timestamptz not null, primary key (team_id, user_id, digest));
create index telemetry_sums_old on cairn.telemetry_sums (team_id, user_id, seen_at);
create index telemetry_seen_old on cairn.telemetry_seen (team_id, user_id, seen_at);
do $$ declare t text; begin
  foreach t in array array['telemetry_sums', 'telemetry_seen'] loop
    execute format('alter table cairn.%I enable row level security', t);
    execute format('revoke all on cairn.%I from anon, authenticated, public', t);
    execute format('grant select, insert, update, delete on cairn.%I to authenticated', t);
    execute format('grant all on cairn.%I to cairn_server', t);
    execute format('create policy own on cairn.%I to authenticated using (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams()))) with check (user_id = (select auth.uid()) and team_id = any (array(select cairn.my_teams())))', t);
    execute format('create policy server on cairn.%I to cairn_server using (true) with check (true)', t);
  end loop;
end $$;
