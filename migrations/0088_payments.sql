CREATE TABLE `payments` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`number` text,
	`business_type` text NOT NULL,
	`mode` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`quote_id` text,
	`document_id` text,
	`note` text DEFAULT '' NOT NULL,
	`request_hash` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`day` text NOT NULL,
	`created_by` text NOT NULL,
	CONSTRAINT "payments_mode" CHECK("payments"."mode" IN ('CASH', 'EMT', 'CARD')),
	CONSTRAINT "payments_amount" CHECK("payments"."amount_cents" <> 0),
	CONSTRAINT "payments_purpose" CHECK("payments"."quote_id" IS NOT NULL OR "payments"."document_id" IS NOT NULL),
	CONSTRAINT "payments_number" CHECK(("payments"."number" IS NOT NULL) = ("payments"."document_id" IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_id_unique` ON `payments` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_number_unique` ON `payments` (`number`);--> statement-breakpoint
CREATE INDEX `payments_quote` ON `payments` (`quote_id`) WHERE quote_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_document` ON `payments` (`document_id`) WHERE document_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `documents` ADD `is_paid_in_parts` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0080-payments.md). Every document was paid at once, in one mode.
INSERT INTO payments (id, business_type, mode, amount_cents, document_id, created_at, day, created_by)
SELECT id || '-paid', business_type, payment_mode, total_cents, id, created_at, day, created_by
FROM documents WHERE total_cents <> 0 ORDER BY row;
--> statement-breakpoint
CREATE TRIGGER payments_replace BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE id = new.id OR number = new.number OR row = new.row) BEGIN
  SELECT RAISE(ABORT, 'payments: final');
END;
--> statement-breakpoint
CREATE TRIGGER payments_final_update BEFORE UPDATE OF
  row, id, number, business_type, mode, amount_cents, quote_id, document_id, request_hash, created_at, day, created_by
ON payments BEGIN
  SELECT RAISE(ABORT, 'payments: final');
END;
--> statement-breakpoint
-- A deletion of personal data empties the note.
CREATE TRIGGER payments_note_final BEFORE UPDATE OF note ON payments WHEN new.note NOT IN ('', old.note) BEGIN
  SELECT RAISE(ABORT, 'payments: final');
END;
--> statement-breakpoint
CREATE TRIGGER payments_row_final BEFORE UPDATE ON payments WHEN old.row <> new.row BEGIN
  SELECT RAISE(ABORT, 'payments: final');
END;
--> statement-breakpoint
CREATE TRIGGER payments_final_delete BEFORE DELETE ON payments BEGIN
  SELECT RAISE(ABORT, 'payments: final');
END;
--> statement-breakpoint
-- The payments of a document are stored before it, so that an issued one gets no others.
CREATE TRIGGER payments_of_document BEFORE INSERT ON payments WHEN new.document_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'payments: final')
  WHERE EXISTS (SELECT 1 FROM documents WHERE id = new.document_id);
END;
--> statement-breakpoint
CREATE TRIGGER payments_deposit BEFORE INSERT ON payments WHEN new.document_id IS NULL BEGIN
  SELECT RAISE(ABORT, 'payments: no open quote')
  WHERE NOT EXISTS (SELECT 1 FROM quotes WHERE id = new.quote_id AND state = 'accepted' AND document_id IS NULL);
  SELECT RAISE(ABORT, 'payments: deposit out of bounds')
  WHERE new.amount_cents + coalesce((SELECT sum(amount_cents) FROM payments WHERE quote_id = new.quote_id AND document_id IS NULL), 0)
    NOT BETWEEN 0 AND (SELECT total_cents FROM quotes WHERE id = new.quote_id);
END;
--> statement-breakpoint
-- A document of the previous version is paid in one mode. None is issued that its payments don't pay.
CREATE TRIGGER documents_paid BEFORE INSERT ON documents WHEN NOT EXISTS (SELECT 1 FROM documents WHERE id = new.id) BEGIN
  INSERT INTO payments (id, business_type, mode, amount_cents, document_id, created_at, day, created_by)
  SELECT new.id || '-paid', new.business_type, new.payment_mode, new.total_cents, new.id, new.created_at, new.day, new.created_by
  WHERE new.total_cents <> 0 AND NOT EXISTS (SELECT 1 FROM payments WHERE document_id = new.id);
  SELECT RAISE(ABORT, 'documents: not paid in full')
  WHERE new.total_cents <> coalesce((SELECT sum(amount_cents) FROM payments WHERE document_id = new.id), 0);
END;
--> statement-breakpoint
-- Deposits count towards the sale or are paid back before a quote is sold or withdrawn.
CREATE TRIGGER quotes_settled BEFORE UPDATE OF state, document_id ON quotes
WHEN old.document_id IS NOT new.document_id OR (old.state <> new.state AND new.state = 'withdrawn') BEGIN
  SELECT RAISE(ABORT, 'quotes: deposit')
  WHERE coalesce((SELECT sum(iif(document_id IS NULL, amount_cents, -amount_cents)) FROM payments WHERE quote_id = old.id), 0) <> 0;
END;
--> statement-breakpoint
-- An accepted quote can be withdrawn.
DROP TRIGGER quotes_state_final;
--> statement-breakpoint
CREATE TRIGGER quotes_state_final BEFORE UPDATE OF state ON quotes
WHEN NOT (new.state = 'withdrawn' AND (old.state = 'sent' OR old.state = 'accepted' AND old.document_id IS NULL))
  AND (old.state <> 'sent' OR old.valid_until <= unixepoch()) BEGIN
  SELECT RAISE(ABORT, 'quotes: final');
END;
--> statement-breakpoint
-- Deposits have series of their own.
DROP TRIGGER document_series_replace;
--> statement-breakpoint
CREATE TRIGGER document_series_replace AFTER INSERT ON document_series
WHEN new.last <> 1 OR EXISTS (SELECT 1 FROM documents WHERE number > new.series || '-' AND number < new.series || '.')
  OR EXISTS (SELECT 1 FROM payments WHERE number > new.series || '-' AND number < new.series || '.') BEGIN
  SELECT RAISE(ABORT, 'document_series: final');
END;
--> statement-breakpoint
DROP TRIGGER document_series_final_delete;
--> statement-breakpoint
CREATE TRIGGER document_series_final_delete BEFORE DELETE ON document_series
WHEN EXISTS (SELECT 1 FROM documents WHERE number > old.series || '-' AND number < old.series || '.')
  OR EXISTS (SELECT 1 FROM payments WHERE number > old.series || '-' AND number < old.series || '.') BEGIN
  SELECT RAISE(ABORT, 'document_series: final');
END;
--> statement-breakpoint
DROP TRIGGER documents_final_update;
--> statement-breakpoint
CREATE TRIGGER documents_final_update BEFORE UPDATE OF
  row, id, kind, number, business_type, chat_id, source, payment_mode, tax_name, tax_rate, tax_cents, tax_included,
  tax_number, rounding_cents, total_cents, original_id, request_id, request_hash, created_at, day, created_by, is_paid_in_parts
ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
