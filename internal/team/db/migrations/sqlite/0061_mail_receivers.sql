-- Whether the receiver of a team's mail channel wants its mails: nothing but the question goes there before. A row
-- outlives the channel, so that removing one and adding it again asks nobody twice.
create table cairn_mail_receivers (
  team_id blob not null references teams (id) on delete cascade,
  address text not null, -- in lower case
  token_hash text not null default '', -- of the newest question's link
  asked_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  confirmed_at integer,
  refused_at integer,
  primary key (team_id, address)
) strict;
create index cairn_mail_receivers_address on cairn_mail_receivers (address);
create index cairn_mail_receivers_token on cairn_mail_receivers (token_hash);
