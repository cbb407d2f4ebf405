CREATE INDEX `products_stock` ON `products` (`stock`,`id`);--> statement-breakpoint
CREATE INDEX `products_category_stock` ON `products` (`category`,`stock`,`id`);