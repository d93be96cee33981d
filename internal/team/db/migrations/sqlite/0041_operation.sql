-- The rest of the audit log: accounts, sessions and tokens of CI.
create trigger audit_user_created after insert on auth_users
  when not new.bot begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, null, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'user.created', new.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_user_password after update on auth_users
  when old.encrypted_password <> new.encrypted_password begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, null, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'user.password', new.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_user_address after update on auth_users
  when lower(old.email) <> lower(new.email) begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, null, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'user.address', new.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_user_banned after update on auth_users
  when old.banned_until is not new.banned_until begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, null, coalesce(o.actor, 'server'), o.user_id, o.token_id, iif(new.banned_until is null, 'user.unbanned', 'user.banned'), new.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_user_removed after delete on auth_users
  when not old.bot begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, null, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'user.removed', old.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_session_started after insert on auth_sessions begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, null, 'user', new.user_id, o.token_id, 'session.started', new.id, new.method, coalesce(nullif(o.address, ''), new.ip) from cairn_asking o where not o.quiet;
end;
-- An end that somebody asked for.
create trigger audit_session_ended after delete on auth_sessions begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, null, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'session.ended', old.id, '', o.address from cairn_asking o where not o.quiet and o.actor is not null and exists (select 1 from auth_users where id = old.user_id);
end;
create trigger audit_token_created after insert on cairn_ingest_tokens begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, iif(new.workflow_id is null, 'token.created', 'token.exchanged'), new.id, replace(replace(replace(replace(new.scopes, '[', ''), ']', ''), '"', ''), ',', ' '), o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_token_revoked after update on cairn_ingest_tokens
  when old.revoked_at is null and new.revoked_at is not null begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'token.revoked', new.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_workflow_trusted after insert on cairn_trusted_workflows begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'workflow.trusted', new.id, replace(replace(replace(replace(new.scopes, '[', ''), ']', ''), '"', ''), ',', ' '), o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_workflow_removed after delete on cairn_trusted_workflows
  when exists (select 1 from teams where id = old.team_id) begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, old.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'workflow.removed', old.id, '', o.address from cairn_asking o where not o.quiet;
end;

-- Teams whose rows are being deleted. Nobody is in them any more; a server that stopped in between goes on here.
create table cairn_team_deletions (
  team_id blob primary key, id blob not null unique default (randomblob(16)), -- id: whoever asked can ask how far it is
  begun_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)), done_at integer, slices integer not null default 0,
  bots text not null default '[]') strict; -- ids of its tokens' users, in JSON
-- Slugs that a team had before: they lead to it, and no other team can have them.
create table cairn_team_slugs (
  slug text primary key, team_id blob not null references teams (id) on delete cascade, created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create index cairn_team_slugs_team_id on cairn_team_slugs (team_id);
-- People who are being erased. Address and names (in JSON) are needed to find what is theirs; names that stand in
-- their place are made with the salt. All of it goes with the row.
create table cairn_erasures (
  user_id blob primary key, email text not null, names text not null default '[]', salt text not null, begun_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;

create trigger teams_former_slug_insert before insert on teams
  when exists (select 1 from cairn_team_slugs where slug = new.slug and team_id <> new.id)
begin insert into cairn_team_slugs select * from cairn_team_slugs where slug = new.slug; end; -- fails: it is there
create trigger teams_former_slug_update before update of slug on teams
  when exists (select 1 from cairn_team_slugs where slug = new.slug and team_id <> new.id)
begin insert into cairn_team_slugs select * from cairn_team_slugs where slug = new.slug; end; -- fails: it is there

drop trigger team_members_keep_owner_delete;
create trigger team_members_keep_owner_delete before delete on team_members
  when old.role = 'owner' and exists (select 1 from teams where id = old.team_id)
    and not exists (select 1 from cairn_team_deletions where team_id = old.team_id)
    and not exists (select 1 from team_members where team_id = old.team_id and role = 'owner' and user_id <> old.user_id)
begin select raise(abort, 'a team must keep one owner'); end;
