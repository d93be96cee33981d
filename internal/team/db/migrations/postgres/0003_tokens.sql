-- server only
-- Which workflows may exchange their OIDC token for one of ours.
create table cairn.trusted_workflows (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references public.teams (id) on delete cascade,
  issuer text not null, repository text not null, -- owner/name
  ref text not null default '', -- refs/heads/main, '' is any
  repository_id text not null default '', -- the issuer's, from the first exchange on: a name can change hands
  user_id uuid not null references auth.users (id) on delete cascade, -- the bot
  scopes text[] not null, created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (team_id, issuer, repository, ref));
-- Tokens for CI. Each one acts as a bot, a member of the team with the role ci. Applied after the team's tables.
create table cairn.ingest_tokens (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references public.teams (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade, -- the bot
  name text not null, scopes text[] not null, repo_slug text not null default '', -- '' is any
  token_hash text not null unique, prefix text not null, -- its first characters, to tell it by
  workflow_id uuid references cairn.trusted_workflows (id) on delete cascade, -- that it was given to
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(), last_used_at timestamptz, expires_at timestamptz, revoked_at timestamptz);
create index on cairn.ingest_tokens (team_id);
create index on cairn.ingest_tokens (workflow_id);
grant select, insert, update, delete on cairn.ingest_tokens, cairn.trusted_workflows to cairn_server;
