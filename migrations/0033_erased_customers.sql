ALTER TABLE `erasures` ADD `customers` text DEFAULT '[]' NOT NULL;
