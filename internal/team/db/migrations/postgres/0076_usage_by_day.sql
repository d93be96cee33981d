-- Work with agents is read by the day that it was on, however late it was sent.
create index usage_days_date on public.usage_days (team_id, date);
