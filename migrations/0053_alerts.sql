CREATE TABLE `alerts` (
	`problem` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
