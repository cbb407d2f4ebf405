-- Closed months (docs/decisions/0085-closed-months.md).
CREATE TABLE `closings` (
	`id` text PRIMARY KEY NOT NULL,
	`business_type` text NOT NULL,
	`until` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`closed_by` text NOT NULL,
	`closed_at` integer NOT NULL,
	`reopened_by` text DEFAULT '' NOT NULL,
	`reopened_at` integer,
	`reason` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `closings_active` ON `closings` (`business_type`,`until`) WHERE reopened_at IS NULL;--> statement-breakpoint
CREATE INDEX `closings_business` ON `closings` (`business_type`,`closed_at`);
--> statement-breakpoint
-- Nothing dated on or before the day is added, changed or deleted.
CREATE TRIGGER invoices_closed_insert BEFORE INSERT ON invoices BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = new.business_type AND c.reopened_at IS NULL AND c.until >= new.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_closed_update BEFORE UPDATE OF description, business_type, amount_cents, created_at, day, category, quantity, payment_mode, tax_cents ON invoices BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = old.business_type AND c.reopened_at IS NULL AND c.until >= old.day ORDER BY c.until DESC LIMIT 1;
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = new.business_type AND c.reopened_at IS NULL AND c.until >= new.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_closed_delete BEFORE DELETE ON invoices BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = old.business_type AND c.reopened_at IS NULL AND c.until >= old.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_closed_insert BEFORE INSERT ON expenses BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = new.business_type AND c.reopened_at IS NULL AND c.until >= new.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_closed_update BEFORE UPDATE OF description, business_type, amount_cents, created_at, day, expense_type, tax_cents ON expenses BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = old.business_type AND c.reopened_at IS NULL AND c.until >= old.day ORDER BY c.until DESC LIMIT 1;
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = new.business_type AND c.reopened_at IS NULL AND c.until >= new.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_closed_delete BEFORE DELETE ON expenses BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = old.business_type AND c.reopened_at IS NULL AND c.until >= old.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER documents_closed BEFORE INSERT ON documents BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = new.business_type AND c.reopened_at IS NULL AND c.until >= new.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
-- Nor is a sale credited that is dated on or before it.
CREATE TRIGGER documents_closed_original BEFORE INSERT ON documents WHEN new.original_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM documents AS original CROSS JOIN closings AS c ON c.business_type = original.business_type
  WHERE original.id = new.original_id AND c.reopened_at IS NULL AND c.until >= original.day ORDER BY c.until DESC LIMIT 1;
END;
