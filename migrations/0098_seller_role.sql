ALTER TABLE `users` ADD `is_seller` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `users_rank` ON `users` ((is_admin * 3 + (is_manager AND NOT is_admin) * 2 + (is_seller AND NOT is_manager AND NOT is_admin)),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_team` ON `users` (`created_at`) WHERE (is_admin = 1 OR is_manager = 1 OR is_seller = 1) AND is_user = 1;