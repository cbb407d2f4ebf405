CREATE TABLE `sale_dates` (
	`day` text PRIMARY KEY NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
-- Written by hand from here on: sales of each day, of both businesses, kept in the transaction of the write itself.
INSERT INTO sale_dates (day, entries, amount_cents)
SELECT day, sum(entries), sum(amount_cents) FROM sale_days GROUP BY day;
--> statement-breakpoint
CREATE TRIGGER invoices_date_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO sale_dates (day, entries, amount_cents) VALUES (new.day, 1, new.amount_cents)
  ON CONFLICT DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_date_delete AFTER DELETE ON invoices BEGIN
  UPDATE sale_dates SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents WHERE day = old.day;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_date_update AFTER UPDATE OF day, amount_cents ON invoices
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents BEGIN
  UPDATE sale_dates SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents WHERE day = old.day;
  INSERT INTO sale_dates (day, entries, amount_cents) VALUES (new.day, 1, new.amount_cents)
  ON CONFLICT DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
-- A linked chat dates its customer's last visit by its last message instead of by the time of the link.
DROP TRIGGER chat_customers_linked;--> statement-breakpoint
CREATE TRIGGER chat_customers_linked AFTER INSERT ON chat_customers BEGIN
  UPDATE customers SET chats = chats + 1,
    last_seen = max(last_seen, coalesce((SELECT last_message_at / 1000 FROM chats WHERE id = new.chat_id), 0))
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
DROP TRIGGER chat_customers_moved;--> statement-breakpoint
CREATE TRIGGER chat_customers_moved AFTER UPDATE OF customer_id ON chat_customers
WHEN old.customer_id <> new.customer_id BEGIN
  UPDATE customers SET chats = chats - 1 WHERE id = old.customer_id;
  UPDATE customers SET chats = chats + 1,
    last_seen = max(last_seen, coalesce((SELECT last_message_at / 1000 FROM chats WHERE id = new.chat_id), 0))
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
UPDATE customers SET last_seen = max(last_seen, (SELECT max(c.last_message_at) / 1000 FROM chat_customers AS l
  JOIN chats AS c ON c.id = l.chat_id WHERE l.customer_id = customers.id))
WHERE id IN (SELECT l.customer_id FROM chat_customers AS l JOIN chats AS c ON c.id = l.chat_id);
