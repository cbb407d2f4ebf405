CREATE TABLE `expense_files` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`expense_id` text NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`width` integer,
	`height` integer,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `expense_files_key_unique` ON `expense_files` (`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `expense_files_hash` ON `expense_files` (`expense_id`,`hash`);--> statement-breakpoint
CREATE INDEX `expense_files_expense` ON `expense_files` (`expense_id`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `expense_files_removed` ON `expense_files` (`removed_at`) WHERE removed_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `product_sales` (
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`business_type` text NOT NULL,
	`product_id` text NOT NULL,
	`pieces` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`unit`, `period`, `business_type`, `product_id`)
);
--> statement-breakpoint
ALTER TABLE `expenses` ADD `supplier` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `expenses` ADD `supplier_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `expenses` ADD `payment_mode` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `expenses_supplied` ON `expenses` (`created_at`) WHERE supplier <> '';--> statement-breakpoint
CREATE INDEX `document_lines_amount` ON `document_lines` (`amount_cents`,`document_id`);
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0081-expense-files.md). Searches find suppliers, too.
DROP TRIGGER expenses_insert;
--> statement-breakpoint
CREATE TRIGGER expenses_insert AFTER INSERT ON expenses BEGIN
  INSERT INTO expense_search (rowid, description) VALUES (new.row, iif(new.supplier_key = '', new.description_key, new.description_key || char(10) || new.supplier_key));
  INSERT INTO expense_starts (rowid, description) VALUES (new.row, iif(new.supplier_key = '', new.description_key, new.description_key || char(10) || new.supplier_key));
  INSERT INTO expense_days (day, business_type, expense_type, entries, amount_cents)
  VALUES (new.day, new.business_type, new.expense_type, 1, new.amount_cents)
  ON CONFLICT (day, business_type, expense_type) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
  INSERT INTO expense_months (month, entries, amount_cents)
  VALUES (substr(new.day, 1, 7), 1, new.amount_cents)
  ON CONFLICT (month) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
  INSERT INTO expense_totals (business_type, expense_type, entries, amount_cents)
  VALUES (new.business_type, new.expense_type, 1, new.amount_cents)
  ON CONFLICT (business_type, expense_type) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
DROP TRIGGER expenses_words;
--> statement-breakpoint
CREATE TRIGGER expenses_words AFTER UPDATE OF description_key, supplier_key ON expenses
WHEN old.description_key <> new.description_key OR old.supplier_key <> new.supplier_key BEGIN
  DELETE FROM expense_search WHERE rowid = old.row;
  DELETE FROM expense_starts WHERE rowid = old.row;
  INSERT INTO expense_search (rowid, description) VALUES (new.row, iif(new.supplier_key = '', new.description_key, new.description_key || char(10) || new.supplier_key));
  INSERT INTO expense_starts (rowid, description) VALUES (new.row, iif(new.supplier_key = '', new.description_key, new.description_key || char(10) || new.supplier_key));
END;
--> statement-breakpoint
DROP TRIGGER expenses_enums_insert;
--> statement-breakpoint
CREATE TRIGGER expenses_enums_insert BEFORE INSERT ON expenses
WHEN NOT (
  new.business_type IN ('EMPORIA', 'LASER')
  AND new.expense_type IN ('SHIPPING', 'PURCHASE', 'IMPORT', 'VENDOR', 'MARKETING', 'ADVERTISEMENT', 'PLATFORM', 'TAXI', 'MISC', 'OTHERS')
  AND new.payment_mode IN ('', 'CASH', 'EMT', 'CARD')
) BEGIN
  SELECT RAISE(ABORT, 'expenses: unknown enumeration value');
END;
--> statement-breakpoint
DROP TRIGGER expenses_enums_update;
--> statement-breakpoint
CREATE TRIGGER expenses_enums_update BEFORE UPDATE OF business_type, expense_type, payment_mode ON expenses
WHEN NOT (
  new.business_type IN ('EMPORIA', 'LASER')
  AND new.expense_type IN ('SHIPPING', 'PURCHASE', 'IMPORT', 'VENDOR', 'MARKETING', 'ADVERTISEMENT', 'PLATFORM', 'TAXI', 'MISC', 'OTHERS')
  AND new.payment_mode IN ('', 'CASH', 'EMT', 'CARD')
) BEGIN
  SELECT RAISE(ABORT, 'expenses: unknown enumeration value');
END;
--> statement-breakpoint
DROP TRIGGER expenses_closed_update;
--> statement-breakpoint
CREATE TRIGGER expenses_closed_update BEFORE UPDATE OF description, business_type, amount_cents, created_at, day, expense_type, tax_cents, supplier, payment_mode ON expenses BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = old.business_type AND c.reopened_at IS NULL AND c.until >= old.day ORDER BY c.until DESC LIMIT 1;
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = new.business_type AND c.reopened_at IS NULL AND c.until >= new.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
-- The files of an expense are a part of it.
CREATE TRIGGER expense_files_closed_insert BEFORE INSERT ON expense_files BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM expenses AS e CROSS JOIN closings AS c ON c.business_type = e.business_type
  WHERE e.id = new.expense_id AND c.reopened_at IS NULL AND c.until >= e.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER expense_files_closed_update BEFORE UPDATE OF removed_at ON expense_files BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM expenses AS e CROSS JOIN closings AS c ON c.business_type = e.business_type
  WHERE e.id = new.expense_id AND c.reopened_at IS NULL AND c.until >= e.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
-- Sums of each product. The WHERE keeps ON CONFLICT apart from a join.
CREATE TRIGGER product_sales_add AFTER INSERT ON document_lines WHEN new.product_id IS NOT NULL BEGIN
  INSERT INTO product_sales (unit, period, business_type, product_id, pieces, amount_cents)
  SELECT u.key, u.value, d.business_type, new.product_id, new.quantity, new.amount_cents
  FROM documents AS d, json_each(json_object('month', substr(d.day, 1, 7), 'year', substr(d.day, 1, 4))) AS u
  WHERE d.id = new.document_id
  ON CONFLICT (unit, period, business_type, product_id)
  DO UPDATE SET pieces = pieces + excluded.pieces, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
INSERT INTO product_sales (unit, period, business_type, product_id, pieces, amount_cents)
SELECT u.key, u.value, d.business_type, l.product_id, sum(l.quantity), sum(l.amount_cents)
FROM document_lines AS l JOIN documents AS d ON d.id = l.document_id,
  json_each(json_object('month', substr(d.day, 1, 7), 'year', substr(d.day, 1, 4))) AS u
WHERE l.product_id IS NOT NULL GROUP BY 1, 2, 3, 4;
