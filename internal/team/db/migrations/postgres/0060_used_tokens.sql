-- server only
-- OIDC tokens of CI that were exchanged, until they have expired: each is good once.
create table cairn.used_tokens (token_hash text primary key, expires_at timestamptz not null); -- of issuer and jti
create index on cairn.used_tokens (expires_at);
grant select, insert, update, delete on cairn.used_tokens to cairn_server;
