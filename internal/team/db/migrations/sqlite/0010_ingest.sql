-- Runs whose rows are being written, in several transactions: the views of all months leave them out.
create table cairn_hidden_runs (team_id blob not null, run_id blob not null, run_at integer not null, primary key (team_id, run_id)) strict;
-- Parts of runs that are too large for one request, until the run itself comes.
create table cairn_eval_parts (
  team_id blob not null references teams (id) on delete cascade,
  user_id blob not null, ingest_key text not null, part integer not null,
  body text not null,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (team_id, user_id, ingest_key, part)) strict;
create index cairn_eval_parts_created on cairn_eval_parts (team_id, created_at);
