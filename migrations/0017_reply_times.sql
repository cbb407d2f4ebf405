CREATE TABLE `chat_first_answers` (
	`chat_id` text PRIMARY KEY NOT NULL,
	`asked_at` integer NOT NULL,
	`answered_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chat_first_answers_latest` ON `chat_first_answers` (`answered_at`);--> statement-breakpoint
ALTER TABLE `chat_settings` ADD `answerer_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `chat_settings` ADD `answerer_picture` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `chat_settings` ADD `reply_seconds` integer;--> statement-breakpoint
ALTER TABLE `chat_settings` ADD `reply_measured_at` integer;--> statement-breakpoint
ALTER TABLE `chats` ADD `visitor_id` text;--> statement-breakpoint
ALTER TABLE `chats` ADD `last_staff_id` text;--> statement-breakpoint
CREATE INDEX `chats_visitor` ON `chats` (`visitor_id`) WHERE visitor_id IS NOT NULL;