-- What a person's agents cost on a day in one place, of figures only: no word of a prompt or of an output has room in it.
-- The names are of printable signs without a space; repositories, branches and machines may have letters of any language.
create table spend_days (
  team_id blob not null references teams (id) on delete cascade,
  id blob not null default (randomblob(16)),
  ingest_key text not null,
  user_id blob references auth_users (id) on delete set null,
  occurred_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  repo_slug text not null,
  day text not null,
  source text not null,
  hostname text not null default '',
  agent text not null default '',
  session text not null default '',
  branch text not null default '',
  commit_sha text not null default '',
  pull_request integer not null default 0,
  phase text not null default '',
  model text not null default '',
  input_tokens integer not null default 0,
  cache_read_tokens integer not null default 0,
  write_5m_tokens integer not null default 0,
  write_1h_tokens integer not null default 0,
  output_tokens integer not null default 0,
  requests integer not null default 0,
  usd_micros integer not null default 0,
  unpriced integer not null default 0,
  constraint spend_days_source_check check (source in ('ledger', 'otlp', 'metrics')),
  constraint spend_days_check check (min(pull_request, input_tokens, cache_read_tokens, write_5m_tokens, write_1h_tokens, output_tokens, requests, usd_micros, unpriced) >= 0 and unpriced <= requests),
  constraint spend_days_names_check check ((agent || session || commit_sha || phase || model) not glob '*[^!-~]*'),
  constraint spend_days_places_check check ((hostname || branch) not glob '*[' || char(1) || '- ' || char(127) || ']*' and repo_slug not glob '*[' || char(1) || '-' || char(31) || char(127) || ']*'),
  primary key (team_id, id)
) strict;
create unique index spend_days_ingest on spend_days (team_id, ingest_key);
create unique index spend_days_place on spend_days (team_id, user_id, day, source, hostname, session, agent, repo_slug, branch, commit_sha, pull_request, model);
create index spend_days_recent on spend_days (team_id, occurred_at desc);
create index spend_days_repo on spend_days (team_id, repo_slug, occurred_at desc);
create index spend_days_new on spend_days (team_id, created_at, id);
create index spend_days_day on spend_days (team_id, day);
create index spend_days_session on spend_days (team_id, session, source);
-- One that is changed comes again: pulls and copies go by when a row came.
create trigger spend_days_stamp after update of input_tokens, cache_read_tokens, write_5m_tokens, write_1h_tokens, output_tokens, requests, usd_micros, unpriced, phase, user_id, hostname on spend_days begin
  update spend_days set created_at = cast(unixepoch('subsec') * 1000000 as integer) where team_id = new.team_id and id = new.id;
end;
create trigger spend_days_touch_insert after insert on spend_days begin insert into cairn_team_versions (team_id, records) values (new.team_id, 1) on conflict (team_id) do update set n = n + 1, records = records + 1; end;
create trigger spend_days_touch_update after update on spend_days begin insert into cairn_team_versions (team_id, records) values (new.team_id, 1) on conflict (team_id) do update set n = n + 1, records = records + 1; end;
create trigger spend_days_touch_delete after delete on spend_days begin insert into cairn_team_versions (team_id, records) values (old.team_id, 1) on conflict (team_id) do update set n = n + 1, records = records + 1; end;
create trigger spend_days_usage_insert after insert on spend_days begin insert into cairn_team_usage (team_id, month, n_rows, n_bytes) values (new.team_id, '', 1, octet_length(new.ingest_key) + octet_length(new.repo_slug) + octet_length(new.source) + octet_length(new.hostname) + octet_length(new.agent) + octet_length(new.session) + octet_length(new.branch) + octet_length(new.commit_sha) + octet_length(new.phase) + octet_length(new.model)) on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes; end;
create trigger spend_days_usage_update after update of ingest_key, repo_slug, source, hostname, agent, session, branch, commit_sha, phase, model, team_id on spend_days begin insert into cairn_team_usage (team_id, month, n_bytes) values (new.team_id, '', octet_length(new.ingest_key) + octet_length(new.repo_slug) + octet_length(new.source) + octet_length(new.hostname) + octet_length(new.agent) + octet_length(new.session) + octet_length(new.branch) + octet_length(new.commit_sha) + octet_length(new.phase) + octet_length(new.model) - (octet_length(old.ingest_key) + octet_length(old.repo_slug) + octet_length(old.source) + octet_length(old.hostname) + octet_length(old.agent) + octet_length(old.session) + octet_length(old.branch) + octet_length(old.commit_sha) + octet_length(old.phase) + octet_length(old.model))) on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes; end;
create trigger spend_days_usage_delete after delete on spend_days begin insert into cairn_team_usage (team_id, month, n_rows, n_bytes) values (old.team_id, '', -1, -(octet_length(old.ingest_key) + octet_length(old.repo_slug) + octet_length(old.source) + octet_length(old.hostname) + octet_length(old.agent) + octet_length(old.session) + octet_length(old.branch) + octet_length(old.commit_sha) + octet_length(old.phase) + octet_length(old.model))) on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes; end;
-- Whether members see what each of them spends: not until an owner or an admin of the team turns it on.
alter table team_settings add column people_spend integer not null default 0;
