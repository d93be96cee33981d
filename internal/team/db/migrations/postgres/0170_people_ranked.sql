-- Whether pages and digests rank people: not until an owner or an admin of the team turns it on.
alter table public.team_settings add column people_ranked boolean not null default false;
grant update (people_ranked) on public.team_settings to authenticated;
