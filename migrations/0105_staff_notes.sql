CREATE TABLE `chat_notes` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`chat_id` text NOT NULL,
	`note` text NOT NULL,
	`staff_id` text NOT NULL,
	`staff_name` text NOT NULL,
	`written_at` integer NOT NULL,
	`search_text` text NOT NULL,
	FOREIGN KEY (`chat_id`) REFERENCES `chats`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_notes_id_unique` ON `chat_notes` (`id`);--> statement-breakpoint
CREATE INDEX `chat_notes_chat` ON `chat_notes` (`chat_id`,`row`);--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0087-staff-notes.md): the search of staff finds chats by their notes.
CREATE VIRTUAL TABLE note_search USING fts5(
  search_text, content = 'chat_notes', content_rowid = 'row', tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
CREATE TRIGGER chat_notes_insert AFTER INSERT ON chat_notes BEGIN
  INSERT INTO note_search (rowid, search_text) VALUES (new.row, new.search_text);
END;
--> statement-breakpoint
CREATE TRIGGER chat_notes_delete AFTER DELETE ON chat_notes BEGIN
  INSERT INTO note_search (note_search, rowid, search_text) VALUES ('delete', old.row, old.search_text);
END;
