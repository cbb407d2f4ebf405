ALTER TABLE `quotes` ADD `customer_id` text;--> statement-breakpoint
CREATE INDEX `quotes_customer` ON `quotes` (`customer_id`,`created_at`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `quotes_sent` ON `quotes` (`customer_id`,`valid_until`) WHERE state = 'sent' AND customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `quotes_unsold` ON `quotes` (`customer_id`,`created_at`) WHERE state = 'accepted' AND document_id IS NULL AND customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `quotes_sold` ON `quotes` (`document_id`) WHERE document_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `chat_customers` ADD `active_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `chat_customers_active` ON `chat_customers` (`customer_id`,`active_at`);--> statement-breakpoint
ALTER TABLE `customers` ADD `credits` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `credits_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `holds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `quotes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `held_until` integer;--> statement-breakpoint
ALTER TABLE `customers` ADD `quoted_until` integer;--> statement-breakpoint
CREATE INDEX `customers_held` ON `customers` (`held_until`) WHERE held_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_quoted` ON `customers` (`quoted_until`) WHERE quoted_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `chats_answers` ON `chats` (`user_id`,`last_message_at`,`id`,`visitor_unread`) WHERE visitor_unread > 0;--> statement-breakpoint
CREATE INDEX `holds_open` ON `holds` (`customer_id`,`until`) WHERE state = 'active' AND customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `holds_sold` ON `holds` (`document_id`) WHERE document_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_created` ON `api_keys` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sale_outbox_latest` ON `sale_outbox` (`document_id`,`created_at`) WHERE document_id IS NOT NULL;--> statement-breakpoint
-- Written by hand from here on: what a customer's page, timeline and pills would otherwise count row by row.
UPDATE quotes SET customer_id = (SELECT customer_id FROM chat_customers WHERE chat_id = quotes.chat_id);
--> statement-breakpoint
UPDATE chat_customers SET active_at = coalesce((SELECT last_message_at / 1000 FROM chats WHERE id = chat_id), 0);
--> statement-breakpoint
UPDATE customers SET
  credits = (SELECT count(*) FROM documents WHERE customer_id = customers.id AND kind = 'credit'),
  credits_cents = (SELECT coalesce(sum(total_cents), 0) FROM documents WHERE customer_id = customers.id AND kind = 'credit'),
  holds = (SELECT count(*) FROM holds WHERE customer_id = customers.id),
  quotes = (SELECT count(*) FROM quotes WHERE customer_id = customers.id),
  held_until = (SELECT max(until) FROM holds WHERE customer_id = customers.id AND state = 'active'),
  quoted_until = iif(EXISTS (SELECT 1 FROM quotes WHERE customer_id = customers.id AND state = 'accepted' AND document_id IS NULL),
    253402300799, (SELECT max(valid_until) FROM quotes WHERE customer_id = customers.id AND state = 'sent'));
--> statement-breakpoint
CREATE TRIGGER documents_credited AFTER INSERT ON documents WHEN new.kind = 'credit' BEGIN
  UPDATE customers SET credits = credits + 1, credits_cents = credits_cents + new.total_cents WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER documents_credit_moved AFTER UPDATE OF customer_id ON documents
WHEN new.kind = 'credit' AND old.customer_id IS NOT new.customer_id BEGIN
  UPDATE customers SET credits = credits - 1, credits_cents = credits_cents - new.total_cents WHERE id = old.customer_id;
  UPDATE customers SET credits = credits + 1, credits_cents = credits_cents + new.total_cents WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER holds_placed AFTER INSERT ON holds BEGIN
  UPDATE customers SET holds = holds + 1, held_until = (SELECT max(until) FROM holds WHERE customer_id = new.customer_id AND state = 'active')
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER holds_changed AFTER UPDATE OF until, state ON holds
WHEN old.until <> new.until OR old.state <> new.state BEGIN
  UPDATE customers SET held_until = (SELECT max(until) FROM holds WHERE customer_id = new.customer_id AND state = 'active')
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER holds_moved AFTER UPDATE OF customer_id ON holds WHEN old.customer_id IS NOT new.customer_id BEGIN
  UPDATE customers SET holds = holds - 1, held_until = (SELECT max(until) FROM holds WHERE customer_id = old.customer_id AND state = 'active')
  WHERE id = old.customer_id;
  UPDATE customers SET holds = holds + 1, held_until = (SELECT max(until) FROM holds WHERE customer_id = new.customer_id AND state = 'active')
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER holds_removed AFTER DELETE ON holds BEGIN
  UPDATE customers SET holds = holds - 1, held_until = (SELECT max(until) FROM holds WHERE customer_id = old.customer_id AND state = 'active')
  WHERE id = old.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER quotes_moved AFTER UPDATE OF customer_id ON quotes WHEN old.customer_id IS NOT new.customer_id BEGIN
  UPDATE customers SET quotes = quotes - 1, quoted_until = iif(EXISTS (SELECT 1 FROM quotes WHERE customer_id = old.customer_id AND state = 'accepted' AND document_id IS NULL),
    253402300799, (SELECT max(valid_until) FROM quotes WHERE customer_id = old.customer_id AND state = 'sent'))
  WHERE id = old.customer_id;
  UPDATE customers SET quotes = quotes + 1, quoted_until = iif(EXISTS (SELECT 1 FROM quotes WHERE customer_id = new.customer_id AND state = 'accepted' AND document_id IS NULL),
    253402300799, (SELECT max(valid_until) FROM quotes WHERE customer_id = new.customer_id AND state = 'sent'))
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
-- A quote has the customer of its chat; counting it is left to the trigger above.
CREATE TRIGGER quotes_added AFTER INSERT ON quotes BEGIN
  UPDATE quotes SET customer_id = (SELECT customer_id FROM chat_customers WHERE chat_id = new.chat_id) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER quotes_changed AFTER UPDATE OF state, document_id ON quotes BEGIN
  UPDATE customers SET quoted_until = iif(EXISTS (SELECT 1 FROM quotes WHERE customer_id = new.customer_id AND state = 'accepted' AND document_id IS NULL),
    253402300799, (SELECT max(valid_until) FROM quotes WHERE customer_id = new.customer_id AND state = 'sent'))
  WHERE id = new.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER quotes_removed AFTER DELETE ON quotes BEGIN
  UPDATE customers SET quotes = quotes - 1, quoted_until = iif(EXISTS (SELECT 1 FROM quotes WHERE customer_id = old.customer_id AND state = 'accepted' AND document_id IS NULL),
    253402300799, (SELECT max(valid_until) FROM quotes WHERE customer_id = old.customer_id AND state = 'sent'))
  WHERE id = old.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_customers_added AFTER INSERT ON chat_customers BEGIN
  UPDATE quotes SET customer_id = new.customer_id WHERE chat_id = new.chat_id;
  UPDATE chat_customers SET active_at = coalesce((SELECT last_message_at / 1000 FROM chats WHERE id = new.chat_id), 0)
  WHERE chat_id = new.chat_id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_customers_changed AFTER UPDATE OF customer_id ON chat_customers
WHEN old.customer_id <> new.customer_id BEGIN
  UPDATE quotes SET customer_id = new.customer_id WHERE chat_id = new.chat_id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_customers_removed AFTER DELETE ON chat_customers BEGIN
  UPDATE quotes SET customer_id = NULL WHERE chat_id = old.chat_id;
END;
--> statement-breakpoint
CREATE TRIGGER chats_active AFTER UPDATE OF last_message_at ON chats
WHEN old.last_message_at <> new.last_message_at BEGIN
  UPDATE chat_customers SET active_at = new.last_message_at / 1000 WHERE chat_id = new.id;
END;
