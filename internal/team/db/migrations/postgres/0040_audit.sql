-- The audit log: who did what to a team, when, and from which address. An entry has ids and words of ours, never a
-- name, a mail address or contents. It references nothing, because it outlives what it is about.
create table public.audit_log (
  id uuid primary key default gen_random_uuid(),
  occurred_at timestamptz not null default clock_timestamp(),
  team_id uuid, -- null: of the server
  actor text not null constraint audit_log_actor_check check (actor in ('user', 'token', 'service', 'operator', 'server', 'anonymous')),
  user_id uuid, token_id uuid,
  action text not null constraint audit_log_action_check check (length(action) between 1 and 60),
  object_id uuid, -- the member, invitation, token, channel, … that it was done to
  detail text not null default '' constraint audit_log_detail_check check (length(detail) <= 200),
  address text not null default '' constraint audit_log_address_check check (length(address) <= 64));
create index audit_log_team on public.audit_log (team_id, occurred_at desc, id);
create index audit_log_recent on public.audit_log (occurred_at desc, id);
create index audit_log_user on public.audit_log (user_id);
create index audit_log_object on public.audit_log (object_id);
alter table public.audit_log enable row level security;
revoke all on public.audit_log from anon, authenticated, service_role, public;
grant select on public.audit_log to authenticated, service_role;
create policy service on public.audit_log for select to service_role using (true);
create policy admin_read on public.audit_log for select to authenticated using (team_id = any (array(select cairn.my_teams_as('{owner,admin}'))));
create policy one_repository on public.audit_log as restrictive to authenticated using ((select cairn.my_repo()) is null);

-- Entries are final. Retention deletes those before a time that it has named, and an address can be removed.
create function cairn.audit_is_final() returns trigger language plpgsql set search_path = '' as $$ begin
  if tg_op = 'DELETE' and old.occurred_at < nullif(current_setting('cairn.audit_before', true), '')::timestamptz then return old; end if;
  if tg_op = 'UPDATE' then
    old.address := '';
    if old is not distinct from new then return new; end if;
  end if;
  raise exception 'the audit log is append-only' using errcode = '42501'; end $$;
create trigger final before update or delete on public.audit_log for each row execute function cairn.audit_is_final();
create trigger final_all before truncate on public.audit_log for each statement execute function cairn.audit_is_final();

-- Writes an entry. A cairn server says who asks in the setting cairn.origin; elsewhere the access token says it.
create function cairn.audit(p_action text, p_team uuid, p_object uuid, p_detail text, p_user uuid default null, p_address text default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  origin json := nullif(current_setting('cairn.origin', true), '')::json;
  claims json := nullif(current_setting('request.jwt.claims', true), '')::json;
  who uuid := coalesce(p_user, (origin ->> 'user')::uuid, (claims ->> 'sub')::uuid);
begin
  insert into public.audit_log (team_id, actor, user_id, token_id, action, object_id, detail, address) values (p_team,
    case when p_user is not null then 'user' when origin ->> 'actor' is not null then origin ->> 'actor' when who is not null then 'user'
      when claims ->> 'role' = 'service_role' then 'service' else 'server' end,
    who, (origin ->> 'token')::uuid, p_action, p_object, coalesce(p_detail, ''), coalesce(origin ->> 'address', p_address, '')); end $$;
create function cairn.audit_change() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  if coalesce((nullif(current_setting('cairn.origin', true), '')::json ->> 'quiet')::boolean, false) then return null; end if;
  case tg_table_name || ' ' || tg_op
  when 'teams INSERT' then perform cairn.audit('team.created', new.id, new.id, '');
  when 'teams UPDATE' then perform cairn.audit('team.renamed', new.id, new.id, case when new.slug <> old.slug then 'slug' else 'name' end);
  when 'teams DELETE' then perform cairn.audit('team.deleted', old.id, old.id, '');
  when 'team_members INSERT' then perform cairn.audit('member.added', new.team_id, new.user_id, new.role);
  when 'team_members UPDATE' then perform cairn.audit('member.role', new.team_id, new.user_id, old.role || ' to ' || new.role);
  when 'team_members DELETE' then
    if exists (select from public.teams where id = old.team_id) then perform cairn.audit('member.removed', old.team_id, old.user_id, old.role); end if;
  when 'team_invites INSERT' then perform cairn.audit('invitation.created', new.team_id, new.id, new.role);
  when 'team_invites UPDATE' then perform cairn.audit('invitation.accepted', new.team_id, new.id, new.role);
  when 'team_invites DELETE' then
    if old.accepted_at is null and exists (select from public.teams where id = old.team_id) then
      perform cairn.audit(case when old.expires_at < now() then 'invitation.expired' else 'invitation.withdrawn' end, old.team_id, old.id, old.role); end if;
  when 'team_channels INSERT' then perform cairn.audit('channel.added', new.team_id, new.id, new.kind);
  when 'team_channels UPDATE' then perform cairn.audit('channel.changed', new.team_id, new.id, new.kind);
  when 'team_channels DELETE' then
    if exists (select from public.teams where id = old.team_id) then perform cairn.audit('channel.removed', old.team_id, old.id, old.kind); end if;
  when 'team_settings INSERT', 'team_settings UPDATE' then perform cairn.audit('settings.changed', new.team_id, null, '');
  end case;
  return null; end $$;
create trigger audit after insert or delete on public.teams for each row execute function cairn.audit_change();
create trigger audit_update after update on public.teams for each row when (old.slug <> new.slug or old.name <> new.name) execute function cairn.audit_change();
create trigger audit after insert or delete on public.team_members for each row execute function cairn.audit_change();
create trigger audit_update after update on public.team_members for each row when (old.role <> new.role) execute function cairn.audit_change();
create trigger audit after insert or delete on public.team_invites for each row execute function cairn.audit_change();
create trigger audit_update after update on public.team_invites for each row when (old.accepted_at is null and new.accepted_at is not null) execute function cairn.audit_change();
create trigger audit after insert or delete on public.team_channels for each row execute function cairn.audit_change();
create trigger audit_update after update on public.team_channels for each row
  when (old.name <> new.name or old.target <> new.target or old.secret <> new.secret or old.alerts <> new.alerts or old.digest <> new.digest) execute function cairn.audit_change();
create trigger audit after insert or update on public.team_settings for each row execute function cairn.audit_change();

-- Retention: deletes entries before a time, and of each team the oldest beyond so many.
create function cairn.trim_audit(p_before timestamptz, p_most bigint) returns bigint language plpgsql security definer set search_path = '' as $$
declare n bigint; more bigint; t record; begin
  perform set_config('cairn.audit_before', p_before::text, true);
  delete from public.audit_log where occurred_at < p_before;
  get diagnostics n = row_count;
  for t in select team_id from public.audit_log group by team_id having count(*) > p_most loop
    perform set_config('cairn.audit_before', (select occurred_at::text from public.audit_log where team_id is not distinct from t.team_id order by occurred_at desc, id offset p_most - 1 limit 1), true);
    delete from public.audit_log where team_id is not distinct from t.team_id and occurred_at < current_setting('cairn.audit_before')::timestamptz;
    get diagnostics more = row_count;
    n := n + more;
  end loop;
  perform set_config('cairn.audit_before', '', true);
  return n; end $$;
-- Removes the addresses of a team's entries, or of those that are by or about a person.
create function cairn.blank_audit(p_team uuid, p_person uuid) returns void language sql security definer set search_path = '' as
  $$ update public.audit_log set address = '' where address <> '' and (team_id = p_team or user_id = p_person or object_id = p_person) $$;
revoke all on function cairn.audit(text, uuid, uuid, text, uuid, text), cairn.audit_change(), cairn.audit_is_final(), cairn.trim_audit(timestamptz, bigint), cairn.blank_audit(uuid, uuid) from public;
