ALTER TABLE `stock_counts` ADD `units` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stock_counts` ADD `unit_products` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `units_low` ON `units` (`product_id`,`position`) WHERE stock BETWEEN 1 AND 5;--> statement-breakpoint
CREATE INDEX `units_out` ON `units` (`product_id`,`position`) WHERE stock = 0;--> statement-breakpoint
CREATE INDEX `units_short` ON `units` (`product_id`) WHERE stock < held AND id <> product_id;--> statement-breakpoint
-- Written by hand from here on: the inventory counts units by level of stock (0 out, 1 low, 2 enough), and lists the products that
-- have one at a level. Inserts name their columns, so that the previous version needs none of these.
ALTER TABLE products ADD units_out integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE products ADD units_low integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE products ADD units_enough integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE products SET units_out = u.units_out, units_low = u.units_low, units_enough = u.units_enough
FROM (SELECT product_id, sum(stock = 0) AS units_out, sum(stock BETWEEN 1 AND 5) AS units_low, sum(stock > 5) AS units_enough
  FROM units GROUP BY product_id) AS u WHERE products.id = u.product_id;
--> statement-breakpoint
INSERT INTO stock_counts (category, level, products, units, unit_products)
SELECT p.category, l.key, 0, sum(l.value), count(*)
FROM products AS p CROSS JOIN json_each(json_array(p.units_out, p.units_low, p.units_enough)) AS l WHERE l.value > 0 GROUP BY 1, 2
ON CONFLICT (category, level) DO UPDATE SET units = excluded.units, unit_products = excluded.unit_products;
--> statement-breakpoint
CREATE INDEX products_units_low ON products (sort_key, id) WHERE units_low > 0;
--> statement-breakpoint
CREATE INDEX products_units_out ON products (sort_key, id) WHERE units_out > 0;
--> statement-breakpoint
CREATE TRIGGER units_level_added AFTER INSERT ON units BEGIN
  UPDATE products SET units_out = units_out + (new.stock = 0), units_low = units_low + (new.stock BETWEEN 1 AND 5),
    units_enough = units_enough + (new.stock > 5) WHERE id = new.product_id;
END;
--> statement-breakpoint
CREATE TRIGGER units_level_changed AFTER UPDATE OF stock ON units
WHEN (old.stock = 0) <> (new.stock = 0) OR (old.stock > 5) <> (new.stock > 5) BEGIN
  UPDATE products SET units_out = units_out + (new.stock = 0) - (old.stock = 0),
    units_low = units_low + (new.stock BETWEEN 1 AND 5) - (old.stock BETWEEN 1 AND 5),
    units_enough = units_enough + (new.stock > 5) - (old.stock > 5) WHERE id = new.product_id;
END;
--> statement-breakpoint
CREATE TRIGGER units_level_removed AFTER DELETE ON units BEGIN
  UPDATE products SET units_out = units_out - (old.stock = 0), units_low = units_low - (old.stock BETWEEN 1 AND 5),
    units_enough = units_enough - (old.stock > 5) WHERE id = old.product_id;
END;
--> statement-breakpoint
CREATE TRIGGER products_units_counted AFTER UPDATE OF category, units_out, units_low, units_enough ON products
WHEN old.category <> new.category OR old.units_out <> new.units_out OR old.units_low <> new.units_low OR old.units_enough <> new.units_enough BEGIN
  UPDATE stock_counts SET units = units - l.value, unit_products = unit_products - 1
  FROM json_each(json_array(old.units_out, old.units_low, old.units_enough)) AS l
  WHERE category = old.category AND level = l.key AND l.value > 0;
  INSERT INTO stock_counts (category, level, products, units, unit_products)
    SELECT new.category, l.key, 0, l.value, 1
    FROM json_each(json_array(new.units_out, new.units_low, new.units_enough)) AS l WHERE l.value > 0
    ON CONFLICT (category, level) DO UPDATE SET units = units + excluded.units, unit_products = unit_products + 1;
END;
--> statement-breakpoint
CREATE TRIGGER products_units_uncounted AFTER DELETE ON products BEGIN
  UPDATE stock_counts SET units = units - l.value, unit_products = unit_products - 1
  FROM json_each(json_array(old.units_out, old.units_low, old.units_enough)) AS l
  WHERE category = old.category AND level = l.key AND l.value > 0;
END;
