-- SQLite fires no trigger of a deletion for the row that INSERT OR REPLACE or UPDATE OR REPLACE takes away. Tables whose
-- rows are final refuse it here; their ordinary inserts have new ids and pass.
CREATE TRIGGER documents_replace BEFORE INSERT ON documents
WHEN EXISTS (SELECT 1 FROM documents WHERE id = new.id OR number = new.number OR row = new.row) BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER document_lines_replace BEFORE INSERT ON document_lines
WHEN EXISTS (SELECT 1 FROM document_lines WHERE document_id = new.document_id AND line = new.line) BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
CREATE TRIGGER invoices_replace BEFORE INSERT ON invoices
WHEN EXISTS (SELECT 1 FROM invoices WHERE (id = new.id OR row = new.row) AND document_id IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'invoices: final');
END;
--> statement-breakpoint
CREATE TRIGGER invoices_keys_final BEFORE UPDATE OF row, id, document_id ON invoices
WHEN old.row <> new.row OR old.id <> new.id OR old.document_id IS NOT new.document_id BEGIN
  SELECT RAISE(ABORT, 'invoices: final');
END;
--> statement-breakpoint
CREATE TRIGGER stock_movements_replace BEFORE INSERT ON stock_movements
WHEN EXISTS (SELECT 1 FROM stock_movements WHERE id = new.id OR row = new.row) BEGIN
  SELECT RAISE(ABORT, 'stock_movements: final');
END;
--> statement-breakpoint
CREATE TRIGGER stock_movements_final_delete BEFORE DELETE ON stock_movements BEGIN
  SELECT RAISE(ABORT, 'stock_movements: final');
END;
--> statement-breakpoint
-- The upsert that draws a number inserts first as well: what tells a replacement is that a row remains, though the series
-- has documents. A series begins with 1.
CREATE TRIGGER document_series_replace AFTER INSERT ON document_series
WHEN new.last <> 1 OR EXISTS (SELECT 1 FROM documents WHERE number > new.series || '-' AND number < new.series || '.') BEGIN
  SELECT RAISE(ABORT, 'document_series: final');
END;
--> statement-breakpoint
CREATE TRIGGER document_series_final BEFORE UPDATE ON document_series
WHEN old.series <> new.series OR new.last <> old.last + 1 BEGIN
  SELECT RAISE(ABORT, 'document_series: final');
END;
--> statement-breakpoint
CREATE TRIGGER document_series_final_delete BEFORE DELETE ON document_series
WHEN EXISTS (SELECT 1 FROM documents WHERE number > old.series || '-' AND number < old.series || '.') BEGIN
  SELECT RAISE(ABORT, 'document_series: final');
END;
--> statement-breakpoint
CREATE TRIGGER holds_replace BEFORE INSERT ON holds WHEN EXISTS (SELECT 1 FROM holds WHERE id = new.id) BEGIN
  SELECT RAISE(ABORT, 'holds: final');
END;
--> statement-breakpoint
CREATE TRIGGER holds_id_final BEFORE UPDATE OF id ON holds WHEN old.id <> new.id BEGIN
  SELECT RAISE(ABORT, 'holds: final');
END;
--> statement-breakpoint
-- A repeated quote, and a second first answer, are ignored by their inserts.
CREATE TRIGGER quotes_replace BEFORE INSERT ON quotes WHEN EXISTS (SELECT 1 FROM quotes WHERE id = new.id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER quotes_id_final BEFORE UPDATE OF id ON quotes WHEN old.id <> new.id BEGIN
  SELECT RAISE(ABORT, 'quotes: final');
END;
--> statement-breakpoint
CREATE TRIGGER chat_first_answers_replace BEFORE INSERT ON chat_first_answers
WHEN EXISTS (SELECT 1 FROM chat_first_answers WHERE chat_id = new.chat_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
-- The log records where it begins: a log that retention has shortened already begins where it begins now.
INSERT INTO audit_log (at, author_kind, action, object, object_id, changes)
SELECT unixepoch(), 'system', 'trimmed', 'auditLog', 'audit', json_object('through', json_array(NULL, seq), 'hash', json_array(NULL, hash))
FROM audit_seals WHERE seq = (SELECT min(seq) FROM audit_log) - 1;
