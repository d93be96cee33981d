-- When a row came is the server's to say when it is changed, too: pulls go by it.
create function cairn.stamp_again() returns trigger language plpgsql set search_path = '' as $$ begin
  new.created_at := now();
  return new; end $$;
do $$ declare t text; begin
  foreach t in array array['retro_snapshots', 'qa_reports', 'session_transcripts'] loop -- those that their author may update
    execute format('create trigger stamp_again before update of created_at on public.%I for each row execute function cairn.stamp_again()', t);
  end loop; end $$;

-- As before, but one at a time for a user: many at once would all count the same teams.
create or replace function public.create_team(team_slug text, team_name text) returns uuid language plpgsql security definer set search_path = '' as $$
declare new_id uuid; me uuid := (select auth.uid()); begin
  if me is null then raise exception 'must be authenticated' using errcode = '42501'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('cairn.create_team ' || me, 0));
  -- Names are few on a server that lets strangers sign up.
  if (select count(*) from public.team_members where user_id = me and role = 'owner') >= 20 then
    raise exception 'one user can own at most 20 teams' using errcode = '42501'; end if;
  insert into public.teams (slug, name) values (team_slug, team_name) returning id into new_id;
  insert into public.team_members (team_id, user_id, role) values (new_id, me, 'owner');
  return new_id; end $$;
