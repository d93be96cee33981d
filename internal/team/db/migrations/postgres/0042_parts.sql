-- server only
-- Parts of runs are deleted with their team, and with the person who sent them.
grant select, delete on cairn.eval_parts to cairn_server;
