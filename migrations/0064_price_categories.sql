-- Products by price and category (docs/decisions/0028-shop-filters.md): one row for each bucket of price_counts, as
-- {"JEWELRY": [products, available], ...}. A page that counts each category in a price range would read too many rows of price_counts.
CREATE TABLE `price_categories` (
	`level` integer NOT NULL,
	`bucket` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`level`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO price_categories (level, bucket, counts)
SELECT level, bucket, json_group_object(category, json_array(products, available)) FROM price_counts
WHERE category <> '' AND products > 0 GROUP BY level, bucket;
--> statement-breakpoint
CREATE TRIGGER price_categories_insert AFTER INSERT ON price_counts WHEN new.category <> '' BEGIN
  INSERT INTO price_categories (level, bucket, counts)
  VALUES (new.level, new.bucket, json_object(new.category, json_array(new.products, new.available)))
    ON CONFLICT DO UPDATE SET counts = json_patch(counts, excluded.counts);
END;
--> statement-breakpoint
-- At 0 the row of price_counts is removed, or stays for later products.
CREATE TRIGGER price_categories_update AFTER UPDATE ON price_counts WHEN new.category <> '' BEGIN
  INSERT INTO price_categories (level, bucket, counts)
  SELECT new.level, new.bucket, json_object(new.category, json_array(new.products, new.available)) WHERE new.products > 0
    ON CONFLICT DO UPDATE SET counts = json_patch(counts, excluded.counts);
  UPDATE price_categories SET counts = json_remove(counts, '$.' || new.category)
  WHERE new.products = 0 AND level = new.level AND bucket = new.bucket;
  DELETE FROM price_categories WHERE new.products = 0 AND level = new.level AND bucket = new.bucket AND counts = '{}';
END;
