-- The audit log: who did what to a team, when, and from which address. An entry has ids and words of ours, never a
-- name, a mail address or contents. It references nothing, because it outlives what it is about.
create table audit_log (
  id blob not null default (randomblob(16)),
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  team_id blob,
  actor text not null constraint audit_log_actor_check check (actor in ('user', 'token', 'service', 'operator', 'server', 'anonymous')),
  user_id blob,
  token_id blob,
  action text not null constraint audit_log_action_check check (length(action) between 1 and 60),
  object_id blob,
  detail text not null default '' constraint audit_log_detail_check check (length(detail) <= 200),
  address text not null default '' constraint audit_log_address_check check (length(address) <= 64),
  primary key (id)
) strict;
create index audit_log_team on audit_log (team_id, occurred_at desc, id);
create index audit_log_recent on audit_log (occurred_at desc, id);
create index audit_log_user on audit_log (user_id);
create index audit_log_object on audit_log (object_id);
-- Who asks for what is being written, in one row: each update of the server sets it and clears it again.
create table cairn_origin (
  id integer primary key constraint cairn_origin_one check (id = 1), actor text, user_id blob, token_id blob, address text not null default '',
  quiet integer not null default 0, audit_before integer) strict;
insert into cairn_origin (id) values (1);
-- And when: SQLite's clock has milliseconds, so entries of the same one are a microsecond apart, in their order.
create view cairn_asking as select o.*, case when l.at between n.at and n.at + 998 then l.at + 1 else n.at end as now
  from cairn_origin o, (select max(occurred_at) as at from audit_log) l, (select cast(unixepoch('subsec') * 1000000 as integer) as at) n;

-- Entries are final. Retention deletes those before a time that it has named, and an address can be removed.
create trigger audit_log_keep before delete on audit_log
  when not exists (select 1 from cairn_origin where old.occurred_at < audit_before)
begin select raise(abort, 'the audit log is append-only'); end;
create trigger audit_log_final before update on audit_log
  when new.address <> '' or new.id is not old.id or new.occurred_at is not old.occurred_at or new.team_id is not old.team_id or new.actor is not old.actor
    or new.user_id is not old.user_id or new.token_id is not old.token_id or new.action is not old.action or new.object_id is not old.object_id or new.detail is not old.detail
begin select raise(abort, 'the audit log is append-only'); end;

create trigger audit_team_created after insert on teams begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'team.created', new.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_team_renamed after update on teams
  when old.slug <> new.slug or old.name <> new.name begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'team.renamed', new.id, iif(new.slug <> old.slug, 'slug', 'name'), o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_team_deleted after delete on teams begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, old.id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'team.deleted', old.id, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_member_added after insert on team_members begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'member.added', new.user_id, new.role, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_member_role after update on team_members
  when old.role <> new.role begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'member.role', new.user_id, old.role || ' to ' || new.role, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_member_removed after delete on team_members
  when exists (select 1 from teams where id = old.team_id) begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, old.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'member.removed', old.user_id, old.role, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_invitation_created after insert on team_invites begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'invitation.created', new.id, new.role, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_invitation_accepted after update on team_invites
  when old.accepted_at is null and new.accepted_at is not null begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'invitation.accepted', new.id, new.role, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_invitation_withdrawn after delete on team_invites
  when old.accepted_at is null and exists (select 1 from teams where id = old.team_id) begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, old.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, iif(old.expires_at < (cast(unixepoch('subsec') * 1000000 as integer)), 'invitation.expired', 'invitation.withdrawn'), old.id, old.role, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_channel_added after insert on team_channels begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'channel.added', new.id, new.kind, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_channel_changed after update on team_channels
  when old.name <> new.name or old.target <> new.target or old.secret <> new.secret or old.alerts <> new.alerts or old.digest <> new.digest begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'channel.changed', new.id, new.kind, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_channel_removed after delete on team_channels
  when exists (select 1 from teams where id = old.team_id) begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, old.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'channel.removed', old.id, old.kind, o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_settings_made after insert on team_settings begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'settings.changed', null, '', o.address from cairn_asking o where not o.quiet;
end;
create trigger audit_settings_changed after update on team_settings begin
  insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
    select o.now, new.team_id, coalesce(o.actor, 'server'), o.user_id, o.token_id, 'settings.changed', null, '', o.address from cairn_asking o where not o.quiet;
end;
