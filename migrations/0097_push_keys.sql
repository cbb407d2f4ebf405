CREATE TABLE `push_keys` (
	`one` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`public_key` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "push_keys_one" CHECK(one = 1)
);
