-- SQLite adds CHECK constraints only to a new table.
CREATE TABLE `new_import_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_name` text NOT NULL,
	`file_name` text NOT NULL,
	`fingerprint` text,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`error_details` text DEFAULT '[]' NOT NULL,
	`notes` text DEFAULT '[]' NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	CONSTRAINT `import_runs_source` CHECK(`source` IN ('template', 'shopify', 'woocommerce', 'other')),
	CONSTRAINT `import_runs_state` CHECK(`state` IN ('planned', 'running', 'done', 'failed'))
);
--> statement-breakpoint
INSERT INTO `new_import_runs` (`id`, `user_name`, `file_name`, `source`, `state`, `rows`, `created`, `updated`, `unchanged`, `refused`, `error_details`, `notes`, `started_at`, `finished_at`)
SELECT `id`, `user_name`, `file_name`, `source`, `state`, `rows`, `created`, `updated`, `unchanged`, `refused`, `error_details`, `notes`, `started_at`, `finished_at` FROM `import_runs`;
--> statement-breakpoint
DROP TABLE `import_runs`;
--> statement-breakpoint
ALTER TABLE `new_import_runs` RENAME TO `import_runs`;
--> statement-breakpoint
CREATE INDEX `import_runs_started` ON `import_runs` (`started_at`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `import_runs_fingerprint` ON `import_runs` (`fingerprint`);
