ALTER TABLE `chats` ADD `subject_id` text;--> statement-breakpoint
ALTER TABLE `chats` ADD `subject_count` integer DEFAULT 0 NOT NULL;