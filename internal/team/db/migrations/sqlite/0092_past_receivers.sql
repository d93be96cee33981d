-- What a team that is gone had asked of mail addresses in the last day, and who refused: else whoever deletes a team and
-- makes another could ask again.
create table cairn_past_receivers (address text not null, asked_at integer not null, refused_at integer) strict;
create index cairn_past_receivers_address on cairn_past_receivers (address);
create trigger mail_receivers_keep after delete on cairn_mail_receivers
  when old.refused_at is not null or old.asked_at > cast((unixepoch('subsec') - 86400) * 1000000 as integer) begin
  insert into cairn_past_receivers (address, asked_at, refused_at) values (old.address, old.asked_at, old.refused_at);
end;
