CREATE TABLE `product_keys` (
	`system` text NOT NULL,
	`key` text NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`system`, `key`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `product_keys_product` ON `product_keys` (`product_id`,`system`);
--> statement-breakpoint
CREATE TRIGGER product_keys_of_deleted AFTER DELETE ON products BEGIN
  DELETE FROM product_keys WHERE product_id = old.id;
END;
