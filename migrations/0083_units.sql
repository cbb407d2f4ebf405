-- What can be counted and sold (docs/decisions/0069-units.md): one unit for each product that is stored, with its id.
CREATE TABLE `units` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`option_values` text DEFAULT '[]' NOT NULL,
	`sku` text DEFAULT '' NOT NULL,
	`barcode` text DEFAULT '' NOT NULL,
	`price_cents` integer,
	`image` text DEFAULT '' NOT NULL,
	`stock` integer DEFAULT 0 NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`stock_change` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `units_product` ON `units` (`product_id`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `units_sku` ON `units` (lower(sku),`id`) WHERE sku <> '';--> statement-breakpoint
CREATE INDEX `units_barcode` ON `units` (`barcode`,`id`) WHERE barcode <> '';--> statement-breakpoint
INSERT INTO units (id, product_id, stock, held, updated_at) SELECT id, id, stock, held, updated_at FROM products;
--> statement-breakpoint
ALTER TABLE `products` ADD `options` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `base_cents` integer;--> statement-breakpoint
ALTER TABLE `document_lines` ADD `unit_id` text;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `unit_id` text;--> statement-breakpoint
ALTER TABLE `stock_movements` ADD `choice` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Lines of holds are told apart by their unit.
DROP TRIGGER products_unheld;--> statement-breakpoint
CREATE TABLE hold_lines_before AS SELECT hold_id, product_id, name, quantity, until, counted FROM hold_lines ORDER BY rowid;
--> statement-breakpoint
DROP TABLE `hold_lines`;--> statement-breakpoint
CREATE TABLE `hold_lines` (
	`hold_id` text NOT NULL,
	`product_id` text NOT NULL,
	`unit_id` text DEFAULT '' NOT NULL,
	`name` text NOT NULL,
	`quantity` integer NOT NULL,
	`until` integer NOT NULL,
	`counted` integer DEFAULT true NOT NULL,
	PRIMARY KEY(`hold_id`, `unit_id`),
	CONSTRAINT "hold_lines_quantity" CHECK("hold_lines"."quantity" > 0)
);
--> statement-breakpoint
INSERT INTO hold_lines (hold_id, product_id, unit_id, name, quantity, until, counted)
SELECT hold_id, product_id, product_id, name, quantity, until, counted FROM hold_lines_before ORDER BY rowid;
--> statement-breakpoint
DROP TABLE hold_lines_before;--> statement-breakpoint
CREATE INDEX `hold_lines_counted` ON `hold_lines` (`product_id`,`until`,`quantity`) WHERE counted = 1;--> statement-breakpoint
CREATE INDEX `hold_lines_units` ON `hold_lines` (`unit_id`,`until`,`quantity`) WHERE counted = 1;--> statement-breakpoint
CREATE INDEX `hold_lines_ended` ON `hold_lines` (`until`) WHERE counted = 1;--> statement-breakpoint
-- The previous version names no unit.
CREATE TRIGGER hold_lines_added AFTER INSERT ON hold_lines WHEN new.counted = 1 BEGIN
  UPDATE hold_lines SET unit_id = product_id WHERE hold_id = new.hold_id AND unit_id = '';
  UPDATE products SET held = held + new.quantity WHERE id = new.product_id;
  UPDATE units SET held = held + new.quantity
  WHERE id = iif(new.unit_id = '', new.product_id, new.unit_id) AND product_id = new.product_id;
  SELECT RAISE(ABORT, 'hold_lines: not available')
  WHERE coalesce((SELECT stock - held FROM units
    WHERE id = iif(new.unit_id = '', new.product_id, new.unit_id) AND product_id = new.product_id), -1) < 0;
END;
--> statement-breakpoint
CREATE TRIGGER hold_lines_ended AFTER UPDATE OF counted ON hold_lines WHEN old.counted = 1 AND new.counted = 0 BEGIN
  UPDATE products SET held = held - old.quantity WHERE id = old.product_id;
  UPDATE units SET held = held - old.quantity WHERE id = old.unit_id;
END;
--> statement-breakpoint
CREATE TRIGGER hold_lines_removed AFTER DELETE ON hold_lines WHEN old.counted = 1 BEGIN
  UPDATE products SET held = held - old.quantity WHERE id = old.product_id;
  UPDATE units SET held = held - old.quantity WHERE id = old.unit_id;
END;
--> statement-breakpoint
-- Stock is that of units; a write of the stock of a product without options is one of its only unit.
DROP TRIGGER products_opening;--> statement-breakpoint
CREATE TRIGGER products_opening AFTER INSERT ON products WHEN new.options = '[]' BEGIN
  INSERT INTO units (id, product_id, stock, stock_change, updated_at)
  VALUES (new.id, new.id, new.stock, new.stock_change, new.created_at);
END;
--> statement-breakpoint
DROP TRIGGER products_moved;--> statement-breakpoint
CREATE TRIGGER products_moved AFTER UPDATE OF stock ON products WHEN old.stock <> new.stock BEGIN
  SELECT RAISE(ABORT, 'products: stock below 0') WHERE new.stock < 0;
  SELECT RAISE(ABORT, 'products: change of stock without a reason') WHERE new.stock_change IS old.stock_change;
  UPDATE units SET stock = new.stock, stock_change = new.stock_change, updated_at = new.updated_at
  WHERE id = new.id AND stock <> new.stock;
  SELECT RAISE(ABORT, 'products: stock of another unit')
  WHERE new.stock <> (SELECT coalesce(sum(stock), 0) FROM units WHERE product_id = new.id);
END;
--> statement-breakpoint
DROP TRIGGER products_closing;--> statement-breakpoint
CREATE TRIGGER products_closing AFTER DELETE ON products BEGIN
  DELETE FROM units WHERE product_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER units_opening AFTER INSERT ON units WHEN new.stock <> 0 BEGIN
  INSERT INTO stock_movements (id, product_id, unit_id, choice, quantity, reason, actor, document_id, stock_after, created_at, ordinal)
  VALUES (
    coalesce(new.stock_change ->> 'id', lower(hex(randomblob(12)))), new.product_id, nullif(new.id, new.product_id),
    (SELECT coalesce(group_concat(value, ' / '), '') FROM json_each(new.option_values)), new.stock,
    coalesce(new.stock_change ->> 'reason', 'opening'), coalesce(new.stock_change ->> 'actor', ''),
    new.stock_change ->> 'documentId', new.stock, new.updated_at,
    1 + coalesce((SELECT ordinal FROM stock_movements WHERE product_id = new.product_id ORDER BY row DESC LIMIT 1), 0)
  );
  UPDATE products SET stock = s.total, stock_change = new.stock_change, updated_at = new.updated_at
  FROM (SELECT sum(stock) AS total FROM units WHERE product_id = new.product_id) AS s
  WHERE id = new.product_id AND stock <> s.total;
END;
--> statement-breakpoint
CREATE TRIGGER units_moved AFTER UPDATE OF stock ON units WHEN old.stock <> new.stock BEGIN
  SELECT RAISE(ABORT, 'units: stock below 0') WHERE new.stock < 0;
  SELECT RAISE(ABORT, 'units: change of stock without a reason') WHERE new.stock_change IS old.stock_change;
  SELECT RAISE(ABORT, 'units: pieces are on hold')
  WHERE new.stock_change ->> 'reason' = 'sale' AND new.stock < new.held;
  INSERT INTO stock_movements (id, product_id, unit_id, choice, quantity, reason, actor, document_id, stock_after, created_at, ordinal)
  VALUES (
    new.stock_change ->> 'id', new.product_id, nullif(new.id, new.product_id),
    (SELECT coalesce(group_concat(value, ' / '), '') FROM json_each(new.option_values)), new.stock - old.stock,
    new.stock_change ->> 'reason', new.stock_change ->> 'actor', new.stock_change ->> 'documentId', new.stock,
    -- A movement of a document has the document's time.
    iif(new.stock_change ->> 'documentId' IS NULL, unixepoch(), new.updated_at),
    1 + coalesce((SELECT ordinal FROM stock_movements WHERE product_id = new.product_id ORDER BY row DESC LIMIT 1), 0)
  );
  UPDATE products SET stock = s.total, stock_change = new.stock_change, updated_at = new.updated_at
  FROM (SELECT sum(stock) AS total FROM units WHERE product_id = new.product_id) AS s
  WHERE id = new.product_id AND stock <> s.total;
END;
--> statement-breakpoint
-- The movements of a deleted unit add up to 0.
CREATE TRIGGER units_closing AFTER DELETE ON units BEGIN
  INSERT INTO stock_movements (id, product_id, unit_id, choice, quantity, reason, actor, stock_after, created_at, ordinal)
  SELECT lower(hex(randomblob(12))), old.product_id, nullif(old.id, old.product_id),
    (SELECT coalesce(group_concat(value, ' / '), '') FROM json_each(old.option_values)), -old.stock, 'adjustment', '', 0, unixepoch(),
    1 + coalesce((SELECT ordinal FROM stock_movements WHERE product_id = old.product_id ORDER BY row DESC LIMIT 1), 0)
  WHERE old.stock <> 0;
  UPDATE products SET stock = s.total, stock_change = json_object('id', lower(hex(randomblob(12))), 'reason', 'adjustment', 'actor', '')
  FROM (SELECT coalesce(sum(stock), 0) AS total FROM units WHERE product_id = old.product_id) AS s
  WHERE id = old.product_id AND stock <> s.total;
  UPDATE hold_lines SET counted = 0 WHERE unit_id = old.id AND counted = 1;
END;
--> statement-breakpoint
-- The price of a product whose units have their own is the lowest that can be bought, else the lowest.
CREATE TRIGGER units_priced AFTER UPDATE OF stock, held, price_cents ON units
WHEN (old.stock > old.held) <> (new.stock > new.held) OR old.price_cents IS NOT new.price_cents BEGIN
  UPDATE products SET price_cents = p.lowest
  FROM (SELECT coalesce(min(iif(u.stock > u.held, coalesce(u.price_cents, b.base_cents), NULL)),
      min(coalesce(u.price_cents, b.base_cents))) AS lowest
    FROM products AS b JOIN units AS u ON u.product_id = b.id WHERE b.id = new.product_id AND b.base_cents IS NOT NULL) AS p
  WHERE id = new.product_id AND base_cents IS NOT NULL AND price_cents <> p.lowest;
END;
--> statement-breakpoint
CREATE TRIGGER products_priced_base AFTER UPDATE OF base_cents ON products WHEN new.base_cents IS NOT NULL BEGIN
  UPDATE products SET price_cents = p.lowest
  FROM (SELECT coalesce(min(iif(u.stock > u.held, coalesce(u.price_cents, new.base_cents), NULL)),
      min(coalesce(u.price_cents, new.base_cents)), new.base_cents) AS lowest
    FROM units AS u WHERE u.product_id = new.id) AS p
  WHERE id = new.id AND price_cents <> p.lowest;
END;
--> statement-breakpoint
-- Cached pages and webhooks hear of what changes in units alone; stock and holds change the product's sums.
CREATE TRIGGER units_changed AFTER UPDATE ON units
WHEN old.option_values <> new.option_values OR old.sku <> new.sku OR old.barcode <> new.barcode OR old.image <> new.image
  OR old.price_cents IS NOT new.price_cents OR old.position <> new.position BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere)
  SELECT id, category, 0 FROM products WHERE id = new.product_id;
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.product_id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.product_id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;
--> statement-breakpoint
-- What a document says of its units is final too.
DROP TRIGGER document_lines_final_update;--> statement-breakpoint
CREATE TRIGGER document_lines_final_update BEFORE UPDATE OF
  document_id, line, invoice_id, product_id, unit_id, description, category, quantity, amount_cents, tax_cents
ON document_lines BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
DROP TRIGGER document_lines_sold;--> statement-breakpoint
CREATE TRIGGER document_lines_sold BEFORE INSERT ON document_lines WHEN new.product_id IS NOT NULL AND new.quantity > 0 BEGIN
  SELECT RAISE(ABORT, 'document_lines: no such product')
  WHERE NOT EXISTS (SELECT 1 FROM units WHERE id = coalesce(new.unit_id, new.product_id) AND product_id = new.product_id);
END;
--> statement-breakpoint
DROP TRIGGER product_search_insert;
--> statement-breakpoint
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_search (rowid, name, category, search_text)
  VALUES (new.rowid, new.folded_name, new.category, new.folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(new.options) AS o, json_each(o.value, '$.values') AS v), ''));
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(new.options) AS o, json_each(o.value, '$.values') AS v), ''));
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
DROP TRIGGER product_search_update;
--> statement-breakpoint
CREATE TRIGGER product_search_update AFTER UPDATE OF name, category, search_text, colors, options, search_name, search_description, search_colors ON products
WHEN old.name <> new.name OR old.category <> new.category OR old.search_text <> new.search_text OR old.colors <> new.colors OR old.options <> new.options OR old.search_name IS NOT new.search_name OR old.search_description IS NOT new.search_description OR old.search_colors IS NOT new.search_colors BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
  INSERT INTO product_search (rowid, name, category, search_text)
  SELECT row, folded_name, category, folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(options) AS o, json_each(o.value, '$.values') AS v), '') FROM products WHERE row = new.row;
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(new.options) AS o, json_each(o.value, '$.values') AS v), ''));
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
