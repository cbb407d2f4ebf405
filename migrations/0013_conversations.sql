ALTER TABLE `chats` ADD `state` text DEFAULT 'open' NOT NULL CHECK (`state` IN ('open', 'closed'));--> statement-breakpoint
ALTER TABLE `chats` ADD `assignee_id` text;--> statement-breakpoint
ALTER TABLE `chats` ADD `waiting_since` integer;--> statement-breakpoint
ALTER TABLE `chats` ADD `last_sender` text DEFAULT 'auto' NOT NULL CHECK (`last_sender` IN ('visitor', 'staff', 'auto'));--> statement-breakpoint
ALTER TABLE `chats` ADD `visitor_unread` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `chats` SET `waiting_since` = `last_message_at`, `last_sender` = 'visitor' WHERE `unread_count` > 0;--> statement-breakpoint
CREATE INDEX `chats_state` ON `chats` (`state`,`last_message_at`,`id`);--> statement-breakpoint
CREATE INDEX `chats_assignee` ON `chats` (`assignee_id`,`last_message_at`,`id`) WHERE assignee_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `chats_waiting` ON `chats` (`last_message_at`,`id`) WHERE waiting_since IS NOT NULL;
