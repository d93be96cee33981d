-- server only
grant execute on function cairn.audit(text, uuid, uuid, text, uuid, text), cairn.trim_audit(timestamptz, bigint), cairn.blank_audit(uuid, uuid) to cairn_server;

-- The rest of the audit log: accounts, sessions and tokens of CI, which only a cairn server has.
create function cairn.audit_account() returns trigger language plpgsql security definer set search_path = '' as $$
declare origin json := nullif(current_setting('cairn.origin', true), '')::json; begin
  if coalesce((origin ->> 'quiet')::boolean, false) then return null; end if;
  case tg_table_name || ' ' || tg_op
  when 'users INSERT' then perform cairn.audit('user.created', null, new.id, '');
  when 'users UPDATE' then
    if new.encrypted_password <> old.encrypted_password then perform cairn.audit('user.password', null, new.id, ''); end if;
    if lower(new.email) <> lower(old.email) then perform cairn.audit('user.address', null, new.id, ''); end if;
    if new.banned_until is distinct from old.banned_until then
      perform cairn.audit(case when new.banned_until is null then 'user.unbanned' else 'user.banned' end, null, new.id, ''); end if;
  when 'users DELETE' then perform cairn.audit('user.removed', null, old.id, '');
  when 'sessions INSERT' then perform cairn.audit('session.started', null, new.id, new.method, new.user_id, new.ip);
  when 'sessions DELETE' then -- an end that somebody asked for
    if origin is not null and exists (select from auth.users where id = old.user_id) then perform cairn.audit('session.ended', null, old.id, ''); end if;
  when 'ingest_tokens INSERT' then
    perform cairn.audit(case when new.workflow_id is null then 'token.created' else 'token.exchanged' end, new.team_id, new.id, array_to_string(new.scopes, ' '));
  when 'ingest_tokens UPDATE' then perform cairn.audit('token.revoked', new.team_id, new.id, '');
  when 'trusted_workflows INSERT' then perform cairn.audit('workflow.trusted', new.team_id, new.id, array_to_string(new.scopes, ' '));
  when 'trusted_workflows DELETE' then
    if exists (select from public.teams where id = old.team_id) then perform cairn.audit('workflow.removed', old.team_id, old.id, ''); end if;
  end case;
  return null; end $$;
revoke all on function cairn.audit_account() from public;
create trigger audit after insert on auth.users for each row when (not new.bot) execute function cairn.audit_account();
create trigger audit_update after update on auth.users for each row
  when (old.encrypted_password <> new.encrypted_password or old.email <> new.email or old.banned_until is distinct from new.banned_until) execute function cairn.audit_account();
create trigger audit_delete after delete on auth.users for each row when (not old.bot) execute function cairn.audit_account();
create trigger audit after insert or delete on auth.sessions for each row execute function cairn.audit_account();
create trigger audit after insert on cairn.ingest_tokens for each row execute function cairn.audit_account();
create trigger audit_update after update on cairn.ingest_tokens for each row when (old.revoked_at is null and new.revoked_at is not null) execute function cairn.audit_account();
create trigger audit after insert or delete on cairn.trusted_workflows for each row execute function cairn.audit_account();

-- Teams whose rows are being deleted. Nobody is in them any more; a server that stopped in between goes on here.
create table cairn.team_deletions (
  team_id uuid primary key, id uuid not null unique default gen_random_uuid(), -- id: whoever asked can ask how far it is
  begun_at timestamptz not null default now(), done_at timestamptz, slices bigint not null default 0,
  bots text not null default '[]'); -- ids of its tokens' users, in JSON
-- Slugs that a team had before: they lead to it, and no other team can have them.
create table cairn.team_slugs (
  slug text primary key, team_id uuid not null references public.teams (id) on delete cascade, created_at timestamptz not null default clock_timestamp());
create index on cairn.team_slugs (team_id);
-- People who are being erased. Address and names (in JSON) are needed to find what is theirs; names that stand in
-- their place are made with the salt. All of it goes with the row.
create table cairn.erasures (
  user_id uuid primary key, email text not null, names text not null default '[]', salt text not null, begun_at timestamptz not null default now());
grant select, insert, update, delete on cairn.team_deletions, cairn.team_slugs, cairn.erasures to cairn_server;

create function cairn.former_slug() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  if exists (select from cairn.team_slugs where slug = new.slug and team_id <> new.id) then
    raise unique_violation using message = 'duplicate key value violates unique constraint "teams_slug_key"', detail = 'Key (slug)=(' || new.slug || ') already exists.',
      constraint = 'teams_slug_key', table = 'teams', schema = 'public'; end if;
  return new; end $$;
create trigger former_slug before insert or update of slug on public.teams for each row execute function cairn.former_slug();

create or replace function cairn.keep_owner() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  -- Two owners who leave at once wait for each other here.
  if old.role = 'owner' then perform 1 from public.teams where id = old.team_id for no key update; end if;
  if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner') and exists (select 1 from public.teams where id = old.team_id)
    and not exists (select 1 from cairn.team_deletions where team_id = old.team_id)
    and not exists (select 1 from public.team_members where team_id = old.team_id and role = 'owner' and user_id <> old.user_id)
  then raise exception 'a team must keep one owner' using errcode = '23514'; end if;
  return coalesce(new, old); end $$;
