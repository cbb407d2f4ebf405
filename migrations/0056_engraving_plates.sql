ALTER TABLE `products` ADD `option_label` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `plates` text DEFAULT '{}' NOT NULL;