-- Deletions of personal data that are planned or done (docs/decisions/0030-personal-data.md).
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`customer_id` text,
	`chat_id` text,
	`requested_by` text NOT NULL,
	`requested_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`mailed_at` integer,
	`chats` text DEFAULT '[]' NOT NULL,
	`addresses` text DEFAULT '[]' NOT NULL,
	`done_at` integer,
	CONSTRAINT "erasures_subject" CHECK(coalesce(user_id, customer_id, chat_id) IS NOT NULL),
	CONSTRAINT "erasures_requested_by" CHECK(requested_by IN ('owner', 'staff'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `erasures_planned` ON `erasures` (coalesce(user_id, customer_id, chat_id)) WHERE done_at IS NULL;--> statement-breakpoint
CREATE INDEX `erasures_due` ON `erasures` (`due_at`) WHERE done_at IS NULL;--> statement-breakpoint
CREATE INDEX `erasures_done` ON `erasures` (`done_at`) WHERE done_at IS NOT NULL;--> statement-breakpoint
-- Issued documents stay as they are, except for the name of a customer whose data are deleted.
DROP TRIGGER documents_final_update;
--> statement-breakpoint
CREATE TRIGGER documents_final_update BEFORE UPDATE OF
  row, id, kind, number, business_type, chat_id, source, payment_mode, tax_name, tax_rate, tax_cents, tax_included,
  tax_number, rounding_cents, total_cents, original_id, request_id, request_hash, created_at, day, created_by
ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER documents_name_final BEFORE UPDATE OF customer_name, reason, search_text ON documents
WHEN new.customer_name <> 'Deleted customer' BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER documents_reindexed AFTER UPDATE OF search_text ON documents
WHEN old.search_text <> new.search_text BEGIN
  DELETE FROM document_search WHERE rowid = old.row;
  DELETE FROM document_starts WHERE rowid = old.row;
  INSERT INTO document_search (rowid, text) VALUES (new.row, new.search_text);
  INSERT INTO document_starts (rowid, text) VALUES (new.row, new.search_text);
END;
