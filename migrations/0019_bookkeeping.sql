CREATE TABLE `ledger_periods` (
	`kind` text NOT NULL,
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`business_type` text NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	PRIMARY KEY(`kind`, `unit`, `period`, `business_type`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `chats_created` ON `chats` (`created_at`);
--> statement-breakpoint
-- Written by hand from here on: sums of the ledger by period and business, kept in the transaction of the write itself.
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'sale', 'day', day AS period, business_type, sum(entries), sum(amount_cents), 0 FROM sale_days GROUP BY period, business_type;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'sale', 'month', substr(day, 1, 7) AS period, business_type, sum(entries), sum(amount_cents), 0 FROM sale_days GROUP BY period, business_type;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'sale', 'year', substr(day, 1, 4) AS period, business_type, sum(entries), sum(amount_cents), 0 FROM sale_days GROUP BY period, business_type;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'sale', 'all', 'all', business_type, sum(entries), sum(amount_cents), 0 FROM sale_totals GROUP BY business_type;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'expense', 'day', day AS period, business_type, sum(entries), sum(amount_cents), 0 FROM expense_days GROUP BY period, business_type;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'expense', 'month', substr(day, 1, 7) AS period, business_type, sum(entries), sum(amount_cents), 0 FROM expense_days GROUP BY period, business_type;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'expense', 'year', substr(day, 1, 4) AS period, business_type, sum(entries), sum(amount_cents), 0 FROM expense_days GROUP BY period, business_type;
--> statement-breakpoint
INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
SELECT 'expense', 'all', 'all', business_type, sum(entries), sum(amount_cents), 0 FROM expense_totals GROUP BY business_type;
--> statement-breakpoint
CREATE TRIGGER invoices_period_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('sale', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents),
    ('sale', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('sale', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('sale', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_period_delete AFTER DELETE ON invoices BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('sale', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('sale', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('sale', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('sale', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_period_update AFTER UPDATE OF day, amount_cents, tax_cents, business_type ON invoices
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.tax_cents <> new.tax_cents
  OR old.business_type <> new.business_type BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('sale', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('sale', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('sale', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('sale', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('sale', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents),
    ('sale', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('sale', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('sale', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_period_insert AFTER INSERT ON expenses BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('expense', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents),
    ('expense', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('expense', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('expense', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_period_delete AFTER DELETE ON expenses BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('expense', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('expense', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('expense', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('expense', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_period_update AFTER UPDATE OF day, amount_cents, tax_cents, business_type ON expenses
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.tax_cents <> new.tax_cents
  OR old.business_type <> new.business_type BEGIN
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('expense', 'day', old.day, old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('expense', 'month', substr(old.day, 1, 7), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('expense', 'year', substr(old.day, 1, 4), old.business_type, -1, -old.amount_cents, -old.tax_cents),
    ('expense', 'all', 'all', old.business_type, -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_periods (kind, unit, period, business_type, entries, amount_cents, tax_cents)
  VALUES
    ('expense', 'day', new.day, new.business_type, 1, new.amount_cents, new.tax_cents),
    ('expense', 'month', substr(new.day, 1, 7), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('expense', 'year', substr(new.day, 1, 4), new.business_type, 1, new.amount_cents, new.tax_cents),
    ('expense', 'all', 'all', new.business_type, 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
