-- Whether pages and digests rank people: not until an owner or an admin of the team turns it on.
alter table team_settings add column people_ranked integer not null default 0;
