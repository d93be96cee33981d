-- What members say of an answer: right or wrong, as a whole (*) or by a criterion of the judges. One word of each.
create table eval_labels (
  team_id blob not null,
  run_id blob not null,
  case_id integer not null,
  criterion text not null default '*' constraint eval_labels_criterion_check check (criterion <> ''),
  user_id blob not null references auth_users (id) on delete cascade,
  pass integer not null constraint eval_labels_pass_check check (pass in (0, 1)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, run_id, case_id, criterion, user_id),
  foreign key (team_id, run_id) references eval_runs (team_id, id) on delete cascade
) strict, without rowid;
-- One that is changed was given now.
create trigger eval_labels_stamp after update of pass on eval_labels begin
  update eval_labels set created_at = cast(unixepoch('subsec') * 1000000 as integer)
    where team_id = new.team_id and run_id = new.run_id and case_id = new.case_id and criterion = new.criterion and user_id = new.user_id;
end;
create trigger eval_labels_usage_insert after insert on eval_labels begin insert into cairn_team_usage (team_id, month, n_rows, n_bytes) values (new.team_id, '', 1, octet_length(new.criterion)) on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes; end;
create trigger eval_labels_usage_update after update of criterion, team_id on eval_labels begin insert into cairn_team_usage (team_id, month, n_bytes) values (new.team_id, '', octet_length(new.criterion) - octet_length(old.criterion)) on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes; end;
create trigger eval_labels_usage_delete after delete on eval_labels begin insert into cairn_team_usage (team_id, month, n_rows, n_bytes) values (old.team_id, '', -1, -octet_length(old.criterion)) on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes; end;
