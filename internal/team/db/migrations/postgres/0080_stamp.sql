-- When a row came is the server's to say when it is changed, too: pulls go by it.
create function cairn.stamp_again() returns trigger language plpgsql set search_path = '' as $$ begin
  new.created_at := now();
  return new; end $$;
do $$ declare t text; begin
  foreach t in array array['retro_snapshots', 'qa_reports', 'session_transcripts'] loop -- those that their author may update
    execute format('create trigger stamp_again before update of created_at on public.%I for each row execute function cairn.stamp_again()', t);
  end loop; end $$;
