-- Names are sorted by a key of their own (docs/decisions/0051-sort-keys.md). SQL cannot compute it: a key that ends with a
-- space stands in for it until app/features/health/sort-keys.server.ts replaces it. The indexes by name_key stay for
-- the version before.
ALTER TABLE `products` ADD `sort_key` text DEFAULT ' ' NOT NULL;
--> statement-breakpoint
ALTER TABLE `users` ADD `sort_key` text DEFAULT ' ' NOT NULL;
--> statement-breakpoint
ALTER TABLE `customers` ADD `sort_key` text DEFAULT ' ' NOT NULL;
--> statement-breakpoint
UPDATE products SET sort_key = name_key || ' ';
--> statement-breakpoint
UPDATE users SET sort_key = lower(first_name || ' ' || last_name) || ' ';
--> statement-breakpoint
UPDATE customers SET sort_key = name_key || ' ';
--> statement-breakpoint
CREATE INDEX `products_sorted` ON `products` (`sort_key`,`id`);
--> statement-breakpoint
CREATE INDEX `products_category_sorted` ON `products` (`category`,`sort_key`,`id`);
--> statement-breakpoint
CREATE INDEX `products_low_sorted` ON `products` (`sort_key`,`id`) WHERE stock BETWEEN 1 AND 5;
--> statement-breakpoint
CREATE INDEX `products_out_sorted` ON `products` (`sort_key`,`id`) WHERE stock = 0;
--> statement-breakpoint
-- The price bands of 0022_shop_filters.sql.
CREATE INDEX products_band_sorted ON products ((CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), sort_key, id);
--> statement-breakpoint
CREATE INDEX products_category_band_sorted ON products (category, (CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), sort_key, id);
--> statement-breakpoint
CREATE INDEX `products_unsorted` ON `products` (`id`) WHERE substr(sort_key, -1) = ' ';
--> statement-breakpoint
CREATE INDEX `users_sorted` ON `users` (`sort_key`,`id`);
--> statement-breakpoint
CREATE INDEX `users_unsorted` ON `users` (`id`) WHERE substr(sort_key, -1) = ' ';
--> statement-breakpoint
CREATE INDEX `customers_sorted` ON `customers` (`sort_key`,`id`);
--> statement-breakpoint
CREATE INDEX `customers_unsorted` ON `customers` (`id`) WHERE substr(sort_key, -1) = ' ';
--> statement-breakpoint
-- Names that are written without a key.
CREATE TRIGGER products_unsorted_insert AFTER INSERT ON products WHEN new.sort_key = ' ' BEGIN
  UPDATE products SET sort_key = new.name_key || ' ' WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER products_unsorted_update AFTER UPDATE OF name_key ON products
WHEN old.name_key <> new.name_key AND old.sort_key = new.sort_key BEGIN
  UPDATE products SET sort_key = new.name_key || ' ' WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_unsorted_insert AFTER INSERT ON users WHEN new.sort_key = ' ' BEGIN
  UPDATE users SET sort_key = lower(new.first_name || ' ' || new.last_name) || ' ' WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_unsorted_update AFTER UPDATE OF first_name, last_name ON users
WHEN (old.first_name <> new.first_name OR old.last_name <> new.last_name) AND old.sort_key = new.sort_key BEGIN
  UPDATE users SET sort_key = lower(new.first_name || ' ' || new.last_name) || ' ' WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER customers_unsorted_insert AFTER INSERT ON customers WHEN new.sort_key = ' ' BEGIN
  UPDATE customers SET sort_key = new.name_key || ' ' WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER customers_unsorted_update AFTER UPDATE OF name_key ON customers
WHEN old.name_key <> new.name_key AND old.sort_key = new.sort_key BEGIN
  UPDATE customers SET sort_key = new.name_key || ' ' WHERE id = new.id;
END;
