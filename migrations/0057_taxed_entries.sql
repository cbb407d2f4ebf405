ALTER TABLE `ledger_periods` ADD `taxed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ledger_periods` ADD `taxed_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_untaxed` ON `invoices` (`created_at`) WHERE tax_cents = 0;--> statement-breakpoint
CREATE INDEX `expenses_untaxed` ON `expenses` (`created_at`) WHERE tax_cents = 0;--> statement-breakpoint
CREATE INDEX `documents_total` ON `documents` (`total_cents`);--> statement-breakpoint
-- Written by hand from here on: entries that state a tax, and their amounts, in the sums of each period.
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'day', day AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'month', substr(day, 1, 7) AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'year', substr(day, 1, 4) AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'sale', 'all', 'all' AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM invoices
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'expense', 'day', day AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM expenses
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'expense', 'month', substr(day, 1, 7) AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM expenses
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'expense', 'year', substr(day, 1, 4) AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM expenses
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
SELECT 'expense', 'all', 'all' AS period, business_type, 0, 0, 0, count(*), sum(amount_cents) FROM expenses
WHERE tax_cents <> 0 GROUP BY period, business_type
ON CONFLICT DO UPDATE SET taxed = excluded.taxed, taxed_cents = excluded.taxed_cents;
--> statement-breakpoint
DROP TRIGGER invoices_period_insert;--> statement-breakpoint
CREATE TRIGGER invoices_period_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('sale', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('sale', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('sale', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
--> statement-breakpoint
DROP TRIGGER invoices_period_delete;--> statement-breakpoint
CREATE TRIGGER invoices_period_delete AFTER DELETE ON invoices BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('sale', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('sale', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('sale', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
--> statement-breakpoint
DROP TRIGGER invoices_period_update;--> statement-breakpoint
CREATE TRIGGER invoices_period_update AFTER UPDATE OF day, amount_cents, tax_cents, business_type ON invoices
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.tax_cents <> new.tax_cents
  OR old.business_type <> new.business_type BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('sale', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('sale', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('sale', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('sale', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('sale', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('sale', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('sale', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
--> statement-breakpoint
DROP TRIGGER expenses_period_insert;--> statement-breakpoint
CREATE TRIGGER expenses_period_insert AFTER INSERT ON expenses BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('expense', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('expense', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('expense', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('expense', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
--> statement-breakpoint
DROP TRIGGER expenses_period_delete;--> statement-breakpoint
CREATE TRIGGER expenses_period_delete AFTER DELETE ON expenses BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('expense', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('expense', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('expense', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('expense', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
--> statement-breakpoint
DROP TRIGGER expenses_period_update;--> statement-breakpoint
CREATE TRIGGER expenses_period_update AFTER UPDATE OF day, amount_cents, tax_cents, business_type ON expenses
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.tax_cents <> new.tax_cents
  OR old.business_type <> new.business_type BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('expense', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('expense', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('expense', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0)),
    ('expense', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents,
      -(old.tax_cents <> 0), -iif(old.tax_cents <> 0, old.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents, taxed, taxed_cents)
  VALUES
    ('expense', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('expense', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('expense', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0)),
    ('expense', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents,
      (new.tax_cents <> 0), iif(new.tax_cents <> 0, new.amount_cents, 0))
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents, taxed = taxed + excluded.taxed, taxed_cents = taxed_cents + excluded.taxed_cents;
END;
