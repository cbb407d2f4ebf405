-- Records of this installation, which no backup contains: copies being made, backups, a restore under way, nightly runs,
-- incidents and slow requests.
CREATE TABLE `backup_rows` (
	`number` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`row` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `backups` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`started_at` integer NOT NULL,
	`active_at` integer NOT NULL,
	`finished_at` integer,
	`bytes` integer DEFAULT 0 NOT NULL,
	`result` text DEFAULT '' NOT NULL,
	CONSTRAINT "backups_kind" CHECK(kind IN ('nightly', 'manual')),
	CONSTRAINT "backups_state" CHECK(state IN ('running', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE `restores` (
	`one` integer PRIMARY KEY NOT NULL,
	`archive` text NOT NULL,
	`token` text NOT NULL,
	`next` integer NOT NULL,
	`slices` integer NOT NULL,
	`triggers` text NOT NULL,
	`missing_chats` text DEFAULT '[]' NOT NULL,
	`active_at` integer NOT NULL,
	CONSTRAINT "restores_one" CHECK(one = 1)
);
--> statement-breakpoint
CREATE TABLE `nightly_runs` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`duration_ms` integer NOT NULL,
	`jobs` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `incidents` (
	`kind` text NOT NULL,
	`place` text NOT NULL,
	`reference` text NOT NULL,
	`at` integer NOT NULL,
	`message` text NOT NULL,
	`times` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`kind`, `place`, `reference`),
	CONSTRAINT "incidents_kind" CHECK(kind IN ('error', 'mail', 'push'))
);
--> statement-breakpoint
CREATE INDEX `incidents_at` ON `incidents` (`at`);
--> statement-breakpoint
CREATE TABLE `slow_routes` (
	`hour` integer NOT NULL,
	`route` text NOT NULL,
	`requests` integer NOT NULL,
	`total_ms` integer NOT NULL,
	`longest_ms` integer NOT NULL,
	`rows_read` integer NOT NULL,
	`rows_written` integer NOT NULL,
	PRIMARY KEY(`hour`, `route`)
);
