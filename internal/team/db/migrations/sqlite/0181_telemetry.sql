-- What telemetry needs to be counted once: where cumulative sums stood, and which messages came in the last hour, for one
-- that is sent again because its answer got lost. Hashes, numbers and times only.
create table cairn_telemetry_sums (
  team_id blob not null references teams (id) on delete cascade,
  user_id blob not null references auth_users (id) on delete cascade,
  series blob not null,
  start_ns integer not null,
  at_ns integer not null,
  value real not null,
  n integer not null,
  seen_at integer not null,
  primary key (team_id, user_id, series)
) strict, without rowid;
create table cairn_telemetry_seen (
  team_id blob not null references teams (id) on delete cascade,
  user_id blob not null references auth_users (id) on delete cascade,
  digest blob not null,
  seen_at integer not null,
  primary key (team_id, user_id, digest)
) strict, without rowid;
create index telemetry_sums_old on cairn_telemetry_sums (team_id, user_id, seen_at);
create index telemetry_seen_old on cairn_telemetry_seen (team_id, user_id, seen_at);
