ALTER TABLE `products` ADD `material` text DEFAULT '' NOT NULL;
--> statement-breakpoint
DROP TRIGGER product_search_insert;
--> statement-breakpoint
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_search (rowid, name, category, search_text)
  VALUES (new.rowid, new.folded_name, new.category, new.folded_text || ' ' || new.material);
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text || ' ' || new.material);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
DROP TRIGGER product_search_update;
--> statement-breakpoint
CREATE TRIGGER product_search_update AFTER UPDATE OF name, category, search_text, colors, material, search_name, search_description, search_colors ON products
WHEN old.name <> new.name OR old.category <> new.category OR old.search_text <> new.search_text OR old.colors <> new.colors OR old.material <> new.material OR old.search_name IS NOT new.search_name OR old.search_description IS NOT new.search_description OR old.search_colors IS NOT new.search_colors BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
  INSERT INTO product_search (rowid, name, category, search_text)
  SELECT row, folded_name, category, folded_text || ' ' || material FROM products WHERE row = new.row;
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text || ' ' || new.material);
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
DROP TRIGGER webhooks_product_changed;
--> statement-breakpoint
CREATE TRIGGER webhooks_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.material <> new.material OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.option_label <> new.option_label OR old.plates <> new.plates BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;
