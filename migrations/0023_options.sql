ALTER TABLE `products` ADD `has_engraving` integer DEFAULT false NOT NULL;
