CREATE TABLE `chat_imports` (
	`chat_id` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chat_settings` (
	`one` integer PRIMARY KEY NOT NULL,
	`welcome_message` text NOT NULL,
	`offline_message` text NOT NULL,
	`is_online` integer NOT NULL,
	`auto_response_enabled` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chats` (
	`id` text PRIMARY KEY NOT NULL,
	`user_name` text NOT NULL,
	`user_email` text DEFAULT '' NOT NULL,
	`user_id` text,
	`is_anonymous` integer DEFAULT false NOT NULL,
	`last_message` text DEFAULT '' NOT NULL,
	`last_message_at` integer NOT NULL,
	`unread_count` integer DEFAULT 0 NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chats_latest` ON `chats` (`last_message_at`,`id`);--> statement-breakpoint
CREATE INDEX `chats_user` ON `chats` (`user_id`,`last_message_at`);--> statement-breakpoint
CREATE TABLE `predefined_responses` (
	`id` text PRIMARY KEY NOT NULL,
	`trigger` text NOT NULL,
	`response` text NOT NULL,
	`category` text DEFAULT 'General' NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `predefined_responses_created` ON `predefined_responses` (`created_at`,`id`);