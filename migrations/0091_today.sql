-- Lists of holds and quotes, and what waits today (docs/decisions/0086-today.md).
CREATE TABLE `hold_quote_counts` (
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`kind`, `state`)
);
--> statement-breakpoint
CREATE INDEX `chats_waiting_since` ON `chats` (`waiting_since`,`id`) WHERE waiting_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `holds_ending` ON `holds` (`until`) WHERE state = 'active';--> statement-breakpoint
CREATE INDEX `holds_put_back` ON `holds` (`until`) WHERE state = 'released';--> statement-breakpoint
CREATE INDEX `holds_bought` ON `holds` (`until`) WHERE state = 'sold';--> statement-breakpoint
CREATE INDEX `quotes_valid` ON `quotes` (`valid_until`);--> statement-breakpoint
CREATE INDEX `quotes_agreed` ON `quotes` (`valid_until`) WHERE state = 'accepted';--> statement-breakpoint
CREATE INDEX `quotes_declined` ON `quotes` (`valid_until`) WHERE state = 'declined';--> statement-breakpoint
CREATE INDEX `quotes_withdrawn` ON `quotes` (`valid_until`) WHERE state = 'withdrawn';--> statement-breakpoint
CREATE INDEX `quotes_jobs` ON `quotes` ((ready_by = ''),`ready_by`,`created_at`) WHERE state = 'accepted' AND document_id IS NULL;--> statement-breakpoint
CREATE INDEX `stock_movements_low` ON `stock_movements` (`row`) WHERE stock_after <= 5;
--> statement-breakpoint
INSERT INTO hold_quote_counts (kind, state, total) VALUES
  ('hold', 'active', (SELECT count(*) FROM holds WHERE state = 'active')),
  ('hold', 'released', (SELECT count(*) FROM holds WHERE state = 'released')),
  ('hold', 'sold', (SELECT count(*) FROM holds WHERE state = 'sold')),
  ('quote', 'sent', (SELECT count(*) FROM quotes WHERE state = 'sent')),
  ('quote', 'accepted', (SELECT count(*) FROM quotes WHERE state = 'accepted')),
  ('quote', 'declined', (SELECT count(*) FROM quotes WHERE state = 'declined')),
  ('quote', 'withdrawn', (SELECT count(*) FROM quotes WHERE state = 'withdrawn'));
--> statement-breakpoint
CREATE TRIGGER holds_counted AFTER INSERT ON holds BEGIN
  UPDATE hold_quote_counts SET total = total + 1 WHERE kind = 'hold' AND state = new.state;
END;
--> statement-breakpoint
CREATE TRIGGER holds_recounted AFTER UPDATE OF state ON holds WHEN old.state <> new.state BEGIN
  UPDATE hold_quote_counts SET total = total - 1 WHERE kind = 'hold' AND state = old.state;
  UPDATE hold_quote_counts SET total = total + 1 WHERE kind = 'hold' AND state = new.state;
END;
--> statement-breakpoint
CREATE TRIGGER holds_uncounted AFTER DELETE ON holds BEGIN
  UPDATE hold_quote_counts SET total = total - 1 WHERE kind = 'hold' AND state = old.state;
END;
--> statement-breakpoint
CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  UPDATE hold_quote_counts SET total = total + 1 WHERE kind = 'quote' AND state = new.state;
END;
--> statement-breakpoint
CREATE TRIGGER quotes_recounted AFTER UPDATE OF state ON quotes WHEN old.state <> new.state BEGIN
  UPDATE hold_quote_counts SET total = total - 1 WHERE kind = 'quote' AND state = old.state;
  UPDATE hold_quote_counts SET total = total + 1 WHERE kind = 'quote' AND state = new.state;
END;
--> statement-breakpoint
CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE hold_quote_counts SET total = total - 1 WHERE kind = 'quote' AND state = old.state;
END;
