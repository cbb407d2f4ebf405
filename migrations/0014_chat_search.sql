CREATE TABLE `chat_texts` (
	`row` integer PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_texts_chat_id_unique` ON `chat_texts` (`chat_id`);--> statement-breakpoint
-- The search of the console, written by hand. Chats must not be written with INSERT OR REPLACE: it fires no delete
-- trigger. Contains, whatever the case: three characters or more (trigrams).
CREATE VIRTUAL TABLE chat_search USING fts5(
  name, email, text, content = 'chat_texts', content_rowid = 'row',
  tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
-- One or two characters: the beginnings of words of the name and address.
CREATE VIRTUAL TABLE chat_starts USING fts5(
  name, email, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
CREATE TRIGGER chat_texts_insert AFTER INSERT ON chat_texts BEGIN
  INSERT INTO chat_search (rowid, name, email, text) VALUES (new.row, new.name, new.email, new.text);
  INSERT INTO chat_starts (rowid, name, email) VALUES (new.row, new.name, new.email);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_update AFTER UPDATE ON chat_texts BEGIN
  INSERT INTO chat_search (chat_search, rowid, name, email, text)
  VALUES ('delete', old.row, old.name, old.email, old.text);
  INSERT INTO chat_search (rowid, name, email, text) VALUES (new.row, new.name, new.email, new.text);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_renamed AFTER UPDATE OF name, email ON chat_texts
WHEN old.name <> new.name OR old.email <> new.email BEGIN
  DELETE FROM chat_starts WHERE rowid = old.row;
  INSERT INTO chat_starts (rowid, name, email) VALUES (new.row, new.name, new.email);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_delete AFTER DELETE ON chat_texts BEGIN
  INSERT INTO chat_search (chat_search, rowid, name, email, text)
  VALUES ('delete', old.row, old.name, old.email, old.text);
  DELETE FROM chat_starts WHERE rowid = old.row;
END;
--> statement-breakpoint
INSERT INTO chat_texts (chat_id, name, email, text)
SELECT id, user_name, user_email, last_message FROM chats ORDER BY created_at, id;
--> statement-breakpoint
CREATE TRIGGER chats_searched_insert AFTER INSERT ON chats BEGIN
  INSERT INTO chat_texts (chat_id, name, email, text)
  VALUES (new.id, new.user_name, new.user_email, new.last_message);
END;
--> statement-breakpoint
CREATE TRIGGER chats_searched_update AFTER UPDATE OF user_name, user_email ON chats
WHEN old.user_name <> new.user_name OR old.user_email <> new.user_email BEGIN
  UPDATE chat_texts SET name = new.user_name, email = new.user_email WHERE chat_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER chats_searched_delete AFTER DELETE ON chats BEGIN
  DELETE FROM chat_texts WHERE chat_id = old.id;
END;
