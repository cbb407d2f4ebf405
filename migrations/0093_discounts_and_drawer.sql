CREATE TABLE `drawers` (
	`id` text PRIMARY KEY NOT NULL,
	`business_type` text NOT NULL,
	`day` text NOT NULL,
	`float_cents` integer NOT NULL,
	`opened_by` text NOT NULL,
	`opened_at` integer NOT NULL,
	`expected_cents` integer,
	`counted_cents` integer,
	`reason` text DEFAULT '' NOT NULL,
	`closed_by` text DEFAULT '' NOT NULL,
	`closed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drawers_day` ON `drawers` (`business_type`,`day`);--> statement-breakpoint
CREATE UNIQUE INDEX `drawers_open` ON `drawers` (`business_type`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE TABLE `payment_sums` (
	`day` text NOT NULL,
	`business_type` text NOT NULL,
	`mode` text NOT NULL,
	`payments` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`day`, `business_type`, `mode`)
);
--> statement-breakpoint
ALTER TABLE `document_lines` ADD `discount_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `document_lines` ADD `discount_reason` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `document_lines` ADD `credited_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `document_lines` ADD `credited_tax_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `document_sums` ADD `discount_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `documents` ADD `discount_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `expenses_cash` ON `expenses` (`business_type`,`day`) WHERE payment_mode = 'CASH';--> statement-breakpoint
CREATE INDEX `payments_cash` ON `payments` (`business_type`,`day`) WHERE mode = 'CASH';
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0074-discounts-and-corrections.md, 0076-drawer.md). What credit notes took back so far.
UPDATE document_lines SET
  credited_cents = (SELECT -sum(c.amount_cents) FROM documents AS d JOIN document_lines AS c ON c.document_id = d.id
    AND c.line = document_lines.line WHERE d.original_id = document_lines.document_id),
  credited_tax_cents = (SELECT -sum(c.tax_cents) FROM documents AS d JOIN document_lines AS c ON c.document_id = d.id
    AND c.line = document_lines.line WHERE d.original_id = document_lines.document_id)
WHERE returned > 0;
--> statement-breakpoint
DROP TRIGGER document_lines_credited;
--> statement-breakpoint
-- The line of a credit note counts on the sale's line, which it never exceeds.
CREATE TRIGGER document_lines_credited AFTER INSERT ON document_lines
WHEN (SELECT kind FROM documents WHERE id = new.document_id) = 'credit' BEGIN
  UPDATE document_lines SET returned = returned - new.quantity, credited_cents = credited_cents - new.amount_cents,
    credited_tax_cents = credited_tax_cents - new.tax_cents
  WHERE document_id = (SELECT original_id FROM documents WHERE id = new.document_id) AND line = new.line;
END;
--> statement-breakpoint
CREATE TRIGGER document_lines_credited_bounds BEFORE UPDATE OF credited_cents, credited_tax_cents ON document_lines
WHEN new.credited_cents NOT BETWEEN old.credited_cents AND new.amount_cents
  OR new.credited_tax_cents NOT BETWEEN old.credited_tax_cents AND new.tax_cents BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
DROP TRIGGER document_lines_final_update;
--> statement-breakpoint
CREATE TRIGGER document_lines_final_update BEFORE UPDATE OF
  document_id, line, invoice_id, product_id, unit_id, description, category, quantity, amount_cents, tax_cents, discount_cents
ON document_lines BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
-- A deletion of personal data empties the reason.
CREATE TRIGGER document_lines_reason_final BEFORE UPDATE OF discount_reason ON document_lines
WHEN new.discount_reason NOT IN ('', old.discount_reason) BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
DROP TRIGGER documents_final_update;
--> statement-breakpoint
CREATE TRIGGER documents_final_update BEFORE UPDATE OF
  row, id, kind, number, business_type, chat_id, source, payment_mode, tax_name, tax_rate, tax_cents, tax_included,
  tax_number, rounding_cents, total_cents, original_id, request_id, request_hash, created_at, day, created_by, is_paid_in_parts,
  discount_cents
ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
DROP TRIGGER documents_issued;
--> statement-breakpoint
CREATE TRIGGER documents_issued AFTER INSERT ON documents BEGIN
  INSERT INTO document_search (rowid, text) VALUES (new.row, new.search_text);
  INSERT INTO document_starts (rowid, text) VALUES (new.row, new.search_text);
  INSERT INTO document_sums (period, business_type, kind, payment_mode, source, documents, total_cents, tax_cents, discount_cents)
  SELECT period.value, new.business_type, new.kind, new.payment_mode, new.source, 1, new.total_cents, new.tax_cents, new.discount_cents
  FROM json_each(json_array(new.day, substr(new.day, 1, 7), 'all')) AS period WHERE true
  ON CONFLICT DO UPDATE SET documents = documents + 1, total_cents = total_cents + excluded.total_cents,
    tax_cents = tax_cents + excluded.tax_cents, discount_cents = discount_cents + excluded.discount_cents;
  UPDATE customers SET sales = sales + (new.kind = 'sale'), total_cents = total_cents + new.total_cents,
    last_seen = max(last_seen, new.created_at)
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
-- Deposits that count towards a document move no money with it.
INSERT INTO payment_sums (day, business_type, mode, payments, amount_cents)
SELECT day, business_type, mode, count(*), sum(amount_cents) FROM payments
WHERE quote_id IS NULL OR document_id IS NULL GROUP BY day, business_type, mode;
--> statement-breakpoint
CREATE TRIGGER payments_summed AFTER INSERT ON payments WHEN new.quote_id IS NULL OR new.document_id IS NULL BEGIN
  INSERT INTO payment_sums (day, business_type, mode, payments, amount_cents)
  VALUES (new.day, new.business_type, new.mode, 1, new.amount_cents)
  ON CONFLICT DO UPDATE SET payments = payments + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
CREATE TRIGGER drawers_final_update BEFORE UPDATE ON drawers WHEN old.closed_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'drawers: final');
END;
--> statement-breakpoint
CREATE TRIGGER drawers_final_delete BEFORE DELETE ON drawers BEGIN
  SELECT RAISE(ABORT, 'drawers: final');
END;
--> statement-breakpoint
CREATE TRIGGER drawers_replace BEFORE INSERT ON drawers
WHEN EXISTS (SELECT 1 FROM drawers WHERE id = new.id OR (business_type = new.business_type AND (day = new.day OR closed_at IS NULL))) BEGIN
  SELECT RAISE(ABORT, 'drawers: final');
END;
