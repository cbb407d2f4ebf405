CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `second_factors`(`user_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failed_at` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `quotes` ADD `ready_at` integer;--> statement-breakpoint
CREATE INDEX `quotes_to_do` ON `quotes` ((ready_by = ''),`ready_by`,`created_at`) WHERE state = 'accepted' AND document_id IS NULL AND ready_at IS NULL;--> statement-breakpoint
CREATE INDEX `quotes_ready` ON `quotes` (`ready_at`) WHERE state = 'accepted' AND document_id IS NULL AND ready_at IS NOT NULL;