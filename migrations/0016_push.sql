CREATE TABLE `push_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`chat_id` text DEFAULT '' NOT NULL,
	`token_hash` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`token_hash`) REFERENCES `sessions`(`token_hash`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "push_subscriptions_owner" CHECK(`chat_id` <> '' OR `token_hash` IS NOT NULL)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint` ON `push_subscriptions` (`endpoint`,`chat_id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_chat` ON `push_subscriptions` (`chat_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_renewed` ON `push_subscriptions` (`created_at`) WHERE chat_id <> '';--> statement-breakpoint
CREATE INDEX `push_subscriptions_session` ON `push_subscriptions` (`token_hash`);--> statement-breakpoint
CREATE TABLE `push_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`has_preview` integer DEFAULT true NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "push_preferences_values" CHECK(`has_preview` IN (0, 1))
);
