-- server only
-- What Supabase brings along and a PostgreSQL of one's own lacks: the roles that
-- policies speak of, users and their sessions, and the server's own tables. Not
-- applied to a Supabase project.
do $$ begin
  if not exists (select from pg_roles where rolname = 'anon') then create role anon nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then create role authenticated nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'service_role') then create role service_role nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'cairn_server') then create role cairn_server nologin; end if;
end $$;
grant service_role to cairn_server;
do $$ begin execute format('grant anon, authenticated, service_role, cairn_server to %I', current_user); end $$;

create schema auth;
create schema if not exists cairn;
grant usage on schema auth to anon, authenticated, service_role, cairn_server;
grant usage on schema cairn to service_role, cairn_server;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  encrypted_password text not null default '', -- bcrypt, '' where there is none
  email_confirmed_at timestamptz, invited_at timestamptz, confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz, last_sign_in_at timestamptz, banned_until timestamptz,
  app_metadata jsonb not null default '{}', user_metadata jsonb not null default '{}',
  bot boolean not null default false, -- stands for tokens of CI
  created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create unique index users_email on auth.users (lower(email));
create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null, provider_id text not null, email text,
  data jsonb not null default '{}',
  last_sign_in_at timestamptz, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (provider, provider_id));
create index on auth.identities (user_id);
create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  method text not null, -- password, otp, oauth, invite, pkce: claim amr
  user_agent text not null default '', ip text not null default '',
  refreshed_at timestamptz, not_after timestamptz, created_at timestamptz not null default now());
create index on auth.sessions (user_id);
-- A token is kept as the SHA-256 of what the user has, in hex.
create table auth.refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  parent_hash text, -- whose successor it is
  used_at timestamptz, -- when its successor was first given out
  created_at timestamptz not null default now());
create index on auth.refresh_tokens (session_id);
create table auth.one_time_tokens (
  token_hash text primary key, -- of the link
  code_hash text not null default '', -- of the six digits, together with the address
  kind text not null, -- magiclink, signup, invite, recovery, claim
  user_id uuid references auth.users (id) on delete cascade,
  email text not null default '',
  code_challenge text not null default '', redirect_to text not null default '',
  attempts int not null default 0, -- wrong codes so far
  expires_at timestamptz not null, created_at timestamptz not null default now());
create index on auth.one_time_tokens (user_id);
-- A sign-in that is under way in a browser: by OAuth, or waiting for its code to be exchanged.
create table auth.flows (
  id uuid primary key default gen_random_uuid(),
  provider text not null, state_hash text not null default '',
  verifier text not null default '', nonce text not null default '', -- ours towards the provider
  code_hash text not null default '', code_challenge text not null default '', code_challenge_method text not null default '',
  redirect_to text not null default '', user_id uuid references auth.users (id) on delete cascade, method text not null default '',
  expires_at timestamptz not null, created_at timestamptz not null default now());
create index on auth.flows (state_hash);
create index on auth.flows (code_hash);

create function auth.uid() returns uuid language sql stable set search_path = '' as
  $$ select (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::uuid $$;
grant execute on function auth.uid() to anon, authenticated, service_role, cairn_server;

-- The server's secrets: the key that signs access tokens, and what else servers of one database share.
create table cairn.secrets (name text primary key, value bytea not null, expires_at timestamptz, created_at timestamptz not null default now());
grant select, insert, update, delete on all tables in schema auth, cairn to cairn_server;
