-- A function in SQL is planned anew by every statement that calls it, unless it is an expression that becomes a part of
-- the statement: those written as "return" are, and mean the same under every search_path. Those in PL/pgSQL keep their plans.
create or replace function cairn.case_id(repo text, suite text, name text, variant text) returns bigint language sql stable
  return ('x' || encode(substring(sha256(convert_to(repo, 'UTF8') || '\x00'::bytea || convert_to(suite, 'UTF8') || '\x00'::bytea
    || convert_to(name, 'UTF8') || '\x00'::bytea || convert_to(variant, 'UTF8') || '\x00'::bytea) from 25), 'hex'))::bit(64)::bigint
    & 9223372036854775807;
create or replace function cairn.my_repo() returns text language sql stable parallel safe return nullif(current_setting('cairn.repo', true), '');
create or replace function cairn.my_teams() returns setof uuid language plpgsql stable security definer set search_path = '' as $$ begin
  return query select m.team_id from public.team_members m where m.user_id = (select auth.uid())
    and coalesce(current_setting('cairn.team', true), '') in ('', m.team_id::text); end $$;
create or replace function cairn.my_teams_as(roles text[]) returns setof uuid language plpgsql stable security definer set search_path = '' as $$ begin
  return query select m.team_id from public.team_members m where m.user_id = (select auth.uid()) and m.role = any (roles)
    and coalesce(current_setting('cairn.team', true), '') in ('', m.team_id::text); end $$;

-- The cases of a push: the id by which its results name each, and the true one. A case that its runner knows by an id
-- of its own (own_id, or case_id in the payload of a result) keeps that id when its name changes.
create or replace function cairn.pushed_cases(p_repo text, p_run jsonb)
  returns table (given bigint, id bigint, suite text, name text, variant text, category text, own boolean)
  language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query with f as materialized (
    select c.*, cairn.case_id(p_repo, c.suite, c.name, c.variant) as plain from (
      select coalesce((e ->> 'id')::bigint, 0) as given, coalesce(e ->> 'suite', '') as suite, coalesce(e ->> 'name', '') as name,
        coalesce(e ->> 'variant', '') as variant, coalesce(e ->> 'category', '') as category, coalesce(e ->> 'own_id', '') as own_id
      from jsonb_array_elements(p_run -> 'cases') e) c),
  said as (
    select distinct on (1) (r ->> 'case_id')::bigint as given, r -> 'payload' ->> 'case_id' as own_id from jsonb_array_elements(p_run -> 'results') r
    where (select bool_or(f.given <> f.plain and f.own_id = '') from f) and jsonb_typeof(r -> 'payload' -> 'case_id') = 'string' order by 1)
  select f.given, case when f.given = f.plain or o.own_id = '' then f.plain else cairn.case_id(p_repo, f.suite, '', o.own_id) end,
    f.suite, f.name, f.variant, f.category, f.given <> f.plain and o.own_id <> ''
  from f left join said s on s.given = f.given, lateral (select coalesce(nullif(f.own_id, ''), s.own_id, '') as own_id) o; end $$;
-- Names the cases of a push and returns the true ids of those that results name by another. What somebody else had
-- named by an id, before ids were computed here, is corrected. Most pushes have the true ids of cases that are all there.
create or replace function cairn.name_cases(p_team uuid, p_repo text, p_run jsonb) returns table (given bigint, id bigint)
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare g bigint[]; t bigint[]; bad bigint; there boolean; begin
  if (select auth.uid()) is not null and p_team not in (select cairn.my_teams()) then
    raise exception 'not a member of the team' using errcode = '42501'; end if;
  select array_agg(c.given), bool_and(exists (select from public.eval_cases e where e.team_id = p_team and e.id = c.given and e.repo_slug = p_repo
      and e.suite = c.suite and e.name = c.name and e.variant = c.variant) and c.given = cairn.case_id(p_repo, c.suite, c.name, c.variant))
    into g, there from (select (e ->> 'id')::bigint as given, coalesce(e ->> 'suite', '') as suite, coalesce(e ->> 'name', '') as name,
      coalesce(e ->> 'variant', '') as variant from jsonb_array_elements(p_run -> 'cases') e offset 0) c; -- 0: so that each is taken out once
  if not there then
    with c as materialized (select * from cairn.pushed_cases(p_repo, p_run)),
    named as (
      insert into public.eval_cases as e (team_id, id, repo_slug, suite, name, variant, category)
        select distinct on (c.id) p_team, c.id, p_repo, c.suite, c.name, c.variant, c.category from c
        where not exists (select from public.eval_cases e where e.team_id = p_team and e.id = c.id and e.repo_slug = p_repo and e.suite = c.suite
          and (c.own or e.name = c.name and e.variant = c.variant)) order by c.id
      on conflict (team_id, id) do update set repo_slug = excluded.repo_slug, suite = excluded.suite, name = excluded.name,
        variant = excluded.variant, category = excluded.category)
    select array_agg(c.given order by c.given), array_agg(c.id order by c.given), min(c.given) filter (where c.name = '')
      into g, t, bad from c;
    if bad is not null then
      raise check_violation using message = 'new row for relation "eval_cases" violates check constraint "eval_cases_name_check"'; end if;
    if exists (select from unnest(g, t) a(given, id) group by a.given having min(a.id) <> max(a.id)) then
      raise exception 'two cases of the run have the same id' using errcode = '22023'; end if;
    return query select distinct a.given, a.id from unnest(g, t) a(given, id) where a.given <> a.id;
  end if;
  select r.case_id into bad from (select (e ->> 'case_id')::bigint as case_id from jsonb_array_elements(p_run -> 'results') e) r
    left join unnest(g) m(given) on m.given = r.case_id
    where m.given is null and not exists (select from public.eval_cases c where c.team_id = p_team and c.id = r.case_id and c.repo_slug = p_repo) limit 1;
  if bad is not null then
    raise foreign_key_violation using message = 'a result is of a case that neither the run nor its repository has'; end if;
end $$;

-- Adds cases, results and payloads to a run that was inserted in the same transaction.
create or replace function cairn.add_results(p_team uuid, p_id uuid, p_at timestamptz, p_repo text, p_run jsonb) returns void language plpgsql security invoker set search_path = '' as $$
declare g bigint[]; t bigint[]; begin
  select array_agg(c.given), array_agg(c.id) into g, t from cairn.name_cases(p_team, p_repo, p_run) c;
  insert into public.eval_results (team_id, run_id, run_at, case_id, repeat_no, status, score, duration_ms, cost_usd, turns)
    select p_team, p_id, p_at, coalesce(m.id, c.case_id), coalesce(c.repeat_no, 0), c.status, c.score, c.duration_ms, c.cost_usd, c.turns
    from jsonb_populate_recordset(null::public.eval_results, p_run -> 'results') c left join unnest(g, t) m(given, id) on m.given = c.case_id;
  if p_run -> 'results' @? '$[*].payload' then
    insert into public.eval_payloads (team_id, run_id, run_at, case_id, repeat_no, payload)
      select p_team, p_id, p_at, coalesce(m.id, (c ->> 'case_id')::bigint), coalesce((c ->> 'repeat_no')::smallint, 0), c -> 'payload'
      from jsonb_array_elements(p_run -> 'results') c left join unnest(g, t) m(given, id) on m.given = (c ->> 'case_id')::bigint
      where jsonb_typeof(c -> 'payload') = 'object';
  end if;
end $$;
