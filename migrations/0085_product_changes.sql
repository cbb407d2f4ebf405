-- Runs that can be taken back, with what they changed (docs/decisions/0070-undo-of-runs.md).
ALTER TABLE `import_runs` ADD `kind` text DEFAULT 'import' NOT NULL CONSTRAINT "import_runs_kind" CHECK (kind IN ('import', 'act', 'undo'));
--> statement-breakpoint
ALTER TABLE `import_runs` ADD `undoes` text;
--> statement-breakpoint
ALTER TABLE `import_runs` ADD `position` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `import_runs` ADD `removed` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `import_runs` ADD `hidden` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `import_runs` ADD `partial` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `import_runs_undoes` ON `import_runs` (`undoes`);
--> statement-breakpoint
CREATE TABLE `product_changes` (
	`row` integer PRIMARY KEY NOT NULL,
	`run_id` text NOT NULL,
	`product_id` text NOT NULL,
	`outcome` text NOT NULL,
	`before` text,
	`after` text,
	`stayed` text,
	`movement` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "product_changes_outcome" CHECK("product_changes"."outcome" IN ('created', 'updated', 'partial', 'removed', 'hidden', 'stayed', 'unchanged'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `product_changes_product` ON `product_changes` (`run_id`,`product_id`);
--> statement-breakpoint
CREATE INDEX `product_changes_outcome` ON `product_changes` (`run_id`,`outcome`,`row`);
--> statement-breakpoint
CREATE INDEX `product_changes_run` ON `product_changes` (`run_id`,`row`);
--> statement-breakpoint
CREATE INDEX `product_changes_created` ON `product_changes` (`created_at`);
--> statement-breakpoint
CREATE INDEX `chats_product` ON `chats` (`product_id`) WHERE product_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `chats_subject` ON `chats` (`subject_id`) WHERE subject_id IS NOT NULL;
--> statement-breakpoint
-- Images that an undo puts back are in use: rows below 0 are those of changes.
CREATE TRIGGER product_changes_images_insert AFTER INSERT ON product_changes WHEN new.before LIKE '%minio:%' BEGIN
  INSERT INTO product_images (key, product)
  SELECT DISTINCT substr(value, 7), -new.row FROM json_each(new.before ->> 'imageUrls') WHERE value LIKE 'minio:%';
END;
--> statement-breakpoint
CREATE TRIGGER product_changes_images_update AFTER UPDATE OF before ON product_changes
WHEN old.before IS NOT new.before AND new.before LIKE '%minio:%' BEGIN
  DELETE FROM product_images WHERE product = -old.row;
  INSERT INTO product_images (key, product)
  SELECT DISTINCT substr(value, 7), -new.row FROM json_each(new.before ->> 'imageUrls') WHERE value LIKE 'minio:%';
END;
--> statement-breakpoint
CREATE TRIGGER product_changes_images_delete AFTER DELETE ON product_changes WHEN old.before LIKE '%minio:%' BEGIN
  DELETE FROM product_images WHERE product = -old.row;
END;
