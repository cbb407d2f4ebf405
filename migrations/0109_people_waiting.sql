ALTER TABLE `units` ADD `waiting` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER pages_product_changed;
--> statement-breakpoint
CREATE TRIGGER pages_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden OR old.low_stock <> new.low_stock OR old.option_label <> new.option_label OR old.plates <> new.plates OR old.options <> new.options OR old.image_alts <> new.image_alts OR old.held <> new.held OR old.base_cents IS NOT new.base_cents BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere)
  VALUES (new.id, new.category, old.category <> new.category OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden);
END;
--> statement-breakpoint
DROP TRIGGER webhooks_product_changed;
--> statement-breakpoint
CREATE TRIGGER webhooks_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden OR old.low_stock <> new.low_stock OR old.option_label <> new.option_label OR old.plates <> new.plates OR old.options <> new.options OR old.base_cents IS NOT new.base_cents BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;

--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0093-back-in-stock.md): one counter for each unit, so that no page counts requests.
UPDATE units SET waiting = w.people
FROM (SELECT unit_id, count(*) AS people FROM restock_requests
  WHERE confirmed_at IS NOT NULL AND notified_at IS NULL GROUP BY unit_id) AS w
WHERE units.id = w.unit_id;
--> statement-breakpoint
CREATE TRIGGER units_waiting_added AFTER INSERT ON restock_requests
WHEN new.confirmed_at IS NOT NULL AND new.notified_at IS NULL BEGIN
  UPDATE units SET waiting = waiting + 1 WHERE id = new.unit_id;
END;
--> statement-breakpoint
CREATE TRIGGER units_waiting_changed AFTER UPDATE OF confirmed_at, notified_at ON restock_requests
WHEN (old.confirmed_at IS NOT NULL AND old.notified_at IS NULL) <> (new.confirmed_at IS NOT NULL AND new.notified_at IS NULL) BEGIN
  UPDATE units SET waiting = waiting + iif(new.confirmed_at IS NOT NULL AND new.notified_at IS NULL, 1, -1) WHERE id = new.unit_id;
END;
--> statement-breakpoint
CREATE TRIGGER units_waiting_removed AFTER DELETE ON restock_requests
WHEN old.confirmed_at IS NOT NULL AND old.notified_at IS NULL BEGIN
  UPDATE units SET waiting = waiting - 1 WHERE id = old.unit_id;
END;
