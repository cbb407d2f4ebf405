ALTER TABLE `stock_movements` ADD `ordinal` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP TRIGGER stock_movements_final;
--> statement-breakpoint
UPDATE stock_movements SET ordinal = numbered.ordinal
FROM (SELECT row, row_number() OVER (PARTITION BY product_id ORDER BY row) AS ordinal FROM stock_movements) AS numbered
WHERE stock_movements.row = numbered.row;
--> statement-breakpoint
CREATE TRIGGER stock_movements_final BEFORE UPDATE ON stock_movements BEGIN
  SELECT RAISE(ABORT, 'stock_movements: final');
END;
--> statement-breakpoint
DROP TRIGGER products_opening;
--> statement-breakpoint
CREATE TRIGGER products_opening AFTER INSERT ON products WHEN new.stock <> 0 BEGIN
  INSERT INTO stock_movements (id, product_id, quantity, reason, actor, document_id, stock_after, created_at, ordinal)
  VALUES (
    coalesce(new.stock_change ->> 'id', lower(hex(randomblob(12)))), new.id, new.stock,
    coalesce(new.stock_change ->> 'reason', 'opening'), coalesce(new.stock_change ->> 'actor', ''),
    new.stock_change ->> 'documentId', new.stock, new.created_at,
    1 + coalesce((SELECT ordinal FROM stock_movements WHERE product_id = new.id ORDER BY row DESC LIMIT 1), 0)
  );
END;
--> statement-breakpoint
DROP TRIGGER products_moved;
--> statement-breakpoint
CREATE TRIGGER products_moved AFTER UPDATE OF stock ON products WHEN old.stock <> new.stock BEGIN
  SELECT RAISE(ABORT, 'products: stock below 0') WHERE new.stock < 0;
  SELECT RAISE(ABORT, 'products: change of stock without a reason') WHERE new.stock_change IS old.stock_change;
  SELECT RAISE(ABORT, 'products: pieces are on hold')
  WHERE new.stock_change ->> 'reason' = 'sale' AND new.stock < new.held;
  INSERT INTO stock_movements (id, product_id, quantity, reason, actor, document_id, stock_after, created_at, ordinal)
  VALUES (
    new.stock_change ->> 'id', new.id, new.stock - old.stock, new.stock_change ->> 'reason',
    new.stock_change ->> 'actor', new.stock_change ->> 'documentId', new.stock,
    -- A movement of a document has the document's time.
    iif(new.stock_change ->> 'documentId' IS NULL, unixepoch(), new.updated_at),
    1 + coalesce((SELECT ordinal FROM stock_movements WHERE product_id = new.id ORDER BY row DESC LIMIT 1), 0)
  );
END;
--> statement-breakpoint
DROP TRIGGER products_closing;
--> statement-breakpoint
-- The movements of a deleted product add up to 0.
CREATE TRIGGER products_closing BEFORE DELETE ON products WHEN old.stock <> 0 BEGIN
  INSERT INTO stock_movements (id, product_id, quantity, reason, actor, stock_after, created_at, ordinal)
  VALUES (
    lower(hex(randomblob(12))), old.id, -old.stock, 'adjustment', '', 0, unixepoch(),
    1 + coalesce((SELECT ordinal FROM stock_movements WHERE product_id = old.id ORDER BY row DESC LIMIT 1), 0)
  );
END;
