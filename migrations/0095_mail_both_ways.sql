CREATE TABLE `chat_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`user_id` text,
	`sender` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`chat_id`) REFERENCES `chats`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_mails_received` ON `chat_mails` (`chat_id`,`received_at`);--> statement-breakpoint
CREATE TABLE `mail_threads` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`chat_id` text NOT NULL,
	`user_id` text,
	`party` text NOT NULL,
	`created_at` integer NOT NULL,
	`stopped_at` integer,
	FOREIGN KEY (`chat_id`) REFERENCES `chats`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_threads_user" CHECK(user_id IS NULL OR user_id = party)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_threads_token` ON `mail_threads` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `mail_threads_party` ON `mail_threads` (`chat_id`,`party`);--> statement-breakpoint
CREATE INDEX `mail_threads_user` ON `mail_threads` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `received_mails` (
	`week` integer NOT NULL,
	`outcome` text NOT NULL,
	`mails` integer NOT NULL,
	PRIMARY KEY(`week`, `outcome`),
	CONSTRAINT "received_mails_outcome" CHECK(outcome IN ('posted', 'repeated', 'noToken', 'unknownToken', 'automatic', 'bounce', 'list', 'loop', 'tooLarge', 'tooMany', 'unreadable', 'gone', 'erased', 'locked'))
);
