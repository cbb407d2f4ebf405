CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`is_admin` integer DEFAULT false NOT NULL,
	`is_manager` integer DEFAULT false NOT NULL,
	`is_seller` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_email_key_unique` ON `invitations` (`email_key`);--> statement-breakpoint
CREATE INDEX `invitations_expires` ON `invitations` (`expires_at`);