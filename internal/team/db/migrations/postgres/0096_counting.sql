-- server only
-- What every push comes through, with plans that are kept: see 0095.
create or replace function auth.uid() returns uuid language sql stable
  return (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::uuid;
create or replace function cairn.quota_of(p_team uuid, out max_rows bigint, out max_bytes bigint, out max_messages bigint, out max_channels bigint, out max_invitations bigint)
  language plpgsql stable security definer set search_path = '' as $$ begin
  select coalesce(q.max_rows, d.max_rows), coalesce(q.max_bytes, d.max_bytes), coalesce(q.max_messages, d.max_messages),
    coalesce(q.max_channels, d.max_channels), coalesce(q.max_invitations, d.max_invitations)
  into max_rows, max_bytes, max_messages, max_channels, max_invitations
  from cairn.quota_defaults d left join cairn.team_quotas q on q.team_id = p_team; end $$;
create or replace function cairn.is_request() returns boolean language sql stable
  return coalesce(current_setting('role', true), '') in ('authenticated', 'service_role')
    or coalesce(nullif(current_setting('cairn.origin', true), '')::json ->> 'actor', '') in ('user', 'token', 'service')
      and not coalesce((nullif(current_setting('cairn.origin', true), '')::json ->> 'quiet')::boolean, false);
create or replace function cairn.json_size(j jsonb) returns int language sql stable parallel safe
  return coalesce(pg_column_size(case jsonb_typeof(j) when 'object' then '{}'::jsonb || j when 'array' then '[]'::jsonb || j else j end), 0);
