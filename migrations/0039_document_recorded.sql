ALTER TABLE `documents` ADD `recorded_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A sale of an earlier day was recorded when its stock moved; of one without stock only its date is known.
UPDATE documents SET recorded_at =
  coalesce((SELECT min(created_at) FROM stock_movements WHERE document_id = documents.id), created_at);
--> statement-breakpoint
DROP TRIGGER documents_final_update;
--> statement-breakpoint
CREATE TRIGGER documents_final_update BEFORE UPDATE OF
  row, id, kind, number, business_type, chat_id, source, payment_mode, tax_name, tax_rate, tax_cents, tax_included,
  tax_number, rounding_cents, total_cents, original_id, request_id, request_hash, created_at, day, recorded_at, created_by
ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
-- A movement of a document has the document's time.
DROP TRIGGER products_moved;
--> statement-breakpoint
CREATE TRIGGER products_moved AFTER UPDATE OF stock ON products WHEN old.stock <> new.stock BEGIN
  SELECT RAISE(ABORT, 'products: stock below 0') WHERE new.stock < 0;
  SELECT RAISE(ABORT, 'products: change of stock without a reason') WHERE new.stock_change IS old.stock_change;
  SELECT RAISE(ABORT, 'products: pieces are on hold')
  WHERE new.stock_change ->> 'reason' = 'sale' AND new.stock < new.held;
  INSERT INTO stock_movements (id, product_id, quantity, reason, actor, document_id, stock_after, created_at)
  VALUES (
    new.stock_change ->> 'id', new.id, new.stock - old.stock, new.stock_change ->> 'reason',
    new.stock_change ->> 'actor', new.stock_change ->> 'documentId', new.stock,
    iif(new.stock_change ->> 'documentId' IS NULL, unixepoch(), new.updated_at)
  );
END;
