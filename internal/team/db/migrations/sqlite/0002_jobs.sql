-- When which of the server's regular works is due: a server that was restarted goes on where it was.
create table cairn_jobs (name text primary key, due_at integer not null) strict;
