CREATE TABLE `sent_mails` (
	`day` integer PRIMARY KEY NOT NULL,
	`mails` integer NOT NULL,
	`last_at` integer NOT NULL
);
