CREATE TABLE `import_mappings` (
	`headers` text PRIMARY KEY NOT NULL,
	`mapping` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `import_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_name` text NOT NULL,
	`file_name` text NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`error_details` text DEFAULT '[]' NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `import_runs_started` ON `import_runs` (`started_at`,`id`);--> statement-breakpoint
CREATE TABLE `product_images` (
	`key` text NOT NULL,
	`product` integer NOT NULL,
	PRIMARY KEY(`key`, `product`)
);
--> statement-breakpoint
CREATE INDEX `product_images_product` ON `product_images` (`product`);--> statement-breakpoint
-- Keeps product_images in step with every write to products. A search for the sweep: never more than index lookups.
CREATE TRIGGER `product_images_insert` AFTER INSERT ON `products` WHEN NEW.`image_urls` LIKE '%"minio:%' BEGIN
  INSERT INTO `product_images` (`key`, `product`)
  SELECT DISTINCT substr(value, 7), NEW.`row` FROM json_each(NEW.`image_urls`) WHERE value LIKE 'minio:%';
END;
--> statement-breakpoint
CREATE TRIGGER `product_images_delete` AFTER DELETE ON `products` BEGIN
  DELETE FROM `product_images` WHERE `product` = OLD.`row`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_images_update` AFTER UPDATE OF `image_urls` ON `products` WHEN OLD.`image_urls` <> NEW.`image_urls` BEGIN
  DELETE FROM `product_images` WHERE `product` = OLD.`row`;
  INSERT INTO `product_images` (`key`, `product`)
  SELECT DISTINCT substr(value, 7), NEW.`row` FROM json_each(NEW.`image_urls`) WHERE value LIKE 'minio:%';
END;
--> statement-breakpoint
INSERT INTO `product_images` (`key`, `product`)
SELECT DISTINCT substr(image.value, 7), products.`row` FROM products, json_each(products.`image_urls`) AS image
WHERE image.value LIKE 'minio:%';
