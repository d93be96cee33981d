-- An invitation is for its address: whoever accepts it has that address, and has confirmed it.
-- The columns of auth.users are read through JSON: a project may lack some of them, and then nothing is known against the address.
create or replace function public.accept_invite(p_token text) returns uuid language plpgsql security definer set search_path = '' as $$
declare i record; u jsonb; me uuid := (select auth.uid()); begin
  if me is null then raise exception 'must be authenticated' using errcode = '42501'; end if;
  update public.team_invites set accepted_at = now()
    where token_hash = encode(sha256(convert_to(p_token, 'UTF8')), 'hex') and accepted_at is null and expires_at > now() returning team_id, role, email into i;
  if i.team_id is null then raise exception 'the invitation is used up, expired or was never made' using errcode = '42501'; end if;
  select to_jsonb(x) into u from auth.users x where x.id = me;
  -- "C" folds A to Z only: no other letter may pass for one of them.
  if lower((u ->> 'email') collate "C") is distinct from lower(btrim(i.email) collate "C") then
    raise exception 'the invitation is for another address: sign in with the address that was invited' using errcode = '42501'; end if;
  if u ? 'email_confirmed_at' and u ->> 'email_confirmed_at' is null then
    raise exception 'confirm your e-mail address before you accept an invitation to it' using errcode = '42501'; end if;
  insert into public.team_members (team_id, user_id, role) values (i.team_id, me, i.role) on conflict do nothing;
  return i.team_id; end $$;

-- A member is not invited again, except to sign in on another machine: an account that only an invitation vouches for, and
-- that has no password, has no other way in.
create or replace function public.invite_member(p_team uuid, p_email text, p_role text default 'member') returns text language plpgsql security definer set search_path = '' as $$
declare token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''); address text := btrim(p_email); begin
  if p_team not in (select cairn.my_teams_as('{owner,admin}')) then raise exception 'only an owner or an admin can invite' using errcode = '42501'; end if;
  if exists (select 1 from public.team_members m join auth.users x on x.id = m.user_id cross join to_jsonb(x) u
    where m.team_id = p_team and lower((u ->> 'email') collate "C") = lower(address collate "C")
      and not (coalesce(u -> 'app_metadata' ? 'vouched_by_invitation', false) and coalesce(u ->> 'encrypted_password', '') = '' and m.role not in ('owner', 'admin'))) then
    raise exception '% is already a member of the team', address using errcode = '23505'; end if;
  delete from public.team_invites where team_id = p_team and lower(email) = lower(address) and accepted_at is null;
  insert into public.team_invites (team_id, email, role, token_hash, invited_by)
    values (p_team, address, p_role, encode(sha256(convert_to(token, 'UTF8')), 'hex'), (select auth.uid()));
  return token; end $$;
