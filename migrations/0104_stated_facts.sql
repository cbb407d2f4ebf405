ALTER TABLE `invoices` ADD `tax_stated` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_without_tax` ON `invoices` (`created_at`) WHERE tax_cents = 0 AND tax_stated = 0;--> statement-breakpoint
ALTER TABLE `payments` ADD `customer_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `recorded_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Written by hand from here on: facts of a deposit's time, which are final like the others.
CREATE TRIGGER payments_recorded_final BEFORE UPDATE OF recorded_at ON payments WHEN old.recorded_at <> 0 BEGIN
  SELECT RAISE(ABORT, 'payments: final');
END;
--> statement-breakpoint
UPDATE payments SET recorded_at = created_at,
  customer_name = coalesce((SELECT c.name FROM quotes AS q JOIN customers AS c ON c.id = q.customer_id WHERE q.id = payments.quote_id), '')
WHERE document_id IS NULL;
--> statement-breakpoint
-- A deletion of personal data empties the name.
CREATE TRIGGER payments_customer_final BEFORE UPDATE OF customer_name ON payments WHEN new.customer_name NOT IN ('', old.customer_name)
  AND old.recorded_at <> 0 BEGIN
  SELECT RAISE(ABORT, 'payments: final');
END;
--> statement-breakpoint
-- The version before states neither.
CREATE TRIGGER payments_recorded_known AFTER INSERT ON payments WHEN new.recorded_at = 0 AND new.document_id IS NULL BEGIN
  UPDATE payments SET recorded_at = unixepoch(),
    customer_name = coalesce((SELECT c.name FROM quotes AS q JOIN customers AS c ON c.id = q.customer_id WHERE q.id = new.quote_id), '')
  WHERE id = new.id;
END;
--> statement-breakpoint
-- Rows of documents that state a tax, although the row holds none. They are final, but for this.
DROP TRIGGER invoices_final_update;
--> statement-breakpoint
UPDATE invoices SET tax_stated = 1 WHERE document_id IN (SELECT id FROM documents WHERE tax_number <> '' AND tax_rate > 0);
--> statement-breakpoint
CREATE TRIGGER invoices_final_update BEFORE UPDATE OF
  row, id, description, description_key, business_type, amount_cents, created_at, day, version, updated_at, category, quantity,
  payment_mode, document_id, tax_cents
ON invoices WHEN old.document_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'invoices: final');
END;
--> statement-breakpoint
CREATE TRIGGER invoices_stated_final BEFORE UPDATE OF tax_stated ON invoices
WHEN old.tax_stated <> new.tax_stated AND (new.tax_stated <> 1
  OR NOT EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)) BEGIN
  SELECT RAISE(ABORT, 'invoices: final');
END;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'day', day AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents = 0 AND tax_stated = 1 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'month', substr(day, 1, 7) AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents = 0 AND tax_stated = 1 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'year', substr(day, 1, 4) AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents = 0 AND tax_stated = 1 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'all', 'all' AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents = 0 AND tax_stated = 1 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
--> statement-breakpoint
DROP TRIGGER invoices_period_insert;
--> statement-breakpoint
CREATE TRIGGER invoices_period_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), iif((new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), new.amount_cents, 0)),
    ('sale', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), iif((new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), new.amount_cents, 0)),
    ('sale', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), iif((new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), new.amount_cents, 0)),
    ('sale', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), iif((new.tax_cents <> 0 OR new.tax_stated OR EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0)), new.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
  -- The version before does not state it.
  UPDATE invoices SET tax_stated = 1 WHERE row = new.row AND new.tax_stated = 0
    AND EXISTS (SELECT 1 FROM documents WHERE id = new.document_id AND tax_number <> '' AND tax_rate > 0);
END;
--> statement-breakpoint
DROP TRIGGER invoices_period_delete;
--> statement-breakpoint
CREATE TRIGGER invoices_period_delete AFTER DELETE ON invoices BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0)),
    ('sale', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0)),
    ('sale', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0)),
    ('sale', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
--> statement-breakpoint
DROP TRIGGER invoices_period_update;
--> statement-breakpoint
CREATE TRIGGER invoices_period_update AFTER UPDATE OF day, amount_cents, tax_cents, business_type ON invoices
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.tax_cents <> new.tax_cents
  OR old.business_type <> new.business_type BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0)),
    ('sale', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0)),
    ('sale', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0)),
    ('sale', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0 OR old.tax_stated), -iif((old.tax_cents <> 0 OR old.tax_stated), old.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated), iif((new.tax_cents <> 0 OR new.tax_stated), new.amount_cents, 0)),
    ('sale', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated), iif((new.tax_cents <> 0 OR new.tax_stated), new.amount_cents, 0)),
    ('sale', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated), iif((new.tax_cents <> 0 OR new.tax_stated), new.amount_cents, 0)),
    ('sale', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0 OR new.tax_stated), iif((new.tax_cents <> 0 OR new.tax_stated), new.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
--> statement-breakpoint
-- A closed drawer may be opened again, with nothing else changed.
DROP TRIGGER drawers_final_update;
--> statement-breakpoint
CREATE TRIGGER drawers_final_update BEFORE UPDATE ON drawers
WHEN old.closed_at IS NOT NULL AND (new.closed_at IS NOT NULL OR new.id <> old.id OR new.business_type <> old.business_type
  OR new.day <> old.day OR new.float_cents <> old.float_cents OR new.opened_by <> old.opened_by OR new.opened_at <> old.opened_at) BEGIN
  SELECT RAISE(ABORT, 'drawers: final');
END;
