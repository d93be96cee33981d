-- Whether the receiver of a team's mail channel wants its mails: nothing but the question goes there before. A row
-- outlives the channel, so that removing one and adding it again asks nobody twice.
create table cairn.mail_receivers (
  team_id uuid not null references public.teams (id) on delete cascade,
  address text not null, -- in lower case
  token_hash text not null default '', -- of the newest question's link
  asked_at timestamptz not null default now(), confirmed_at timestamptz, refused_at timestamptz,
  primary key (team_id, address));
create index on cairn.mail_receivers (address);
create index on cairn.mail_receivers (token_hash);
grant select, insert, update, delete on cairn.mail_receivers to service_role;
