-- "UPDATE OF row" does not fire for SET rowid, another name of the same column: a final row took the place of another one by
-- UPDATE OR REPLACE.
DROP TRIGGER invoices_keys_final;
--> statement-breakpoint
CREATE TRIGGER invoices_keys_final BEFORE UPDATE ON invoices
WHEN old.row <> new.row OR old.id <> new.id OR old.document_id IS NOT new.document_id BEGIN
  SELECT RAISE(ABORT, 'invoices: final');
END;
--> statement-breakpoint
CREATE TRIGGER documents_row_final BEFORE UPDATE ON documents WHEN old.row <> new.row BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER document_lines_row_final BEFORE UPDATE ON document_lines WHEN old.rowid <> new.rowid BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
CREATE TRIGGER holds_row_final BEFORE UPDATE ON holds WHEN old.rowid <> new.rowid BEGIN
  SELECT RAISE(ABORT, 'holds: final');
END;
--> statement-breakpoint
CREATE TRIGGER quotes_row_final BEFORE UPDATE ON quotes WHEN old.rowid <> new.rowid BEGIN
  SELECT RAISE(ABORT, 'quotes: final');
END;
