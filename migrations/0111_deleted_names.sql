-- Names of deleted products, so that the audit log's search finds them: the rows of their deletions, as long as the log keeps them.
-- The product is still there while its deletion is recorded, with the form of its name for the search.
CREATE VIRTUAL TABLE deleted_search USING fts5(
  name,
  content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2',
  prefix = '1 2 3'
);
--> statement-breakpoint
INSERT INTO deleted_search (rowid, name)
SELECT seq, changes ->> '$.name[0]' FROM audit_log INDEXED BY audit_log_objects
WHERE object = 'product' AND action = 'deleted' AND changes ->> '$.name[0]' IS NOT NULL ORDER BY seq;
--> statement-breakpoint
CREATE TRIGGER audit_log_named AFTER INSERT ON audit_log WHEN new.object = 'product' AND new.action = 'deleted' BEGIN
  INSERT INTO deleted_search (rowid, name)
  SELECT new.seq, coalesce((SELECT folded_name FROM products WHERE id = new.object_id), new.changes ->> '$.name[0]', '');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_unnamed AFTER DELETE ON audit_log WHEN old.object = 'product' AND old.action = 'deleted' BEGIN
  DELETE FROM deleted_search WHERE rowid = old.seq;
END;
