-- SQLite fires no trigger of a deletion for the row that INSERT OR REPLACE takes away: the log refuses it here, and seals
-- keep the one that is there (docs/decisions/0029-audit.md).
CREATE TRIGGER audit_log_replace BEFORE INSERT ON audit_log WHEN EXISTS (SELECT 1 FROM audit_log WHERE seq = NEW.seq) BEGIN
	SELECT raise(ABORT, 'The audit log cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER audit_seals_replace BEFORE INSERT ON audit_seals WHEN EXISTS (SELECT 1 FROM audit_seals WHERE seq = NEW.seq) BEGIN
	SELECT raise(IGNORE);
END;
