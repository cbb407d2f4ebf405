-- Product search. Triggers keep all of it in step with products, so nothing that writes a product needs to know.
-- Products must not be written with INSERT OR REPLACE (it fires no delete trigger): ON CONFLICT DO UPDATE instead.
-- No OR IGNORE in here: the ON CONFLICT of the statement that fires a trigger overrides those of the trigger.

-- The text of each product, under its rowid. The category's underscore separates words.
CREATE VIRTUAL TABLE product_search USING fts5(
  name, category, search_text,
  content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '1 2 3'
);
--> statement-breakpoint
-- The words of all products, now or once; a word that no product has any more finds nothing and does no harm.
CREATE TABLE product_words (word text PRIMARY KEY NOT NULL) WITHOUT ROWID;
--> statement-breakpoint
-- Each word's beginnings of 3 to 7 letters, and these with each one letter left out: what typoKeys looks up.
CREATE TABLE product_word_keys (
  key text NOT NULL,
  word text NOT NULL,
  PRIMARY KEY (key, word)
) WITHOUT ROWID;
--> statement-breakpoint
-- What each word ends in, from its second letter on: a text inside a word is the beginning of one of its endings.
CREATE TABLE product_word_endings (
  ending text NOT NULL,
  word text NOT NULL,
  PRIMARY KEY (ending, word)
) WITHOUT ROWID;
--> statement-breakpoint
-- Where a product's text is cut into words: empty but inside the triggers below.
CREATE VIRTUAL TABLE product_inbox USING fts5(
  text, content = '', columnsize = 0, detail = none,
  tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE product_inbox_words USING fts5vocab(product_inbox, row);
--> statement-breakpoint
-- Words that begin with numbers or little else have no typos: another model number is another product.
CREATE TRIGGER product_words_insert AFTER INSERT ON product_words BEGIN
  INSERT INTO product_word_endings (ending, word)
  SELECT substr(new.word, start.value), new.word
  FROM json_each('[2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38]') AS start
  WHERE start.value <= length(new.word) - 2;
  INSERT INTO product_word_keys (key, word)
  SELECT DISTINCT substr(new.word, 1, gap.value - 1) || substr(new.word, gap.value + 1, head.value - gap.value), new.word
  FROM json_each('[3,4,5,6,7]') AS head CROSS JOIN json_each('[1,2,3,4,5,6,7,8]') AS gap
  WHERE head.value <= length(new.word) AND gap.value <= head.value + 1
    AND (new.word NOT GLOB '*[0-9]*' OR new.word GLOB '[^0-9][^0-9][^0-9][^0-9]*');
END;
--> statement-breakpoint
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_search (rowid, name, category, search_text)
  VALUES (new.rowid, new.name, new.category, new.search_text);
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.name || ' ' || new.category || ' ' || new.search_text);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
CREATE TRIGGER product_search_update AFTER UPDATE OF name, category, search_text ON products
WHEN old.name <> new.name OR old.category <> new.category OR old.search_text <> new.search_text BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
  INSERT INTO product_search (rowid, name, category, search_text)
  VALUES (new.rowid, new.name, new.category, new.search_text);
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.name || ' ' || new.category || ' ' || new.search_text);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
CREATE TRIGGER product_search_delete AFTER DELETE ON products BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
END;
