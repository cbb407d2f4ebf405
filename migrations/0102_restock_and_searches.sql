CREATE TABLE `proven_addresses` (
	`user_id` text PRIMARY KEY NOT NULL,
	`email_key` text NOT NULL,
	`proven_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `restock_requests` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`product_id` text NOT NULL,
	`unit_id` text NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`party` text NOT NULL,
	`user_id` text,
	`p256dh` text DEFAULT '' NOT NULL,
	`auth` text DEFAULT '' NOT NULL,
	`public_key` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`confirmed_at` integer,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`notified_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "restock_requests_kind" CHECK((email = '') = (p256dh <> ''))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `restock_requests_id_unique` ON `restock_requests` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `restock_requests_party` ON `restock_requests` (`party`,`unit_id`);--> statement-breakpoint
CREATE INDEX `restock_requests_waiting` ON `restock_requests` (`unit_id`,`seq`) WHERE confirmed_at IS NOT NULL AND due_at IS NULL AND notified_at IS NULL;--> statement-breakpoint
CREATE INDEX `restock_requests_due` ON `restock_requests` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `restock_requests_product` ON `restock_requests` (`product_id`,`unit_id`,`confirmed_at`,`notified_at`);--> statement-breakpoint
CREATE INDEX `restock_requests_expires` ON `restock_requests` (`expires_at`);--> statement-breakpoint
CREATE INDEX `restock_requests_user` ON `restock_requests` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `restocks` (
	`unit_id` text PRIMARY KEY NOT NULL,
	`people` integer NOT NULL,
	`noted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `missed_search_days` (
	`day` text NOT NULL,
	`words` text NOT NULL,
	`searches` integer NOT NULL,
	PRIMARY KEY(`day`, `words`)
);
--> statement-breakpoint
CREATE INDEX `missed_search_days_words` ON `missed_search_days` (`words`);--> statement-breakpoint
CREATE TABLE `missed_searches` (
	`words` text PRIMARY KEY NOT NULL,
	`searches` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `missed_searches_most` ON `missed_searches` (`searches`,`words`);
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0093-back-in-stock.md). Whatever gives a unit more pieces to sell is noted.
CREATE TRIGGER restocks_noted AFTER UPDATE OF stock, held ON units
WHEN new.stock - new.held > max(0, old.stock - old.held) AND EXISTS (SELECT 1 FROM restock_requests
  WHERE unit_id = new.id AND confirmed_at IS NOT NULL AND due_at IS NULL AND notified_at IS NULL) BEGIN
  INSERT INTO restocks (unit_id, people, noted_at)
  VALUES (new.id, 3 * (new.stock - new.held - max(0, old.stock - old.held)), unixepoch())
  ON CONFLICT (unit_id) DO UPDATE SET people = people + excluded.people;
END;
--> statement-breakpoint
CREATE TRIGGER restock_requests_of_deleted AFTER DELETE ON units BEGIN
  DELETE FROM restock_requests WHERE product_id = old.product_id AND unit_id = old.id;
  DELETE FROM restocks WHERE unit_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER restock_requests_of_hidden AFTER UPDATE OF is_hidden ON products WHEN old.is_hidden = 0 AND new.is_hidden = 1 BEGIN
  DELETE FROM restock_requests WHERE product_id = new.id;
  DELETE FROM restocks WHERE unit_id IN (SELECT id FROM units WHERE product_id = new.id);
END;
--> statement-breakpoint
-- Sums of the searches that found nothing (docs/decisions/0094-words-of-the-search.md).
CREATE TRIGGER missed_searches_added AFTER INSERT ON missed_search_days BEGIN
  INSERT INTO missed_searches (words, searches) VALUES (new.words, new.searches)
  ON CONFLICT (words) DO UPDATE SET searches = searches + excluded.searches;
END;
--> statement-breakpoint
CREATE TRIGGER missed_searches_changed AFTER UPDATE OF searches ON missed_search_days BEGIN
  UPDATE missed_searches SET searches = searches + new.searches - old.searches WHERE words = new.words;
END;
--> statement-breakpoint
CREATE TRIGGER missed_searches_removed AFTER DELETE ON missed_search_days BEGIN
  UPDATE missed_searches SET searches = searches - old.searches WHERE words = old.words;
  DELETE FROM missed_searches WHERE words = old.words AND searches <= 0;
END;
