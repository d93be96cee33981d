-- The address of an invitation is one that an account can have, with spaces around it or without. Rows of before stay.
create function cairn.check_invited() returns trigger language plpgsql set search_path = '' as $$ begin
  if octet_length(new.email) > 254 or new.email !~ '^[^@]+@[^@]+$' or btrim(new.email) ~ '[\u0001-\u0020\u007f-\u00a0\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069<>",;:]' then
    raise exception 'that is not an e-mail address' using errcode = '22023'; end if;
  return new; end $$;
create trigger address before insert on public.team_invites for each row execute function cairn.check_invited();
revoke all on function cairn.check_invited() from public;
