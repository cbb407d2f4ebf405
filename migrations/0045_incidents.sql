-- Incidents of one more kind, errors by hour, and indexes of staff, of favourites and of what the page Health lists.
CREATE TABLE `error_hours` (
	`hour` integer PRIMARY KEY NOT NULL,
	`errors` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `__new_incidents` (
	`kind` text NOT NULL,
	`place` text NOT NULL,
	`reference` text NOT NULL,
	`at` integer NOT NULL,
	`message` text NOT NULL,
	`times` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`kind`, `place`, `reference`),
	CONSTRAINT "incidents_kind" CHECK(kind IN ('error', 'mail', 'push', 'image'))
);
--> statement-breakpoint
INSERT INTO `error_hours` SELECT at - at % 3600, sum(times) FROM `incidents` WHERE kind = 'error' GROUP BY 1;--> statement-breakpoint
INSERT INTO `__new_incidents`("kind", "place", "reference", "at", "message", "times") SELECT "kind", "place", "reference", "at", "message", "times" FROM `incidents`;--> statement-breakpoint
DROP TABLE `incidents`;--> statement-breakpoint
ALTER TABLE `__new_incidents` RENAME TO `incidents`;--> statement-breakpoint
CREATE INDEX `incidents_at` ON `incidents` (`at`);--> statement-breakpoint
CREATE INDEX `incidents_errors` ON `incidents` (`at`) WHERE kind = 'error';--> statement-breakpoint
CREATE INDEX `incidents_failures` ON `incidents` (`at`) WHERE kind <> 'error';--> statement-breakpoint
CREATE INDEX `favourites_latest` ON `favourites` (`user_id`,created_at DESC,`product_id`);--> statement-breakpoint
CREATE INDEX `users_staff` ON `users` (`created_at`) WHERE (is_admin = 1 OR is_manager = 1) AND is_user = 1;--> statement-breakpoint
CREATE INDEX `slow_routes_longest` ON `slow_routes` (`hour`,`longest_ms`);
