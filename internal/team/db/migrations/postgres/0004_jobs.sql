-- server only
-- When which of the servers' regular works is due: one of several servers takes it by moving the time.
create table cairn.jobs (name text primary key, due_at timestamptz not null);
grant select, insert, update, delete on cairn.jobs to cairn_server;
