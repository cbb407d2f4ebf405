-- Written by hand: the back office finds a product by any part of its name (back office 5, Search). Trigrams of the names,
-- whatever their case, kept in the same transaction as every write to products.
CREATE VIRTUAL TABLE product_names USING fts5(
  name, content = '', contentless_delete = 1,
  tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
INSERT INTO product_names (rowid, name) SELECT row, name_key FROM products;
--> statement-breakpoint
CREATE TRIGGER product_names_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_names (rowid, name) VALUES (new.row, new.name_key);
END;
--> statement-breakpoint
CREATE TRIGGER product_names_delete AFTER DELETE ON products BEGIN
  DELETE FROM product_names WHERE rowid = old.row;
END;
--> statement-breakpoint
CREATE TRIGGER product_names_update AFTER UPDATE OF name_key ON products WHEN old.name_key <> new.name_key BEGIN
  DELETE FROM product_names WHERE rowid = old.row;
  INSERT INTO product_names (rowid, name) VALUES (new.row, new.name_key);
END;
