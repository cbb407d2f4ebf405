-- The text indexes of the console's search take what a search filters and orders by from the chats themselves, written by
-- hand: a match costs one row instead of six.
CREATE VIEW chat_search_rows AS
SELECT t.row, t.name, t.email, t.text, t.chat_id AS id, c.rowid AS chat_row, c.last_message_at, c.state, c.assignee_id,
  c.waiting_since, c.created_at
FROM chat_texts AS t LEFT JOIN chats AS c ON c.id = t.chat_id;
--> statement-breakpoint
DROP TABLE chat_search;--> statement-breakpoint
CREATE VIRTUAL TABLE chat_search USING fts5(
  name, email, text, id UNINDEXED, chat_row UNINDEXED, last_message_at UNINDEXED, state UNINDEXED,
  assignee_id UNINDEXED, waiting_since UNINDEXED, created_at UNINDEXED, content = 'chat_search_rows', content_rowid = 'row',
  tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
DROP TABLE chat_starts;--> statement-breakpoint
CREATE VIRTUAL TABLE chat_starts USING fts5(
  name, email, id UNINDEXED, chat_row UNINDEXED, last_message_at UNINDEXED, state UNINDEXED, assignee_id UNINDEXED,
  waiting_since UNINDEXED, created_at UNINDEXED, content = 'chat_search_rows', content_rowid = 'row', detail = none,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
INSERT INTO chat_search (chat_search) VALUES ('rebuild');--> statement-breakpoint
INSERT INTO chat_starts (chat_starts) VALUES ('rebuild');--> statement-breakpoint
DROP TRIGGER chat_texts_renamed;--> statement-breakpoint
CREATE TRIGGER chat_texts_renamed AFTER UPDATE OF name, email ON chat_texts
WHEN old.name <> new.name OR old.email <> new.email BEGIN
  INSERT INTO chat_starts (chat_starts, rowid, name, email) VALUES ('delete', old.row, old.name, old.email);
  INSERT INTO chat_starts (rowid, name, email) VALUES (new.row, new.name, new.email);
END;
--> statement-breakpoint
DROP TRIGGER chat_texts_delete;--> statement-breakpoint
CREATE TRIGGER chat_texts_delete AFTER DELETE ON chat_texts BEGIN
  INSERT INTO chat_search (chat_search, rowid, name, email, text)
  VALUES ('delete', old.row, old.name, old.email, old.text);
  INSERT INTO chat_starts (chat_starts, rowid, name, email) VALUES ('delete', old.row, old.name, old.email);
END;
--> statement-breakpoint
-- Figures of the chats of a period read the index alone.
DROP INDEX chats_created;--> statement-breakpoint
CREATE INDEX `chats_created` ON `chats` (`created_at`, `id`);--> statement-breakpoint
-- The badge of each page of the back office reads unread chats alone.
CREATE INDEX `chats_unread` ON `chats` (`last_message_at`, `id`, `unread_count`) WHERE unread_count > 0;
