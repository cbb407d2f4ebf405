-- Searches of users, chats and products compare texts as app/db/text.ts folds them: full-text indexes strip diacritics and case, the
-- columns below do the rest (letters that do not decompose, forms of apostrophes and dashes, invisible marks).
ALTER TABLE users ADD COLUMN folded_name text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(first_name || ' ' || last_name, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE chat_texts ADD COLUMN folded_name text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE chat_texts ADD COLUMN folded_text text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(text, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN folded_key text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name_key, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN folded_name text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), '')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN folded_text text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_text || ' ' || colors, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), '')) VIRTUAL;
--> statement-breakpoint
DROP TRIGGER users_listed_insert;
--> statement-breakpoint
DROP TRIGGER users_listed_update;
--> statement-breakpoint
CREATE TRIGGER users_listed_insert AFTER INSERT ON users BEGIN
  INSERT INTO user_rows (user_id) VALUES (new.id);
  INSERT INTO user_search (rowid, name, email) SELECT row, new.folded_name, new.email FROM user_rows WHERE user_id = new.id;
  INSERT INTO user_starts (rowid, name, email) SELECT row, new.folded_name, new.email FROM user_rows WHERE user_id = new.id;
  UPDATE user_counts SET users = users + 1 WHERE one = 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_listed_update AFTER UPDATE OF first_name, last_name, email ON users
WHEN old.first_name <> new.first_name OR old.last_name <> new.last_name OR old.email <> new.email BEGIN
  DELETE FROM user_search WHERE rowid = (SELECT row FROM user_rows WHERE user_id = new.id);
  DELETE FROM user_starts WHERE rowid = (SELECT row FROM user_rows WHERE user_id = new.id);
  INSERT INTO user_search (rowid, name, email) SELECT row, new.folded_name, new.email FROM user_rows WHERE user_id = new.id;
  INSERT INTO user_starts (rowid, name, email) SELECT row, new.folded_name, new.email FROM user_rows WHERE user_id = new.id;
END;
--> statement-breakpoint
DELETE FROM user_search WHERE rowid IN (SELECT row FROM user_rows JOIN users ON users.id = user_rows.user_id WHERE folded_name <> first_name || ' ' || last_name);
--> statement-breakpoint
INSERT INTO user_search (rowid, name, email) SELECT row, folded_name, email FROM user_rows JOIN users ON users.id = user_rows.user_id WHERE folded_name <> first_name || ' ' || last_name;
--> statement-breakpoint
DELETE FROM user_starts WHERE rowid IN (SELECT row FROM user_rows JOIN users ON users.id = user_rows.user_id WHERE folded_name <> first_name || ' ' || last_name);
--> statement-breakpoint
INSERT INTO user_starts (rowid, name, email) SELECT row, folded_name, email FROM user_rows JOIN users ON users.id = user_rows.user_id WHERE folded_name <> first_name || ' ' || last_name;
--> statement-breakpoint
-- Chats. The full-text tables get back what they were given: the old texts first.
INSERT INTO chat_search (chat_search, rowid, name, email, text)
SELECT 'delete', row, name, email, text FROM chat_texts WHERE folded_name <> name OR folded_text <> text;
--> statement-breakpoint
INSERT INTO chat_starts (chat_starts, rowid, name, email)
SELECT 'delete', row, name, email FROM chat_texts WHERE folded_name <> name;
--> statement-breakpoint
DROP VIEW chat_search_rows;
--> statement-breakpoint
CREATE VIEW chat_search_rows AS
SELECT t.row, t.folded_name AS name, t.email, t.folded_text AS text, t.chat_id AS id, c.rowid AS chat_row, c.last_message_at,
  c.state, c.assignee_id, c.waiting_since, c.month
FROM chat_texts AS t LEFT JOIN chats AS c ON c.id = t.chat_id;
--> statement-breakpoint
INSERT INTO chat_search (rowid, name, email, text)
SELECT row, folded_name, email, folded_text FROM chat_texts WHERE folded_name <> name OR folded_text <> text;
--> statement-breakpoint
INSERT INTO chat_starts (rowid, name, email) SELECT row, folded_name, email FROM chat_texts WHERE folded_name <> name;
--> statement-breakpoint
DROP TRIGGER chat_texts_insert;
--> statement-breakpoint
DROP TRIGGER chat_texts_update;
--> statement-breakpoint
DROP TRIGGER chat_texts_renamed;
--> statement-breakpoint
DROP TRIGGER chat_texts_delete;
--> statement-breakpoint
CREATE TRIGGER chat_texts_insert AFTER INSERT ON chat_texts BEGIN
  INSERT INTO chat_search (rowid, name, email, text) VALUES (new.row, new.folded_name, new.email, new.folded_text);
  INSERT INTO chat_starts (rowid, name, email) VALUES (new.row, new.folded_name, new.email);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_update AFTER UPDATE ON chat_texts BEGIN
  INSERT INTO chat_search (chat_search, rowid, name, email, text)
  VALUES ('delete', old.row, old.folded_name, old.email, old.folded_text);
  INSERT INTO chat_search (rowid, name, email, text) VALUES (new.row, new.folded_name, new.email, new.folded_text);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_renamed AFTER UPDATE OF name, email ON chat_texts
WHEN old.name <> new.name OR old.email <> new.email BEGIN
  INSERT INTO chat_starts (chat_starts, rowid, name, email) VALUES ('delete', old.row, old.folded_name, old.email);
  INSERT INTO chat_starts (rowid, name, email) VALUES (new.row, new.folded_name, new.email);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_delete AFTER DELETE ON chat_texts BEGIN
  INSERT INTO chat_search (chat_search, rowid, name, email, text)
  VALUES ('delete', old.row, old.folded_name, old.email, old.folded_text);
  INSERT INTO chat_starts (chat_starts, rowid, name, email) VALUES ('delete', old.row, old.folded_name, old.email);
END;
--> statement-breakpoint
-- Products: names in the back office, then words.
DROP TRIGGER product_names_insert;
--> statement-breakpoint
DROP TRIGGER product_names_update;
--> statement-breakpoint
CREATE TRIGGER product_names_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_names (rowid, name) VALUES (new.row, new.folded_key);
END;
--> statement-breakpoint
CREATE TRIGGER product_names_update AFTER UPDATE OF name_key ON products WHEN old.name_key <> new.name_key BEGIN
  DELETE FROM product_names WHERE rowid = old.row;
  INSERT INTO product_names (rowid, name) VALUES (new.row, new.folded_key);
END;
--> statement-breakpoint
DELETE FROM product_names WHERE rowid IN (SELECT row FROM products WHERE folded_key <> name_key);
--> statement-breakpoint
INSERT INTO product_names (rowid, name) SELECT row, folded_key FROM products WHERE folded_key <> name_key;
--> statement-breakpoint
DROP TRIGGER product_search_insert;
--> statement-breakpoint
DROP TRIGGER product_search_update;
--> statement-breakpoint
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_search (rowid, name, category, search_text)
  VALUES (new.rowid, new.folded_name, new.category, new.folded_text);
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
CREATE TRIGGER product_search_update AFTER UPDATE OF name, category, search_text, colors ON products
WHEN old.name <> new.name OR old.category <> new.category OR old.search_text <> new.search_text
  OR old.colors <> new.colors BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
  INSERT INTO product_search (rowid, name, category, search_text)
  VALUES (new.rowid, new.folded_name, new.category, new.folded_text);
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
DELETE FROM product_search WHERE rowid IN (SELECT rowid FROM products WHERE folded_name <> name OR folded_text <> search_text || ' ' || colors);
--> statement-breakpoint
INSERT INTO product_search (rowid, name, category, search_text)
SELECT rowid, folded_name, category, folded_text FROM products WHERE folded_name <> name OR folded_text <> search_text || ' ' || colors;
--> statement-breakpoint
INSERT INTO product_inbox (rowid, text) SELECT rowid, folded_name || ' ' || folded_text FROM products WHERE folded_name <> name OR folded_text <> search_text || ' ' || colors;
--> statement-breakpoint
INSERT INTO product_words (word)
SELECT term FROM product_inbox_words
WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
--> statement-breakpoint
INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
