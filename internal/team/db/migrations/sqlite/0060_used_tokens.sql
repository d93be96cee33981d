-- OIDC tokens of CI that were exchanged, until they have expired: each is good once.
create table cairn_used_tokens (token_hash text primary key, expires_at integer not null) strict; -- of issuer and jti
create index cairn_used_tokens_expires on cairn_used_tokens (expires_at);
