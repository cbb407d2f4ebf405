-- Products that shoppers find nowhere (docs/decisions/0071-hidden-products.md): the shop's orders, counts and search have what is
-- shown, lists and figures of the back office all. The indexes of the shop without products_shown stay for the version before;
-- those that only the version before the last one read are dropped.
DROP INDEX `products_category_name`;--> statement-breakpoint
DROP INDEX `products_low`;--> statement-breakpoint
DROP INDEX `products_out`;--> statement-breakpoint
DROP INDEX `products_shuffle`;--> statement-breakpoint
ALTER TABLE `products` ADD `is_hidden` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `products_shown_default` ON `products` ((stock > held),`created_at`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_category_default` ON `products` (`category`,(stock > held),`created_at`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_category_newest` ON `products` (`category`,`created_at`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_price` ON `products` (`price_cents`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_category_price` ON `products` (`category`,`price_cents`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_available_price` ON `products` ((stock > held),`price_cents`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_category_available_price` ON `products` (`category`,(stock > held),`price_cents`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_sorted` ON `products` (`sort_key`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_category_sorted` ON `products` (`category`,`sort_key`,`id`) WHERE is_hidden = 0;--> statement-breakpoint
CREATE INDEX `products_shown_shuffle` ON `products` ((stock > held),`shuffle`) WHERE is_hidden = 0;
--> statement-breakpoint
DROP INDEX products_band_name;
--> statement-breakpoint
DROP INDEX products_category_band_name;
--> statement-breakpoint
-- The price bands of 0022_shop_filters.sql.
CREATE INDEX products_shown_band_default ON products ((stock > held), (CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), created_at, id) WHERE is_hidden = 0;
--> statement-breakpoint
CREATE INDEX products_shown_category_band_default ON products (category, (stock > held), (CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), created_at, id) WHERE is_hidden = 0;
--> statement-breakpoint
CREATE INDEX products_shown_band_sorted ON products ((CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), sort_key, id) WHERE is_hidden = 0;
--> statement-breakpoint
CREATE INDEX products_shown_category_band_sorted ON products (category, (CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), sort_key, id) WHERE is_hidden = 0;
--> statement-breakpoint
CREATE VIRTUAL TABLE hidden_search USING fts5(
  name, category, search_text,
  content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '1 2 3'
);
--> statement-breakpoint
-- category_counts, price_counts and, through it, price_categories count what is shown; stock_counts counts all.
DROP TRIGGER products_counted_insert;
--> statement-breakpoint
DROP TRIGGER products_counted_delete;
--> statement-breakpoint
DROP TRIGGER products_counted_update;
--> statement-breakpoint
CREATE TRIGGER products_counted_insert AFTER INSERT ON products WHEN new.is_hidden = 0 BEGIN
  INSERT INTO category_counts (category, products) VALUES (new.category, 1)
    ON CONFLICT (category) DO UPDATE SET products = products + 1;
END;
--> statement-breakpoint
CREATE TRIGGER products_counted_delete AFTER DELETE ON products WHEN old.is_hidden = 0 BEGIN
  UPDATE category_counts SET products = products - 1 WHERE category = old.category;
END;
--> statement-breakpoint
CREATE TRIGGER products_counted_update AFTER UPDATE OF category, is_hidden ON products
WHEN old.category <> new.category OR old.is_hidden <> new.is_hidden BEGIN
  UPDATE category_counts SET products = products - 1 WHERE category = old.category AND old.is_hidden = 0;
  INSERT INTO category_counts (category, products) SELECT new.category, 1 WHERE new.is_hidden = 0
    ON CONFLICT (category) DO UPDATE SET products = products + 1;
END;
--> statement-breakpoint
DROP TRIGGER products_priced_insert;
--> statement-breakpoint
DROP TRIGGER products_priced_delete;
--> statement-breakpoint
DROP TRIGGER products_priced_update;
--> statement-breakpoint
CREATE TRIGGER products_priced_insert AFTER INSERT ON products WHEN new.is_hidden = 0 BEGIN
  INSERT INTO price_counts (category, level, bucket, products, available)
    SELECT scope.value, digits.key, digits.value, 1, new.stock > new.held
    FROM (SELECT iif(new.price_cents < 100, new.price_cents, iif(new.price_cents < 1000, 100 + new.price_cents / 10, iif(new.price_cents < 10000, 200 + new.price_cents / 100,
      iif(new.price_cents < 100000, 300 + new.price_cents / 1000, iif(new.price_cents < 1000000, 400 + new.price_cents / 10000, iif(new.price_cents < 10000000, 500 + new.price_cents / 100000,
      iif(new.price_cents < 100000000, 600 + new.price_cents / 1000000, iif(new.price_cents < 1000000000, 700 + new.price_cents / 10000000, 800 + new.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', new.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, new.price_cents)) AS digits WHERE true
    ON CONFLICT DO UPDATE SET products = products + 1, available = available + excluded.available;
END;
--> statement-breakpoint
CREATE TRIGGER products_priced_delete AFTER DELETE ON products WHEN old.is_hidden = 0 BEGIN
  UPDATE price_counts SET products = products - 1, available = available - (old.stock > old.held)
  WHERE (category, level, bucket) IN (SELECT scope.value, digits.key, digits.value
    FROM (SELECT iif(old.price_cents < 100, old.price_cents, iif(old.price_cents < 1000, 100 + old.price_cents / 10, iif(old.price_cents < 10000, 200 + old.price_cents / 100,
      iif(old.price_cents < 100000, 300 + old.price_cents / 1000, iif(old.price_cents < 1000000, 400 + old.price_cents / 10000, iif(old.price_cents < 10000000, 500 + old.price_cents / 100000,
      iif(old.price_cents < 100000000, 600 + old.price_cents / 1000000, iif(old.price_cents < 1000000000, 700 + old.price_cents / 10000000, 800 + old.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', old.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, old.price_cents)) AS digits);
  DELETE FROM price_counts WHERE products = 0 AND (category, level, bucket) IN (VALUES ('', 3, old.price_cents), (old.category, 3, old.price_cents));
END;
--> statement-breakpoint
CREATE TRIGGER products_priced_update AFTER UPDATE OF price_cents, category, stock, held, is_hidden ON products
WHEN old.price_cents <> new.price_cents OR old.category <> new.category OR (old.stock > old.held) <> (new.stock > new.held) OR old.is_hidden <> new.is_hidden BEGIN
  UPDATE price_counts SET products = products - 1, available = available - (old.stock > old.held)
  WHERE old.is_hidden = 0 AND (category, level, bucket) IN (SELECT scope.value, digits.key, digits.value
    FROM (SELECT iif(old.price_cents < 100, old.price_cents, iif(old.price_cents < 1000, 100 + old.price_cents / 10, iif(old.price_cents < 10000, 200 + old.price_cents / 100,
      iif(old.price_cents < 100000, 300 + old.price_cents / 1000, iif(old.price_cents < 1000000, 400 + old.price_cents / 10000, iif(old.price_cents < 10000000, 500 + old.price_cents / 100000,
      iif(old.price_cents < 100000000, 600 + old.price_cents / 1000000, iif(old.price_cents < 1000000000, 700 + old.price_cents / 10000000, 800 + old.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', old.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, old.price_cents)) AS digits);
  DELETE FROM price_counts WHERE products = 0 AND (category, level, bucket) IN (VALUES ('', 3, old.price_cents), (old.category, 3, old.price_cents));
  INSERT INTO price_counts (category, level, bucket, products, available)
    SELECT scope.value, digits.key, digits.value, 1, new.stock > new.held
    FROM (SELECT iif(new.price_cents < 100, new.price_cents, iif(new.price_cents < 1000, 100 + new.price_cents / 10, iif(new.price_cents < 10000, 200 + new.price_cents / 100,
      iif(new.price_cents < 100000, 300 + new.price_cents / 1000, iif(new.price_cents < 1000000, 400 + new.price_cents / 10000, iif(new.price_cents < 10000000, 500 + new.price_cents / 100000,
      iif(new.price_cents < 100000000, 600 + new.price_cents / 1000000, iif(new.price_cents < 1000000000, 700 + new.price_cents / 10000000, 800 + new.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', new.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, new.price_cents)) AS digits WHERE new.is_hidden = 0
    ON CONFLICT DO UPDATE SET products = products + 1, available = available + excluded.available;
END;
--> statement-breakpoint
DROP TRIGGER product_search_delete;
--> statement-breakpoint
CREATE TRIGGER product_search_delete AFTER DELETE ON products BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
  DELETE FROM hidden_search WHERE rowid = old.rowid;
END;
--> statement-breakpoint
DROP TRIGGER pages_product_changed;
--> statement-breakpoint
CREATE TRIGGER pages_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden OR old.option_label <> new.option_label OR old.plates <> new.plates OR old.image_alts <> new.image_alts OR old.held <> new.held BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere)
  VALUES (new.id, new.category, old.category <> new.category OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden);
END;
--> statement-breakpoint
DROP TRIGGER product_search_insert;
--> statement-breakpoint
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_search (rowid, name, category, search_text)
  SELECT new.row, new.folded_name, new.category, new.folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(new.options) AS o, json_each(o.value, '$.values') AS v), '') WHERE true AND new.is_hidden = 0;
  INSERT INTO hidden_search (rowid, name, category, search_text)
  SELECT new.row, new.folded_name, new.category, new.folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(new.options) AS o, json_each(o.value, '$.values') AS v), '') WHERE true AND new.is_hidden = 1;
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(new.options) AS o, json_each(o.value, '$.values') AS v), ''));
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
DROP TRIGGER product_search_update;
--> statement-breakpoint
CREATE TRIGGER product_search_update AFTER UPDATE OF name, category, search_text, colors, options, is_hidden, search_name, search_description, search_colors ON products
WHEN old.name <> new.name OR old.category <> new.category OR old.search_text <> new.search_text OR old.colors <> new.colors OR old.options <> new.options OR old.is_hidden <> new.is_hidden OR old.search_name IS NOT new.search_name OR old.search_description IS NOT new.search_description OR old.search_colors IS NOT new.search_colors BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid;
  DELETE FROM hidden_search WHERE rowid = old.rowid;
  INSERT INTO product_search (rowid, name, category, search_text)
  SELECT row, folded_name, category, folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(options) AS o, json_each(o.value, '$.values') AS v), '') FROM products WHERE row = new.row AND new.is_hidden = 0;
  INSERT INTO hidden_search (rowid, name, category, search_text)
  SELECT row, folded_name, category, folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(options) AS o, json_each(o.value, '$.values') AS v), '') FROM products WHERE row = new.row AND new.is_hidden = 1;
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || new.folded_text || ' ' || coalesce((SELECT group_concat(v.value, ' ') FROM json_each(new.options) AS o, json_each(o.value, '$.values') AS v), ''));
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END;
--> statement-breakpoint
DROP TRIGGER webhooks_product_changed;
--> statement-breakpoint
CREATE TRIGGER webhooks_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden OR old.option_label <> new.option_label OR old.plates <> new.plates BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;
