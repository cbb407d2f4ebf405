CREATE TABLE `business_settings` (
	`business_type` text PRIMARY KEY NOT NULL,
	`tax_number` text NOT NULL,
	`tax_name` text NOT NULL,
	`tax_rate` integer NOT NULL,
	`tax_included` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chat_customers` (
	`chat_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`linked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chat_customers_customer` ON `chat_customers` (`customer_id`,`linked_at`);--> statement-breakpoint
CREATE TABLE `customer_counts` (
	`one` integer PRIMARY KEY NOT NULL,
	`customers` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customers` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`email_key` text DEFAULT '' NOT NULL,
	`phone_number` text DEFAULT '' NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`user_id` text,
	`sales` integer DEFAULT 0 NOT NULL,
	`total_cents` integer DEFAULT 0 NOT NULL,
	`chats` integer DEFAULT 0 NOT NULL,
	`last_seen` integer NOT NULL,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_id_unique` ON `customers` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `customers_user` ON `customers` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_seen` ON `customers` (`last_seen`,`id`);--> statement-breakpoint
CREATE INDEX `customers_name` ON `customers` (`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`email_key`) WHERE email_key <> '';--> statement-breakpoint
CREATE TABLE `document_lines` (
	`document_id` text NOT NULL,
	`line` integer NOT NULL,
	`invoice_id` text NOT NULL,
	`product_id` text,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`quantity` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	`returned` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`document_id`, `line`),
	CONSTRAINT "document_lines_returned" CHECK("document_lines"."returned" BETWEEN 0 AND max("document_lines"."quantity", 0))
);
--> statement-breakpoint
CREATE INDEX `document_lines_product` ON `document_lines` (`product_id`) WHERE product_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `document_series` (
	`series` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `document_sums` (
	`period` text NOT NULL,
	`business_type` text NOT NULL,
	`kind` text NOT NULL,
	`payment_mode` text NOT NULL,
	`source` text NOT NULL,
	`documents` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	PRIMARY KEY(`period`, `business_type`, `kind`, `payment_mode`, `source`)
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`number` text NOT NULL,
	`business_type` text NOT NULL,
	`customer_id` text,
	`customer_name` text NOT NULL,
	`chat_id` text,
	`source` text NOT NULL,
	`payment_mode` text NOT NULL,
	`tax_name` text NOT NULL,
	`tax_rate` integer NOT NULL,
	`tax_cents` integer NOT NULL,
	`tax_included` integer NOT NULL,
	`tax_number` text NOT NULL,
	`rounding_cents` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`original_id` text,
	`reason` text DEFAULT '' NOT NULL,
	`request_id` text NOT NULL,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`day` text NOT NULL,
	`search_text` text NOT NULL,
	`created_by` text NOT NULL,
	CONSTRAINT "documents_kind" CHECK("documents"."kind" IN ('sale', 'credit')),
	CONSTRAINT "documents_source" CHECK("documents"."source" IN ('chat', 'counter')),
	CONSTRAINT "documents_original_of_credit" CHECK(("documents"."kind" = 'credit') = ("documents"."original_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_id_unique` ON `documents` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `documents_number_unique` ON `documents` (`number`);--> statement-breakpoint
CREATE INDEX `documents_created` ON `documents` (`created_at`,`row`);--> statement-breakpoint
CREATE INDEX `documents_business` ON `documents` (`business_type`,`created_at`,`row`);--> statement-breakpoint
CREATE INDEX `documents_customer` ON `documents` (`customer_id`,`created_at`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_chat` ON `documents` (`chat_id`,`created_at`) WHERE chat_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_original` ON `documents` (`original_id`) WHERE original_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_request` ON `documents` (`request_id`);--> statement-breakpoint
CREATE TABLE `hold_lines` (
	`hold_id` text NOT NULL,
	`product_id` text NOT NULL,
	`name` text NOT NULL,
	`quantity` integer NOT NULL,
	`until` integer NOT NULL,
	`counted` integer DEFAULT true NOT NULL,
	PRIMARY KEY(`hold_id`, `product_id`),
	CONSTRAINT "hold_lines_quantity" CHECK("hold_lines"."quantity" > 0)
);
--> statement-breakpoint
CREATE INDEX `hold_lines_counted` ON `hold_lines` (`product_id`,`until`,`quantity`) WHERE counted = 1;--> statement-breakpoint
CREATE INDEX `hold_lines_ended` ON `hold_lines` (`until`) WHERE counted = 1;--> statement-breakpoint
CREATE TABLE `holds` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` text,
	`customer_id` text,
	`until` integer NOT NULL,
	`state` text DEFAULT 'active' NOT NULL,
	`document_id` text,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	CONSTRAINT "holds_state" CHECK("holds"."state" IN ('active', 'released', 'sold'))
);
--> statement-breakpoint
CREATE INDEX `holds_chat` ON `holds` (`chat_id`,`created_at`) WHERE chat_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `holds_customer` ON `holds` (`customer_id`,`created_at`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `holds_until` ON `holds` (`until`);--> statement-breakpoint
CREATE TABLE `quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`title` text NOT NULL,
	`lines` text NOT NULL,
	`files` text NOT NULL,
	`ready_by` text NOT NULL,
	`valid_until` integer NOT NULL,
	`note` text NOT NULL,
	`state` text DEFAULT 'sent' NOT NULL,
	`total_cents` integer NOT NULL,
	`document_id` text,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	CONSTRAINT "quotes_state" CHECK("quotes"."state" IN ('sent', 'accepted', 'declined', 'withdrawn'))
);
--> statement-breakpoint
CREATE INDEX `quotes_chat` ON `quotes` (`chat_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `stock_movements` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`product_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`reason` text NOT NULL,
	`actor` text NOT NULL,
	`document_id` text,
	`stock_after` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "stock_movements_stock" CHECK("stock_movements"."stock_after" >= 0 AND "stock_movements"."quantity" <> 0),
	CONSTRAINT "stock_movements_reason" CHECK("stock_movements"."reason" IN ('opening', 'adjustment', 'import', 'sale', 'return'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stock_movements_id_unique` ON `stock_movements` (`id`);--> statement-breakpoint
CREATE INDEX `stock_movements_product` ON `stock_movements` (`product_id`,`row`);--> statement-breakpoint
CREATE INDEX `stock_movements_document` ON `stock_movements` (`document_id`) WHERE document_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `held` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `stock_change` text;--> statement-breakpoint
ALTER TABLE `expenses` ADD `tax_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `document_id` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `tax_cents` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0025-sales.md).
-- Stock that exists is the opening movement of its product.
INSERT INTO stock_movements (id, product_id, quantity, reason, actor, stock_after, created_at)
SELECT lower(hex(randomblob(12))), id, stock, 'opening', '', stock, created_at FROM products WHERE stock <> 0 ORDER BY row;
--> statement-breakpoint
CREATE TRIGGER products_opening AFTER INSERT ON products WHEN new.stock <> 0 BEGIN
  INSERT INTO stock_movements (id, product_id, quantity, reason, actor, document_id, stock_after, created_at)
  VALUES (
    coalesce(new.stock_change ->> 'id', lower(hex(randomblob(12)))), new.id, new.stock,
    coalesce(new.stock_change ->> 'reason', 'opening'), coalesce(new.stock_change ->> 'actor', ''),
    new.stock_change ->> 'documentId', new.stock, new.created_at
  );
END;
--> statement-breakpoint
-- Every change of stock says why: a write that leaves `stock_change` as it was is refused.
CREATE TRIGGER products_moved AFTER UPDATE OF stock ON products WHEN old.stock <> new.stock BEGIN
  SELECT RAISE(ABORT, 'products: stock below 0') WHERE new.stock < 0;
  SELECT RAISE(ABORT, 'products: change of stock without a reason') WHERE new.stock_change IS old.stock_change;
  SELECT RAISE(ABORT, 'products: pieces are on hold')
  WHERE new.stock_change ->> 'reason' = 'sale' AND new.stock < new.held;
  INSERT INTO stock_movements (id, product_id, quantity, reason, actor, document_id, stock_after, created_at)
  VALUES (
    new.stock_change ->> 'id', new.id, new.stock - old.stock, new.stock_change ->> 'reason',
    new.stock_change ->> 'actor', new.stock_change ->> 'documentId', new.stock, unixepoch()
  );
END;
--> statement-breakpoint
-- The movements of a deleted product add up to 0.
CREATE TRIGGER products_closing BEFORE DELETE ON products WHEN old.stock <> 0 BEGIN
  INSERT INTO stock_movements (id, product_id, quantity, reason, actor, stock_after, created_at)
  VALUES (lower(hex(randomblob(12))), old.id, -old.stock, 'adjustment', '', 0, unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER stock_movements_final BEFORE UPDATE ON stock_movements BEGIN
  SELECT RAISE(ABORT, 'stock_movements: final');
END;
--> statement-breakpoint
CREATE TRIGGER hold_lines_added AFTER INSERT ON hold_lines WHEN new.counted = 1 BEGIN
  UPDATE products SET held = held + new.quantity WHERE id = new.product_id;
  SELECT RAISE(ABORT, 'hold_lines: not available')
  WHERE coalesce((SELECT stock - held FROM products WHERE id = new.product_id), -1) < 0;
END;
--> statement-breakpoint
CREATE TRIGGER hold_lines_ended AFTER UPDATE OF counted ON hold_lines WHEN old.counted = 1 AND new.counted = 0 BEGIN
  UPDATE products SET held = held - old.quantity WHERE id = old.product_id;
END;
--> statement-breakpoint
CREATE TRIGGER hold_lines_removed AFTER DELETE ON hold_lines WHEN old.counted = 1 BEGIN
  UPDATE products SET held = held - old.quantity WHERE id = old.product_id;
END;
--> statement-breakpoint
-- A product that is added again under the id of a deleted one begins without holds.
CREATE TRIGGER products_unheld AFTER DELETE ON products WHEN old.held <> 0 BEGIN
  UPDATE hold_lines SET counted = 0 WHERE product_id = old.id AND counted = 1;
END;
--> statement-breakpoint
CREATE TRIGGER holds_state_final BEFORE UPDATE OF state ON holds WHEN old.state <> 'active' AND NOT (old.state = 'released' AND new.state = 'sold') BEGIN
  SELECT RAISE(ABORT, 'holds: final');
END;
--> statement-breakpoint
CREATE TRIGGER quotes_state_final BEFORE UPDATE OF state ON quotes
WHEN old.state <> 'sent' OR (new.state <> 'withdrawn' AND old.valid_until <= unixepoch()) BEGIN
  SELECT RAISE(ABORT, 'quotes: final');
END;
--> statement-breakpoint
-- A quote is sold once, and only when it was accepted.
CREATE TRIGGER quotes_sold_once BEFORE UPDATE OF document_id ON quotes
WHEN old.state <> 'accepted' OR old.document_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'quotes: not to be sold');
END;
--> statement-breakpoint
CREATE TRIGGER documents_final_update BEFORE UPDATE OF
  row, id, kind, number, business_type, customer_name, chat_id, source, payment_mode, tax_name, tax_rate, tax_cents,
  tax_included, tax_number, rounding_cents, total_cents, original_id, reason, request_id, request_hash, created_at, day,
  search_text, created_by
ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER documents_final_delete BEFORE DELETE ON documents BEGIN
  SELECT RAISE(ABORT, 'documents: final');
END;
--> statement-breakpoint
CREATE TRIGGER document_lines_final_update BEFORE UPDATE OF
  document_id, line, invoice_id, product_id, description, category, quantity, amount_cents, tax_cents
ON document_lines BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
CREATE TRIGGER document_lines_returned_grows BEFORE UPDATE OF returned ON document_lines WHEN new.returned < old.returned BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
CREATE TRIGGER document_lines_final_delete BEFORE DELETE ON document_lines BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
--> statement-breakpoint
-- Products of a sale exist when it is issued; the line of a credit note counts as returned on the sale's line.
CREATE TRIGGER document_lines_sold BEFORE INSERT ON document_lines WHEN new.product_id IS NOT NULL AND new.quantity > 0 BEGIN
  SELECT RAISE(ABORT, 'document_lines: no such product')
  WHERE NOT EXISTS (SELECT 1 FROM products WHERE id = new.product_id);
END;
--> statement-breakpoint
CREATE TRIGGER document_lines_credited AFTER INSERT ON document_lines WHEN new.quantity < 0 BEGIN
  UPDATE document_lines SET returned = returned - new.quantity
  WHERE document_id = (SELECT original_id FROM documents WHERE id = new.document_id) AND line = new.line;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_final_update BEFORE UPDATE ON invoices WHEN old.document_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'invoices: final');
END;
--> statement-breakpoint
CREATE TRIGGER invoices_final_delete BEFORE DELETE ON invoices WHEN old.document_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'invoices: final');
END;
--> statement-breakpoint
-- Contains, whatever the case: three characters or more (trigrams).
CREATE VIRTUAL TABLE document_search USING fts5(
  text, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
-- One or two characters: the beginnings of words.
CREATE VIRTUAL TABLE document_starts USING fts5(
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
CREATE TRIGGER documents_issued AFTER INSERT ON documents BEGIN
  INSERT INTO document_search (rowid, text) VALUES (new.row, new.search_text);
  INSERT INTO document_starts (rowid, text) VALUES (new.row, new.search_text);
  INSERT INTO document_sums (period, business_type, kind, payment_mode, source, documents, total_cents, tax_cents)
  VALUES (new.day, new.business_type, new.kind, new.payment_mode, new.source, 1, new.total_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET documents = documents + 1, total_cents = total_cents + excluded.total_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO document_sums (period, business_type, kind, payment_mode, source, documents, total_cents, tax_cents)
  VALUES (substr(new.day, 1, 7), new.business_type, new.kind, new.payment_mode, new.source, 1, new.total_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET documents = documents + 1, total_cents = total_cents + excluded.total_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  INSERT INTO document_sums (period, business_type, kind, payment_mode, source, documents, total_cents, tax_cents)
  VALUES ('all', new.business_type, new.kind, new.payment_mode, new.source, 1, new.total_cents, new.tax_cents)
  ON CONFLICT DO UPDATE SET documents = documents + 1, total_cents = total_cents + excluded.total_cents,
    tax_cents = tax_cents + excluded.tax_cents;
  UPDATE customers SET sales = sales + (new.kind = 'sale'), total_cents = total_cents + new.total_cents,
    last_seen = max(last_seen, new.created_at)
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER documents_customer_changed AFTER UPDATE OF customer_id ON documents
WHEN old.customer_id IS NOT new.customer_id BEGIN
  UPDATE customers SET sales = sales - (new.kind = 'sale'), total_cents = total_cents - new.total_cents
  WHERE id = old.customer_id;
  UPDATE customers SET sales = sales + (new.kind = 'sale'), total_cents = total_cents + new.total_cents,
    last_seen = max(last_seen, new.created_at)
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_customers_linked AFTER INSERT ON chat_customers BEGIN
  UPDATE customers SET chats = chats + 1, last_seen = max(last_seen, new.linked_at) WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_customers_moved AFTER UPDATE OF customer_id ON chat_customers
WHEN old.customer_id <> new.customer_id BEGIN
  UPDATE customers SET chats = chats - 1 WHERE id = old.customer_id;
  UPDATE customers SET chats = chats + 1, last_seen = max(last_seen, new.linked_at) WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_customers_unlinked AFTER DELETE ON chat_customers BEGIN
  UPDATE customers SET chats = chats - 1 WHERE id = old.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER chats_unlinked AFTER DELETE ON chats BEGIN
  DELETE FROM chat_customers WHERE chat_id = old.id;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE customer_search USING fts5(
  name, email, phone, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
CREATE VIRTUAL TABLE customer_starts USING fts5(
  name, email, phone, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
INSERT INTO customer_counts (one, customers) VALUES (1, 0);
--> statement-breakpoint
CREATE TRIGGER customers_indexed AFTER INSERT ON customers BEGIN
  UPDATE customer_counts SET customers = customers + 1 WHERE one = 1;
  INSERT INTO customer_search (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
  INSERT INTO customer_starts (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
END;
--> statement-breakpoint
CREATE TRIGGER customers_reindexed AFTER UPDATE OF name_key, email_key, phone_number ON customers BEGIN
  DELETE FROM customer_search WHERE rowid = old.row;
  DELETE FROM customer_starts WHERE rowid = old.row;
  INSERT INTO customer_search (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
  INSERT INTO customer_starts (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
END;
--> statement-breakpoint
CREATE TRIGGER customers_unindexed AFTER DELETE ON customers BEGIN
  UPDATE customer_counts SET customers = customers - 1 WHERE one = 1;
  DELETE FROM customer_search WHERE rowid = old.row;
  DELETE FROM customer_starts WHERE rowid = old.row;
END;
