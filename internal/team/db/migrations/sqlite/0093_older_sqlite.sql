-- As before, but for SQLite before 3.47, whose raise() takes no expression: what else opens the file, as Litestream and
-- sqlite3 do, reads the whole schema. The text of the refusal stands in the error of a path that is none.
drop trigger cairn_team_usage_check_insert;
create trigger cairn_team_usage_check_insert after insert on cairn_team_usage when new.n_rows > 0 or new.n_bytes > 0 begin
  select json_extract('{}', 'quota rows: the team may store at most ' || q.max_rows || ' rows; with this it would have at least ' || u.n) from cairn_request, cairn_quotas q,
    (select sum(n_rows) as n from cairn_team_usage where team_id = new.team_id) u where q.team_id = new.team_id and q.max_rows > 0 and u.n > q.max_rows;
  select json_extract('{}', 'quota bytes: the team may store at most ' || q.max_bytes || ' bytes; with this it would have at least ' || u.n) from cairn_request, cairn_quotas q,
    (select sum(n_bytes) as n from cairn_team_usage where team_id = new.team_id) u where q.team_id = new.team_id and q.max_bytes > 0 and u.n > q.max_bytes;
end;
drop trigger cairn_team_usage_check_update;
create trigger cairn_team_usage_check_update after update on cairn_team_usage when new.n_rows > old.n_rows or new.n_bytes > old.n_bytes begin
  select json_extract('{}', 'quota rows: the team may store at most ' || q.max_rows || ' rows; with this it would have at least ' || u.n) from cairn_request, cairn_quotas q,
    (select sum(n_rows) as n from cairn_team_usage where team_id = new.team_id) u where q.team_id = new.team_id and q.max_rows > 0 and u.n > q.max_rows;
  select json_extract('{}', 'quota bytes: the team may store at most ' || q.max_bytes || ' bytes; with this it would have at least ' || u.n) from cairn_request, cairn_quotas q,
    (select sum(n_bytes) as n from cairn_team_usage where team_id = new.team_id) u where q.team_id = new.team_id and q.max_bytes > 0 and u.n > q.max_bytes;
end;
drop trigger team_channels_quota;
create trigger team_channels_quota before insert on team_channels begin
  select json_extract('{}', 'quota channels: the team may have at most ' || q.max_channels || ' alert channels, and has ' || u.n) from cairn_request, cairn_quotas q,
    (select count(*) as n from team_channels where team_id = new.team_id) u where q.team_id = new.team_id and q.max_channels > 0 and u.n >= q.max_channels;
end;
drop trigger team_invites_quota;
create trigger team_invites_quota before insert on team_invites begin
  select json_extract('{}', 'quota invitations: the team may have at most ' || q.max_invitations || ' open invitations, and has ' || u.n) from cairn_request, cairn_quotas q,
    (select count(*) as n from team_invites where team_id = new.team_id and accepted_at is null and expires_at > cast(unixepoch('subsec') * 1000000 as integer)) u
    where q.team_id = new.team_id and q.max_invitations > 0 and u.n >= q.max_invitations;
end;
drop trigger eval_parts_quota_insert;
create trigger eval_parts_quota_insert after insert on cairn_eval_parts begin
  select json_extract('{}', 'quota bytes: the team may store at most ' || q.max_bytes || ' bytes; with this it would have at least ' || u.n) from cairn_request, cairn_quotas q,
    (select coalesce((select sum(n_bytes) from cairn_team_usage where team_id = new.team_id), 0) + (select sum(octet_length(body)) from cairn_eval_parts where team_id = new.team_id) as n) u
    where q.team_id = new.team_id and q.max_bytes > 0 and u.n > q.max_bytes;
end;
drop trigger eval_parts_quota_update;
create trigger eval_parts_quota_update after update on cairn_eval_parts begin
  select json_extract('{}', 'quota bytes: the team may store at most ' || q.max_bytes || ' bytes; with this it would have at least ' || u.n) from cairn_request, cairn_quotas q,
    (select coalesce((select sum(n_bytes) from cairn_team_usage where team_id = new.team_id), 0) + (select sum(octet_length(body)) from cairn_eval_parts where team_id = new.team_id) as n) u
    where q.team_id = new.team_id and q.max_bytes > 0 and u.n > q.max_bytes;
end;
