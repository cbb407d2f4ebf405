CREATE TABLE `ledger_months` (
	`period` text NOT NULL,
	`business_type` text NOT NULL,
	`kind` text NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	PRIMARY KEY(`period`, `business_type`, `kind`)
);
--> statement-breakpoint
CREATE INDEX `chats_created` ON `chats` (`created_at`);
--> statement-breakpoint
-- Written by hand from here on: sums of the ledger by month and business, kept in the transaction of the write itself.
INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
SELECT substr(day, 1, 7) AS month, business_type, 'sale', sum(entries), sum(amount_cents), 0 FROM sale_days GROUP BY month, business_type
UNION ALL SELECT 'all', business_type, 'sale', sum(entries), sum(amount_cents), 0 FROM sale_totals GROUP BY business_type
UNION ALL SELECT substr(day, 1, 7) AS month, business_type, 'expense', sum(entries), sum(amount_cents), 0 FROM expense_days GROUP BY month, business_type
UNION ALL SELECT 'all', business_type, 'expense', sum(entries), sum(amount_cents), 0 FROM expense_totals GROUP BY business_type;
--> statement-breakpoint
CREATE TRIGGER invoices_month_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(new.day, 1, 7), new.business_type, 'sale', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', new.business_type, 'sale', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_month_delete AFTER DELETE ON invoices BEGIN
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(old.day, 1, 7), old.business_type, 'sale', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', old.business_type, 'sale', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_month_update AFTER UPDATE OF day, amount_cents, tax_cents, business_type ON invoices
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.tax_cents <> new.tax_cents
  OR old.business_type <> new.business_type BEGIN
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(old.day, 1, 7), old.business_type, 'sale', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', old.business_type, 'sale', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(new.day, 1, 7), new.business_type, 'sale', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', new.business_type, 'sale', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_month_insert AFTER INSERT ON expenses BEGIN
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(new.day, 1, 7), new.business_type, 'expense', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', new.business_type, 'expense', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_month_delete AFTER DELETE ON expenses BEGIN
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(old.day, 1, 7), old.business_type, 'expense', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', old.business_type, 'expense', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_month_update AFTER UPDATE OF day, amount_cents, tax_cents, business_type ON expenses
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.tax_cents <> new.tax_cents
  OR old.business_type <> new.business_type BEGIN
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(old.day, 1, 7), old.business_type, 'expense', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', old.business_type, 'expense', -1, -old.amount_cents, -old.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES (substr(new.day, 1, 7), new.business_type, 'expense', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO ledger_months (period, business_type, kind, entries, amount_cents, tax_cents)
  VALUES ('all', new.business_type, 'expense', 1, new.amount_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries, amount_cents = amount_cents + excluded.amount_cents,
    tax_cents = tax_cents + excluded.tax_cents;
END;
