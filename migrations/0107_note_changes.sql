ALTER TABLE `chat_notes` ADD `edited_at` integer;--> statement-breakpoint
-- Written by hand (docs/decisions/0087-staff-notes.md): the search follows a note that its author changes.
CREATE TRIGGER chat_notes_update AFTER UPDATE OF search_text ON chat_notes BEGIN
  INSERT INTO note_search (note_search, rowid, search_text) VALUES ('delete', old.row, old.search_text);
  INSERT INTO note_search (rowid, search_text) VALUES (new.row, new.search_text);
END;
