CREATE TABLE `user_counts` (
	`one` integer PRIMARY KEY NOT NULL,
	`users` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `user_rows` (
	`row` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_rows_user_id_unique` ON `user_rows` (`user_id`);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (lower(first_name),lower(last_name),`id`);--> statement-breakpoint
CREATE INDEX `users_phone` ON `users` (`phone_number`,`id`);--> statement-breakpoint
CREATE INDEX `users_role` ON `users` ((is_admin * 2 + (is_manager and not is_admin)),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_active` ON `users` (`is_user`,`created_at`,`id`);--> statement-breakpoint
-- The search of the users' screen, written by hand. Users must not be written with INSERT OR REPLACE: it fires no
-- delete trigger. The numbers of user_rows are theirs for good, where users' own rowids could change with a VACUUM.
-- Contains, whatever the case: three characters or more (trigrams).
CREATE VIRTUAL TABLE user_search USING fts5(
  name, email, content = '', contentless_delete = 1,
  tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
-- One or two characters: the beginnings of words.
CREATE VIRTUAL TABLE user_starts USING fts5(
  name, email, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
INSERT INTO user_rows (user_id) SELECT id FROM users ORDER BY created_at, id;
--> statement-breakpoint
INSERT INTO user_search (rowid, name, email)
SELECT user_rows.row, first_name || ' ' || last_name, email FROM user_rows JOIN users ON users.id = user_rows.user_id;
--> statement-breakpoint
INSERT INTO user_starts (rowid, name, email)
SELECT user_rows.row, first_name || ' ' || last_name, email FROM user_rows JOIN users ON users.id = user_rows.user_id;
--> statement-breakpoint
INSERT INTO user_counts (one, users) SELECT 1, count(*) FROM users;
--> statement-breakpoint
CREATE TRIGGER users_listed_insert AFTER INSERT ON users BEGIN
  INSERT INTO user_rows (user_id) VALUES (new.id);
  INSERT INTO user_search (rowid, name, email)
  SELECT row, new.first_name || ' ' || new.last_name, new.email FROM user_rows WHERE user_id = new.id;
  INSERT INTO user_starts (rowid, name, email)
  SELECT row, new.first_name || ' ' || new.last_name, new.email FROM user_rows WHERE user_id = new.id;
  UPDATE user_counts SET users = users + 1 WHERE one = 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_listed_update AFTER UPDATE OF first_name, last_name, email ON users
WHEN old.first_name <> new.first_name OR old.last_name <> new.last_name OR old.email <> new.email BEGIN
  DELETE FROM user_search WHERE rowid = (SELECT row FROM user_rows WHERE user_id = new.id);
  DELETE FROM user_starts WHERE rowid = (SELECT row FROM user_rows WHERE user_id = new.id);
  INSERT INTO user_search (rowid, name, email)
  SELECT row, new.first_name || ' ' || new.last_name, new.email FROM user_rows WHERE user_id = new.id;
  INSERT INTO user_starts (rowid, name, email)
  SELECT row, new.first_name || ' ' || new.last_name, new.email FROM user_rows WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_listed_delete AFTER DELETE ON users BEGIN
  DELETE FROM user_search WHERE rowid = (SELECT row FROM user_rows WHERE user_id = old.id);
  DELETE FROM user_starts WHERE rowid = (SELECT row FROM user_rows WHERE user_id = old.id);
  DELETE FROM user_rows WHERE user_id = old.id;
  UPDATE user_counts SET users = users - 1 WHERE one = 1;
END;
