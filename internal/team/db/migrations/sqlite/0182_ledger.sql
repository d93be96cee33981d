-- What agents cost on this machine, request by request, and what tells where each belongs. Only the machine's own store
-- has rows here; no request of a server may name these tables. Times are microseconds since 1970, money billionths of a dollar.
create table cairn_ledger_files (
  path text primary key, agent text not null, size integer not null, mod integer not null, place text not null, odd integer not null default 0
) strict, without rowid;
create table cairn_ledger_requests (
  agent text not null, id text not null, born integer not null, session text not null, sub text not null,
  at integer not null, sent integer not null, dir text not null, hint text not null, model text not null, tier text not null,
  input integer not null, cache_read integer not null, write_5m integer not null, write_1h integer not null, output integer not null,
  tool text not null, searches integer not null, own real not null, nanos integer,
  placed integer not null default 0, repo text not null default '', branch text not null default '', commit_sha text not null default '',
  made text not null default '', pull integer not null default 0, phase text not null default '',
  primary key (agent, id)
) strict, without rowid;
create index cairn_ledger_requests_session on cairn_ledger_requests (session);
create index cairn_ledger_requests_placed on cairn_ledger_requests (session) where placed = 0;
-- The same, added up by quarters of an hour, which every time zone has whole: what is asked is asked of these.
create table cairn_ledger_sums (
  session text not null, agent text not null, quarter integer not null, model text not null, tool text not null,
  repo text not null, branch text not null, commit_sha text not null, made text not null, pull integer not null, phase text not null,
  input integer not null, cache_read integer not null, write_5m integer not null, write_1h integer not null, output integer not null,
  requests integer not null, unpriced integer not null, nanos integer not null,
  primary key (session, agent, quarter, model, tool, repo, branch, commit_sha, made, pull, phase)
) strict, without rowid;
-- Where sessions worked.
create table cairn_ledger_dirs (dir text not null, session text not null, primary key (dir, session)) strict, without rowid;
create table cairn_ledger_calls (
  session text not null, sub text not null, id text not null, start integer not null, finish integer not null, dir text not null,
  git integer not null, commits text not null, primary key (session, sub, id, start)
) strict, without rowid;
create table cairn_ledger_marks (
  session text not null, sub text not null, at integer not null, agent text not null, dir text not null, branch text not null, head text not null,
  primary key (session, at, dir)
) strict, without rowid;
-- HEAD of a working tree through time, as its log had it: the log goes with the tree.
create table cairn_ledger_heads (
  common text not null, dir text not null, n integer not null, at integer not null, was text not null, head text not null,
  kind text not null, to_branch text not null, primary key (common, dir, n)
) strict, without rowid;
create table cairn_ledger_notes (name text primary key, value text not null) strict, without rowid;
