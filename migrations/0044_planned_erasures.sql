ALTER TABLE `erasures` ADD `begun_at` integer;--> statement-breakpoint
CREATE INDEX `erasures_begun` ON `erasures` (`user_id`) WHERE begun_at IS NOT NULL;--> statement-breakpoint
-- Chats of accounts that are deleted already are deleted as they are stored, too.
UPDATE erasures SET begun_at = done_at WHERE done_at IS NOT NULL;
