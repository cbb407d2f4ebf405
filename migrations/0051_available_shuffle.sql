CREATE INDEX `products_available_shuffle` ON `products` ((stock > held),`shuffle`);
