-- Changes by staff, account owners, imports and the system (docs/decisions/0029-audit.md). Rows are written with the
-- change, never changed, and deleted two years later by the nightly job.
CREATE TABLE `audit_log` (
	`seq` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`author_kind` text NOT NULL,
	`author_id` text,
	`source_id` text,
	`action` text NOT NULL,
	`object` text NOT NULL,
	`object_id` text NOT NULL,
	`changes` text NOT NULL,
	CONSTRAINT "audit_log_author" CHECK(author_kind IN ('staff', 'customer', 'visitor', 'system', 'import', 'key'))
);
--> statement-breakpoint
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);
--> statement-breakpoint
CREATE INDEX `audit_log_author_at` ON `audit_log` (`author_id`,`at`) WHERE author_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `audit_log_kind_at` ON `audit_log` (`author_kind`,`at`) WHERE author_kind <> 'staff';
--> statement-breakpoint
CREATE INDEX `audit_log_object` ON `audit_log` (`object_id`,`at`);
--> statement-breakpoint
CREATE INDEX `audit_log_objects` ON `audit_log` (`object`,`at`);
--> statement-breakpoint
-- Hash chain: each hash covers the one before and the row with its number. Written after the rows, since D1 has no hash.
CREATE TABLE `audit_seals` (
	`seq` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER audit_log_update BEFORE UPDATE ON audit_log BEGIN
	SELECT raise(ABORT, 'The audit log cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log WHEN OLD.at > unixepoch() - 63158400 BEGIN
	SELECT raise(ABORT, 'The audit log is kept for two years');
END;
--> statement-breakpoint
CREATE TRIGGER audit_seals_update BEFORE UPDATE ON audit_seals BEGIN
	SELECT raise(ABORT, 'The audit log cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER audit_seals_delete BEFORE DELETE ON audit_seals WHEN EXISTS (SELECT 1 FROM audit_log WHERE seq = OLD.seq) BEGIN
	SELECT raise(ABORT, 'The audit log is kept for two years');
END;
