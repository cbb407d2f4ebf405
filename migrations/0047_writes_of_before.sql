-- The version before a migration goes on writing until the next one is deployed, and again after a rollback: what its rows
-- leave out is filled here. The month of a chat (0034) is then that in UTC.
DROP TRIGGER chats_month_known;
--> statement-breakpoint
CREATE TRIGGER chats_month_known BEFORE INSERT ON chats
WHEN new.month <> '' AND new.month NOT GLOB '20[0-9][0-9]-[01][0-9]' BEGIN
  SELECT RAISE(ABORT, 'chats: no month');
END;
--> statement-breakpoint
DROP TRIGGER chats_month_final;
--> statement-breakpoint
CREATE TRIGGER chats_month_final BEFORE UPDATE OF month ON chats WHEN old.month NOT IN ('', new.month) BEGIN
  SELECT RAISE(ABORT, 'chats: final month');
END;
--> statement-breakpoint
DROP TRIGGER chats_summed_insert;
--> statement-breakpoint
CREATE TRIGGER chats_summed_insert AFTER INSERT ON chats BEGIN
  UPDATE chats SET month = strftime('%Y-%m', new.created_at, 'unixepoch') WHERE new.month = '' AND id = new.id;
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
-- The time at which a document was recorded (0039).
DROP TRIGGER documents_final_update;
--> statement-breakpoint
UPDATE documents SET recorded_at =
  coalesce((SELECT min(created_at) FROM stock_movements WHERE document_id = documents.id), created_at)
WHERE recorded_at = 0;
--> statement-breakpoint
CREATE TRIGGER documents_final_update BEFORE UPDATE OF
  row, id, kind, number, business_type, chat_id, source, payment_mode, tax_name, tax_rate, tax_cents, tax_included,
  tax_number, rounding_cents, total_cents, original_id, request_id, request_hash, created_at, day, created_by
ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER documents_recorded_final BEFORE UPDATE OF recorded_at ON documents WHEN old.recorded_at <> 0 BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER documents_recorded_known AFTER INSERT ON documents WHEN new.recorded_at = 0 BEGIN
  UPDATE documents SET recorded_at = unixepoch() WHERE id = new.id;
END;
