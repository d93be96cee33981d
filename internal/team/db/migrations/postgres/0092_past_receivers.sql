-- What a team that is gone had asked of mail addresses in the last day, and who refused: else whoever deletes a team and
-- makes another could ask again.
create table cairn.past_receivers (address text not null, asked_at timestamptz not null, refused_at timestamptz);
create index on cairn.past_receivers (address);
grant select, insert, update, delete on cairn.past_receivers to service_role;
create function cairn.keep_receiver() returns trigger language plpgsql security definer set search_path = '' as $$ begin
  insert into cairn.past_receivers (address, asked_at, refused_at) values (old.address, old.asked_at, old.refused_at);
  return null; end $$;
create trigger keep_receiver after delete on cairn.mail_receivers for each row
  when (old.refused_at is not null or old.asked_at > now() - interval '1 day') execute function cairn.keep_receiver();
revoke all on function cairn.keep_receiver() from public;
