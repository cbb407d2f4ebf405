CREATE TABLE `visitor_favourites` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`visitor` text NOT NULL,
	`product_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visitor_favourites_product` ON `visitor_favourites` (`visitor`,`product_id`);--> statement-breakpoint
CREATE INDEX `visitor_favourites_of` ON `visitor_favourites` (`product_id`);--> statement-breakpoint
CREATE INDEX `visitor_favourites_created` ON `visitor_favourites` (`created_at`);--> statement-breakpoint
CREATE TRIGGER visitor_favourites_of_deleted AFTER DELETE ON products BEGIN
  DELETE FROM visitor_favourites WHERE product_id = old.id;
END;
