-- Second factors: one-time passwords of an app (RFC 6238).
create table auth_factors (
  id blob primary key,
  user_id blob not null references auth_users (id) on delete cascade,
  name text not null default '',
  secret blob not null, -- encrypted
  verified_at integer, -- null until the first right code
  last_step integer not null default 0, -- the newest 30 seconds of which a code was taken: none is taken twice
  tries integer not null default 0, -- wrong codes since tries_since
  tries_since integer,
  created_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)), updated_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))) strict;
create index auth_factors_user_id on auth_factors (user_id);
create table auth_challenges (
  id blob primary key,
  factor_id blob not null references auth_factors (id) on delete cascade,
  expires_at integer not null) strict;
create index auth_challenges_factor_id on auth_challenges (factor_id);
-- When the second factor was shown; null is that it was not.
alter table auth_sessions add column second_factor_at integer;
alter table auth_flows add column second_factor_at integer;
