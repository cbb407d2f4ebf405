ALTER TABLE `documents` ADD `recorded_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A sale of an earlier day was recorded when its stock moved; of one without stock only its date is known.
UPDATE documents SET recorded_at =
  coalesce((SELECT min(created_at) FROM stock_movements WHERE document_id = documents.id), created_at);
--> statement-breakpoint
DROP TRIGGER documents_final_update;
--> statement-breakpoint
CREATE TRIGGER documents_final_update BEFORE UPDATE OF
  row, id, kind, number, business_type, chat_id, source, payment_mode, tax_name, tax_rate, tax_cents, tax_included,
  tax_number, rounding_cents, total_cents, original_id, request_id, request_hash, created_at, day, recorded_at, created_by
ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
