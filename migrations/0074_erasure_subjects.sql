-- What the planned deletions cover, for a look-up by the person: their JSON was read plan by plan. Triggers keep it, so that
-- the version before may write plans, links and chats as it does. They only add: what a plan has covered stays covered
-- until it is cancelled or done, whatever is moved or deleted meanwhile.
CREATE TABLE `erasure_subjects` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`due_at` integer NOT NULL,
	`erasure_id` text NOT NULL,
	PRIMARY KEY(`kind`, `subject_id`, `due_at`, `erasure_id`),
	CONSTRAINT "erasure_subjects_kind" CHECK(kind IN ('user', 'customer', 'chat', 'visitor', 'linked'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `erasure_subjects_of` ON `erasure_subjects` (`erasure_id`,`kind`);--> statement-breakpoint
-- The account of each linked chat: a customer whose chats are all one account's is told from another by one row.
ALTER TABLE `chat_customers` ADD `user_id` text;--> statement-breakpoint
UPDATE chat_customers SET user_id = (SELECT user_id FROM chats WHERE id = chat_id);--> statement-breakpoint
CREATE INDEX `chat_customers_user` ON `chat_customers` (`customer_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `documents_chat_unlinked` ON `documents` (`chat_id`) WHERE chat_id IS NOT NULL AND customer_id IS NULL;--> statement-breakpoint
DROP INDEX `chats_visitor`;--> statement-breakpoint
CREATE INDEX `chats_visitor` ON `chats` (`visitor_id`,`user_id`) WHERE visitor_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `chats_browser` ON `chats` (`visitor_id`,`last_message_at`,`id`) WHERE visitor_id IS NOT NULL;--> statement-breakpoint
-- What a plan names, and the browser of its own chat. D1 takes five SELECTs in one statement.
CREATE VIEW planned_subjects AS
SELECT id AS erasure_id, 'user' AS kind, user_id AS subject_id FROM erasures WHERE done_at IS NULL AND user_id IS NOT NULL
UNION ALL SELECT erasures.id, 'customer', named.value
  FROM erasures, json_each(iif(customer_id IS NULL, customers, json_insert(customers, '$[#]', customer_id))) AS named
  WHERE done_at IS NULL
UNION ALL SELECT erasures.id, 'chat', named.value
  FROM erasures, json_each(iif(chat_id IS NULL, chats, json_insert(chats, '$[#]', chat_id))) AS named
  WHERE done_at IS NULL
UNION ALL SELECT erasures.id, 'visitor', visitor_id FROM erasures JOIN chats ON chats.id = erasures.chat_id
  WHERE done_at IS NULL AND visitor_id IS NOT NULL;
--> statement-breakpoint
-- Links of chats that a plan covers: by the chat, its account or, of an anonymous one, its browser.
CREATE VIEW planned_links AS
SELECT l.customer_id, l.chat_id, s.erasure_id, s.due_at FROM chat_customers AS l
  JOIN erasure_subjects AS s ON s.kind = 'chat' AND s.subject_id = l.chat_id
UNION ALL SELECT l.customer_id, l.chat_id, s.erasure_id, s.due_at FROM chat_customers AS l
  JOIN chats AS c ON c.id = l.chat_id JOIN erasure_subjects AS s ON s.kind = 'user' AND s.subject_id = c.user_id
UNION ALL SELECT l.customer_id, l.chat_id, s.erasure_id, s.due_at FROM chat_customers AS l
  JOIN chats AS c ON c.id = l.chat_id JOIN erasure_subjects AS s ON s.kind = 'visitor' AND s.subject_id = c.visitor_id
  WHERE c.user_id IS NULL;
--> statement-breakpoint
INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
SELECT DISTINCT s.kind, s.subject_id, p.due_at, p.id
FROM planned_subjects AS s JOIN erasures AS p ON p.id = s.erasure_id;
--> statement-breakpoint
INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
SELECT DISTINCT 'linked', customer_id, due_at, erasure_id FROM planned_links;
--> statement-breakpoint
CREATE TRIGGER erasures_subjects_added AFTER INSERT ON erasures WHEN new.done_at IS NULL BEGIN
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT kind, subject_id, new.due_at, new.id FROM planned_subjects WHERE erasure_id = new.id
  ON CONFLICT DO NOTHING;
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT 'linked', customer_id, due_at, new.id FROM planned_links WHERE erasure_id = new.id
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER erasures_subjects_changed
AFTER UPDATE OF user_id, customer_id, chat_id, chats, customers, due_at, done_at ON erasures
WHEN (old.user_id, old.customer_id, old.chat_id, old.chats, old.customers, old.due_at, old.done_at)
  IS NOT (new.user_id, new.customer_id, new.chat_id, new.chats, new.customers, new.due_at, new.done_at) BEGIN
  DELETE FROM erasure_subjects WHERE erasure_id = new.id AND new.done_at IS NOT NULL;
  UPDATE OR REPLACE erasure_subjects SET due_at = new.due_at WHERE erasure_id = new.id AND due_at <> new.due_at;
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT kind, subject_id, new.due_at, new.id FROM planned_subjects WHERE erasure_id = new.id
  ON CONFLICT DO NOTHING;
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT 'linked', customer_id, due_at, new.id FROM planned_links WHERE erasure_id = new.id
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER erasures_subjects_removed AFTER DELETE ON erasures BEGIN
  DELETE FROM erasure_subjects WHERE erasure_id = old.id;
END;
--> statement-breakpoint
-- A customer to whom a covered chat is linked after the plan is one whom staff made of it: it belongs to the plan.
CREATE TRIGGER chat_customers_of_account AFTER INSERT ON chat_customers BEGIN
  UPDATE chat_customers SET user_id = (SELECT user_id FROM chats WHERE id = new.chat_id) WHERE chat_id = new.chat_id;
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT 'customer', customer_id, due_at, erasure_id FROM planned_links WHERE chat_id = new.chat_id
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER chat_customers_covered AFTER UPDATE OF customer_id, user_id ON chat_customers
WHEN (old.customer_id, old.user_id) IS NOT (new.customer_id, new.user_id) BEGIN
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT iif(old.customer_id = new.customer_id, 'linked', 'customer'), customer_id, due_at, erasure_id FROM planned_links WHERE chat_id = new.chat_id
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER chats_account_added AFTER INSERT ON chats WHEN new.user_id IS NOT NULL BEGIN
  UPDATE chat_customers SET user_id = new.user_id WHERE chat_id = new.id;
END;
--> statement-breakpoint
-- A chat that leaves its account, or its browser's anonymous ones by a sign-in.
CREATE TRIGGER chats_account_changed AFTER UPDATE OF user_id ON chats WHEN old.user_id IS NOT new.user_id BEGIN
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT 'chat', new.id, due_at, erasure_id FROM erasure_subjects
  WHERE kind = iif(old.user_id IS NULL, 'visitor', 'user') AND subject_id = ifnull(old.user_id, old.visitor_id)
  ON CONFLICT DO NOTHING;
  UPDATE chat_customers SET user_id = new.user_id WHERE chat_id = new.id;
END;
