-- Texts in other forms of letters (full width, ligatures, half-width kana), in scripts that are written without spaces, and
-- with letters that SQL cannot fold: the application stores a form for the search beside them (searchForm in
-- app/db/text.ts). Without a form, which few texts need, the generated columns fold the text as before. Names and texts that
-- were stored without theirs get it from app/features/health/search-forms.server.ts.
ALTER TABLE products ADD COLUMN search_name text;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN search_description text;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN search_colors text;
--> statement-breakpoint
ALTER TABLE users ADD COLUMN search_name text;
--> statement-breakpoint
ALTER TABLE chat_texts ADD COLUMN search_name text;
--> statement-breakpoint
ALTER TABLE chat_texts ADD COLUMN search_text text;
--> statement-breakpoint
DROP TRIGGER users_listed_insert;
--> statement-breakpoint
DROP TRIGGER users_listed_update;
--> statement-breakpoint
DROP TRIGGER chat_texts_insert;
--> statement-breakpoint
DROP TRIGGER chat_texts_update;
--> statement-breakpoint
DROP TRIGGER chat_texts_renamed;
--> statement-breakpoint
DROP TRIGGER chat_texts_delete;
--> statement-breakpoint
DROP TRIGGER product_names_insert;
--> statement-breakpoint
DROP TRIGGER product_names_update;
--> statement-breakpoint
DROP TRIGGER product_search_insert;
--> statement-breakpoint
DROP TRIGGER product_search_update;
--> statement-breakpoint
DROP VIEW chat_search_rows;
--> statement-breakpoint
ALTER TABLE users DROP COLUMN folded_name;
--> statement-breakpoint
ALTER TABLE users ADD COLUMN folded_name text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(search_name, first_name || ' ' || last_name), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE chat_texts DROP COLUMN folded_name;
--> statement-breakpoint
ALTER TABLE chat_texts ADD COLUMN folded_name text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(search_name, name), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE chat_texts DROP COLUMN folded_text;
--> statement-breakpoint
ALTER TABLE chat_texts ADD COLUMN folded_text text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(search_text, text), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE products DROP COLUMN folded_key;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN folded_key text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(search_name, name_key), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), ''), char(160), ' '), char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(697), ''''), char(700), ''''), char(699), ''''), char(180), ''''), char(96), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(8223), '"'), char(8243), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'), char(8213), '-'), char(8722), '-'), char(8259), '-')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE products DROP COLUMN folded_name;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN folded_name text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(search_name, name), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), '')) VIRTUAL;
--> statement-breakpoint
ALTER TABLE products DROP COLUMN folded_text;
--> statement-breakpoint
ALTER TABLE products ADD COLUMN folded_text text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(search_description, search_text) || ' ' || coalesce(search_colors, colors), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't'), 'Ŧ', 't'), 'ı', 'i'), 'İ', 'i'), char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), '')) VIRTUAL;
--> statement-breakpoint
CREATE VIEW chat_search_rows AS
SELECT t.row, t.folded_name AS name, t.email, t.folded_text AS text, t.chat_id AS id, c.rowid AS chat_row, c.last_message_at,
  c.state, c.assignee_id, c.waiting_since, c.month
FROM chat_texts AS t LEFT JOIN chats AS c ON c.id = t.chat_id;
--> statement-breakpoint
CREATE TRIGGER users_listed_insert AFTER INSERT ON users BEGIN
  INSERT INTO user_rows (user_id) VALUES (new.id);
  INSERT INTO user_search (rowid, name, email) SELECT row, new.folded_name, new.email FROM user_rows WHERE user_id = new.id;
  INSERT INTO user_starts (rowid, name, email) SELECT row, new.folded_name, new.email FROM user_rows WHERE user_id = new.id;
  UPDATE user_counts SET users = users + 1 WHERE one = 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_listed_update AFTER UPDATE OF first_name, last_name, email, search_name ON users
WHEN old.first_name <> new.first_name OR old.last_name <> new.last_name OR old.email <> new.email
  OR old.search_name IS NOT new.search_name BEGIN
  DELETE FROM user_search WHERE rowid = (SELECT row FROM user_rows WHERE user_id = new.id);
  DELETE FROM user_starts WHERE rowid = (SELECT row FROM user_rows WHERE user_id = new.id);
  INSERT INTO user_search (rowid, name, email) SELECT row, folded_name, email FROM user_rows JOIN users ON users.id = user_id WHERE user_id = new.id;
  INSERT INTO user_starts (rowid, name, email) SELECT row, folded_name, email FROM user_rows JOIN users ON users.id = user_id WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_insert AFTER INSERT ON chat_texts BEGIN
  INSERT INTO chat_search (rowid, name, email, text) VALUES (new.row, new.folded_name, new.email, new.folded_text);
  INSERT INTO chat_starts (rowid, name, email) VALUES (new.row, new.folded_name, new.email);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_update AFTER UPDATE ON chat_texts
WHEN NOT (old.search_text IS NOT NULL AND old.search_text IS new.search_text AND old.text <> new.text
  AND old.name = new.name AND old.email = new.email) BEGIN
  INSERT INTO chat_search (chat_search, rowid, name, email, text)
  VALUES ('delete', old.row, old.folded_name, old.email, old.folded_text);
  INSERT INTO chat_search (rowid, name, email, text) VALUES (new.row, new.folded_name, new.email, new.folded_text);
END;
--> statement-breakpoint
CREATE TRIGGER chat_texts_renamed AFTER UPDATE OF name, email, search_name ON chat_texts
WHEN old.name <> new.name OR old.search_name IS NOT new.search_name OR old.email <> new.email BEGIN
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
CREATE TRIGGER product_names_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_names (rowid, name) VALUES (new.row, new.folded_key);
END;
--> statement-breakpoint
CREATE TRIGGER product_names_update AFTER UPDATE OF name_key, search_name ON products
WHEN old.name_key <> new.name_key OR old.search_name IS NOT new.search_name BEGIN
  DELETE FROM product_names WHERE rowid = old.row;
  INSERT INTO product_names (rowid, name) SELECT row, folded_key FROM products WHERE row = new.row;
END;
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
CREATE TRIGGER product_search_update AFTER UPDATE OF name, category, search_text, colors, search_name, search_description,
  search_colors ON products
WHEN old.name <> new.name OR old.category <> new.category OR old.search_text <> new.search_text OR old.colors <> new.colors
  OR old.search_name IS NOT new.search_name OR old.search_description IS NOT new.search_description
  OR old.search_colors IS NOT new.search_colors BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
  INSERT INTO product_search (rowid, name, category, search_text)
  SELECT row, folded_name, category, folded_text FROM products WHERE row = new.row;
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
-- Drops a form whose text was written without it. The indexes read the row anew, since it may change meanwhile.
CREATE TRIGGER products_unfolded AFTER UPDATE OF name, search_text, colors ON products
WHEN (old.name <> new.name AND old.search_name = new.search_name)
  OR (old.search_text <> new.search_text AND old.search_description = new.search_description)
  OR (old.colors <> new.colors AND old.search_colors = new.search_colors) BEGIN
  UPDATE products SET search_name = iif(old.name <> new.name AND old.search_name = new.search_name, NULL, search_name),
    search_description = iif(old.search_text <> new.search_text AND old.search_description = new.search_description, NULL, search_description),
    search_colors = iif(old.colors <> new.colors AND old.search_colors = new.search_colors, NULL, search_colors)
  WHERE row = new.row;
END;
--> statement-breakpoint
CREATE TRIGGER users_unfolded AFTER UPDATE OF first_name, last_name ON users
WHEN (old.first_name <> new.first_name OR old.last_name <> new.last_name) AND old.search_name = new.search_name BEGIN
  UPDATE users SET search_name = NULL
  WHERE id = new.id;
END;
--> statement-breakpoint
DROP TRIGGER chats_searched_update;
--> statement-breakpoint
CREATE TRIGGER chats_searched_update AFTER UPDATE OF user_name, user_email ON chats
WHEN old.user_name <> new.user_name OR old.user_email <> new.user_email BEGIN
  UPDATE chat_texts SET name = new.user_name, email = new.user_email,
    search_name = iif(old.user_name = new.user_name, search_name, NULL) WHERE chat_id = new.id;
END;
--> statement-breakpoint
-- The trigger of an update then has the same text to take from the index, once.
CREATE TRIGGER chat_texts_unfolded AFTER UPDATE OF text ON chat_texts
WHEN old.search_text IS NOT NULL AND old.search_text IS new.search_text AND old.text <> new.text
  AND old.name = new.name AND old.email = new.email BEGIN
  UPDATE chat_texts SET search_text = NULL WHERE row = new.row;
END;
--> statement-breakpoint
-- Texts that await their form.
CREATE INDEX products_unfolded ON products (row) WHERE (search_name IS NULL AND (name GLOB '*[^' || char(10) || ' -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•]*' OR name GLOB '*[ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ]*'))
  OR (search_description IS NULL AND (search_text GLOB '*[^' || char(10) || ' -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•]*' OR search_text GLOB '*[ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ]*'))
  OR (search_colors IS NULL AND (colors GLOB '*[^' || char(10) || ' -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•]*' OR colors GLOB '*[ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ]*'));
--> statement-breakpoint
CREATE INDEX users_unfolded ON users (id) WHERE (search_name IS NULL AND (first_name || ' ' || last_name GLOB '*[^' || char(10) || ' -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•]*' OR first_name || ' ' || last_name GLOB '*[ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ]*'));
--> statement-breakpoint
CREATE INDEX chat_texts_unfolded ON chat_texts (row) WHERE (search_name IS NULL AND (name GLOB '*[^' || char(10) || ' -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•]*' OR name GLOB '*[ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ]*'))
  OR (search_text IS NULL AND (text GLOB '*[^' || char(10) || ' -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•]*' OR text GLOB '*[ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ]*'));
--> statement-breakpoint
-- Customers store their folded name; with the sort key it is computed anew.
UPDATE customers SET sort_key = name_key || ' '
WHERE name GLOB '*[^' || char(10) || ' -~¡-žЀ-ҁҊ-ӿא-תء-ي‐-‖‘-•]*' OR name GLOB '*[ªº²³¹µ¼½¾¨¯¸ĲĳĿŀŉ]*' OR instr(name, '´') > 0;
