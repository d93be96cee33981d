-- server only
-- Second factors: one-time passwords of an app (RFC 6238).
create table auth.factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null default '',
  secret bytea not null, -- encrypted
  verified_at timestamptz, -- null until the first right code
  last_step bigint not null default 0, -- the newest 30 seconds of which a code was taken: none is taken twice
  tries int not null default 0, -- wrong codes since tries_since
  tries_since timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create index on auth.factors (user_id);
create table auth.challenges (
  id uuid primary key,
  factor_id uuid not null references auth.factors (id) on delete cascade,
  expires_at timestamptz not null);
create index on auth.challenges (factor_id);
-- When the second factor was shown; null is that it was not.
alter table auth.sessions add column second_factor_at timestamptz;
alter table auth.flows add column second_factor_at timestamptz;
grant select, insert, update, delete on auth.factors, auth.challenges to cairn_server;
