DROP TRIGGER webhooks_product_changed;
--> statement-breakpoint
-- Changes of a product before the first attempt are one event.
CREATE TRIGGER webhooks_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.option_label <> new.option_label OR old.plates <> new.plates BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;
