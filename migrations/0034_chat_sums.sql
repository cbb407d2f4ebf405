ALTER TABLE `chats` ADD `month` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE TABLE `chat_sums` (
	`period` text NOT NULL,
	`name` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`period`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `chat_answers` (
	`period` text NOT NULL,
	`ms` integer NOT NULL,
	`chat_id` text NOT NULL,
	PRIMARY KEY(`period`, `ms`, `chat_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `chat_medians` (
	`period` text PRIMARY KEY NOT NULL,
	`answers` integer NOT NULL,
	`ms` integer NOT NULL,
	`chat_id` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0036-chat-sums.md). SQL knows no time zones: chats that exist count in their
-- month in UTC.
UPDATE chats SET month = strftime('%Y-%m', created_at, 'unixepoch');
--> statement-breakpoint
DROP INDEX chats_created;--> statement-breakpoint
CREATE INDEX `chats_month` ON `chats` (`month`, `id`);--> statement-breakpoint
-- A chat counts in its month, quarter and year.
CREATE VIEW chat_periods AS
SELECT id AS chat_id, month AS period FROM chats
UNION ALL SELECT id, substr(month, 1, 4) || '-q' || ((substr(month, 6) + 2) / 3) FROM chats
UNION ALL SELECT id, substr(month, 1, 4) FROM chats;
--> statement-breakpoint
-- A chat was sold once for all, and once for each business.
CREATE VIEW chat_sales AS
SELECT DISTINCT chat_id, 'sold' AS name FROM documents WHERE kind = 'sale' AND chat_id IS NOT NULL
UNION ALL SELECT DISTINCT chat_id, 'sold:' || business_type FROM documents WHERE kind = 'sale' AND chat_id IS NOT NULL;
--> statement-breakpoint
-- A document counts on its own day.
CREATE VIEW chat_revenue AS
SELECT id AS document_id, substr(day, 1, 7) AS period, 'cents:' || business_type AS name, total_cents
FROM documents WHERE source = 'chat'
UNION ALL SELECT id, substr(day, 1, 4) || '-q' || ((substr(day, 6, 2) + 2) / 3), 'cents:' || business_type, total_cents
FROM documents WHERE source = 'chat'
UNION ALL SELECT id, substr(day, 1, 4), 'cents:' || business_type, total_cents FROM documents WHERE source = 'chat';
--> statement-breakpoint
INSERT INTO chat_sums (period, name, total)
SELECT period, 'begun', count(*) FROM chat_periods GROUP BY period;
--> statement-breakpoint
INSERT INTO chat_sums (period, name, total)
SELECT p.period, s.name, count(*) FROM chat_sales AS s JOIN chat_periods AS p ON p.chat_id = s.chat_id GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO chat_sums (period, name, total)
SELECT period, name, sum(total_cents) FROM chat_revenue GROUP BY period, name;
--> statement-breakpoint
INSERT INTO chat_answers (period, ms, chat_id)
SELECT p.period, a.answered_at - a.asked_at, p.chat_id
FROM chat_first_answers AS a JOIN chat_periods AS p ON p.chat_id = a.chat_id;
--> statement-breakpoint
INSERT INTO chat_medians (period, answers, ms, chat_id)
SELECT period, answers, ms, chat_id FROM (
  SELECT *, row_number() OVER (PARTITION BY period ORDER BY ms, chat_id) AS place,
    count(*) OVER (PARTITION BY period) AS answers FROM chat_answers
) WHERE place = (answers + 1) / 2;
--> statement-breakpoint
CREATE TRIGGER chats_month_known BEFORE INSERT ON chats WHEN new.month NOT GLOB '20[0-9][0-9]-[01][0-9]' BEGIN
  SELECT RAISE(ABORT, 'chats: no month');
END;
--> statement-breakpoint
CREATE TRIGGER chats_month_final BEFORE UPDATE OF month ON chats WHEN old.month <> new.month BEGIN
  SELECT RAISE(ABORT, 'chats: final month');
END;
--> statement-breakpoint
CREATE TRIGGER chats_summed_insert AFTER INSERT ON chats BEGIN
  INSERT INTO chat_sums (period, name, total)
  SELECT period, 'begun', 1 FROM chat_periods WHERE chat_id = new.id
  UNION ALL SELECT p.period, s.name, 1 FROM chat_periods AS p JOIN chat_sales AS s ON s.chat_id = new.id
    WHERE p.chat_id = new.id
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO chat_answers (period, ms, chat_id)
  SELECT p.period, a.answered_at - a.asked_at, new.id FROM chat_periods AS p
    JOIN chat_first_answers AS a ON a.chat_id = new.id
  WHERE p.chat_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER chats_summed_delete BEFORE DELETE ON chats BEGIN
  INSERT INTO chat_sums (period, name, total)
  SELECT period, 'begun', -1 FROM chat_periods WHERE chat_id = old.id
  UNION ALL SELECT p.period, s.name, -1 FROM chat_periods AS p JOIN chat_sales AS s ON s.chat_id = old.id
    WHERE p.chat_id = old.id
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
  DELETE FROM chat_answers WHERE (period, ms, chat_id) IN (
    SELECT p.period, a.answered_at - a.asked_at, old.id FROM chat_periods AS p
      JOIN chat_first_answers AS a ON a.chat_id = old.id
    WHERE p.chat_id = old.id
  );
END;
--> statement-breakpoint
CREATE TRIGGER documents_chat_sold AFTER INSERT ON documents WHEN new.kind = 'sale' AND new.chat_id IS NOT NULL BEGIN
  INSERT INTO chat_sums (period, name, total)
  SELECT period, 'sold', 1 FROM chat_periods WHERE chat_id = new.chat_id AND NOT EXISTS (
    SELECT 1 FROM documents WHERE chat_id = new.chat_id AND kind = 'sale' AND id <> new.id)
  UNION ALL SELECT period, 'sold:' || new.business_type, 1 FROM chat_periods WHERE chat_id = new.chat_id AND NOT EXISTS (
    SELECT 1 FROM documents WHERE chat_id = new.chat_id AND kind = 'sale' AND id <> new.id
      AND business_type = new.business_type)
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
--> statement-breakpoint
CREATE TRIGGER documents_chat_paid AFTER INSERT ON documents WHEN new.source = 'chat' BEGIN
  INSERT INTO chat_sums (period, name, total)
  SELECT period, name, total_cents FROM chat_revenue WHERE document_id = new.id
  ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
--> statement-breakpoint
CREATE TRIGGER chat_first_answers_listed AFTER INSERT ON chat_first_answers BEGIN
  INSERT INTO chat_answers (period, ms, chat_id)
  SELECT period, new.answered_at - new.asked_at, new.chat_id FROM chat_periods WHERE chat_id = new.chat_id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_first_answers_final BEFORE UPDATE ON chat_first_answers BEGIN
  SELECT RAISE(ABORT, 'chat_first_answers: final');
END;
--> statement-breakpoint
CREATE TRIGGER chat_first_answers_unlisted AFTER DELETE ON chat_first_answers BEGIN
  DELETE FROM chat_answers WHERE (period, ms, chat_id) IN (
    SELECT period, old.answered_at - old.asked_at, old.chat_id FROM chat_periods WHERE chat_id = old.chat_id
  );
END;
--> statement-breakpoint
-- The median is the answer at place (n + 1) / 2. An answer more or less moves it to its neighbour or not at all.
CREATE TRIGGER chat_answers_median_insert AFTER INSERT ON chat_answers BEGIN
  UPDATE chat_medians SET (ms, chat_id) = (
    SELECT a.ms, a.chat_id FROM chat_answers AS a
    WHERE a.period = new.period AND (a.ms, a.chat_id) < (chat_medians.ms, chat_medians.chat_id)
    ORDER BY a.ms DESC, a.chat_id DESC LIMIT 1)
  WHERE period = new.period AND answers % 2 = 1 AND (new.ms, new.chat_id) < (ms, chat_id);
  UPDATE chat_medians SET (ms, chat_id) = (
    SELECT a.ms, a.chat_id FROM chat_answers AS a
    WHERE a.period = new.period AND (a.ms, a.chat_id) > (chat_medians.ms, chat_medians.chat_id)
    ORDER BY a.ms, a.chat_id LIMIT 1)
  WHERE period = new.period AND answers % 2 = 0 AND (new.ms, new.chat_id) > (ms, chat_id);
  INSERT INTO chat_medians (period, answers, ms, chat_id) VALUES (new.period, 1, new.ms, new.chat_id)
  ON CONFLICT DO UPDATE SET answers = answers + 1;
END;
--> statement-breakpoint
CREATE TRIGGER chat_answers_median_delete AFTER DELETE ON chat_answers BEGIN
  DELETE FROM chat_medians WHERE period = old.period AND answers = 1;
  UPDATE chat_medians SET (ms, chat_id) = (
    SELECT a.ms, a.chat_id FROM chat_answers AS a
    WHERE a.period = old.period AND (a.ms, a.chat_id) < (chat_medians.ms, chat_medians.chat_id)
    ORDER BY a.ms DESC, a.chat_id DESC LIMIT 1)
  WHERE period = old.period AND answers % 2 = 1 AND (old.ms, old.chat_id) >= (ms, chat_id);
  UPDATE chat_medians SET (ms, chat_id) = (
    SELECT a.ms, a.chat_id FROM chat_answers AS a
    WHERE a.period = old.period AND (a.ms, a.chat_id) > (chat_medians.ms, chat_medians.chat_id)
    ORDER BY a.ms, a.chat_id LIMIT 1)
  WHERE period = old.period AND answers % 2 = 0 AND (old.ms, old.chat_id) <= (ms, chat_id);
  UPDATE chat_medians SET answers = answers - 1 WHERE period = old.period;
END;
--> statement-breakpoint
-- The console's search filters by month instead of by instant.
DROP TABLE chat_search;--> statement-breakpoint
DROP TABLE chat_starts;--> statement-breakpoint
DROP VIEW chat_search_rows;--> statement-breakpoint
CREATE VIEW chat_search_rows AS
SELECT t.row, t.name, t.email, t.text, t.chat_id AS id, c.rowid AS chat_row, c.last_message_at, c.state, c.assignee_id,
  c.waiting_since, c.month
FROM chat_texts AS t LEFT JOIN chats AS c ON c.id = t.chat_id;
--> statement-breakpoint
CREATE VIRTUAL TABLE chat_search USING fts5(
  name, email, text, id UNINDEXED, chat_row UNINDEXED, last_message_at UNINDEXED, state UNINDEXED,
  assignee_id UNINDEXED, waiting_since UNINDEXED, month UNINDEXED, content = 'chat_search_rows', content_rowid = 'row',
  tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE chat_starts USING fts5(
  name, email, id UNINDEXED, chat_row UNINDEXED, last_message_at UNINDEXED, state UNINDEXED, assignee_id UNINDEXED,
  waiting_since UNINDEXED, month UNINDEXED, content = 'chat_search_rows', content_rowid = 'row', detail = none,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
INSERT INTO chat_search (chat_search) VALUES ('rebuild');--> statement-breakpoint
INSERT INTO chat_starts (chat_starts) VALUES ('rebuild');
