-- Search also finds products by their colours. FTS5 cuts the list, which is JSON, into the words in it.
DROP TRIGGER product_search_insert;
--> statement-breakpoint
DROP TRIGGER product_search_update;
--> statement-breakpoint
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_search (rowid, name, category, search_text)
  VALUES (new.rowid, new.name, new.category, new.search_text || ' ' || new.colors);
  INSERT INTO product_inbox (rowid, text)
  VALUES (1, new.name || ' ' || new.category || ' ' || new.search_text || ' ' || new.colors);
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
  VALUES (new.rowid, new.name, new.category, new.search_text || ' ' || new.colors);
  INSERT INTO product_inbox (rowid, text)
  VALUES (1, new.name || ' ' || new.category || ' ' || new.search_text || ' ' || new.colors);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
-- The products that are there: those with colours anew.
DELETE FROM product_search WHERE rowid IN (SELECT rowid FROM products WHERE colors <> '[]');
--> statement-breakpoint
INSERT INTO product_search (rowid, name, category, search_text)
SELECT rowid, name, category, search_text || ' ' || colors FROM products WHERE colors <> '[]';
--> statement-breakpoint
INSERT INTO product_inbox (rowid, text) SELECT rowid, colors FROM products WHERE colors <> '[]';
--> statement-breakpoint
INSERT INTO product_words (word)
SELECT term FROM product_inbox_words
WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
--> statement-breakpoint
INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
