CREATE TABLE `chat_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`total` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `chats` ADD `product_id` text;--> statement-breakpoint
-- Written by hand from here on. Chats that wait for their import know their products already.
UPDATE chats SET product_id = (SELECT content ->> '$.chat.lines[0].productId' FROM chat_imports WHERE chat_id = chats.id);
--> statement-breakpoint
INSERT INTO chat_counts (name, total)
SELECT state, count(*) FROM chats GROUP BY state
UNION ALL SELECT 'unanswered', count(*) FROM chats WHERE waiting_since IS NOT NULL HAVING count(*) > 0
UNION ALL SELECT 'assignee:' || assignee_id, count(*) FROM chats WHERE assignee_id IS NOT NULL GROUP BY assignee_id;
--> statement-breakpoint
CREATE TRIGGER chats_counted_insert AFTER INSERT ON chats BEGIN
  INSERT INTO chat_counts (name, total)
  SELECT new.state, 1
  UNION ALL SELECT 'unanswered', 1 WHERE new.waiting_since IS NOT NULL
  UNION ALL SELECT 'assignee:' || new.assignee_id, 1 WHERE new.assignee_id IS NOT NULL
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
--> statement-breakpoint
CREATE TRIGGER chats_counted_delete AFTER DELETE ON chats BEGIN
  INSERT INTO chat_counts (name, total)
  SELECT old.state, -1
  UNION ALL SELECT 'unanswered', -1 WHERE old.waiting_since IS NOT NULL
  UNION ALL SELECT 'assignee:' || old.assignee_id, -1 WHERE old.assignee_id IS NOT NULL
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
--> statement-breakpoint
CREATE TRIGGER chats_counted_update AFTER UPDATE OF state, waiting_since, assignee_id ON chats
WHEN old.state <> new.state OR (old.waiting_since IS NULL) <> (new.waiting_since IS NULL)
  OR old.assignee_id IS NOT new.assignee_id BEGIN
  INSERT INTO chat_counts (name, total)
  SELECT old.state, -1
  UNION ALL SELECT 'unanswered', -1 WHERE old.waiting_since IS NOT NULL
  UNION ALL SELECT 'assignee:' || old.assignee_id, -1 WHERE old.assignee_id IS NOT NULL
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO chat_counts (name, total)
  SELECT new.state, 1
  UNION ALL SELECT 'unanswered', 1 WHERE new.waiting_since IS NOT NULL
  UNION ALL SELECT 'assignee:' || new.assignee_id, 1 WHERE new.assignee_id IS NOT NULL
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
