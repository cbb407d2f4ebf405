CREATE TABLE `scarce_notices` (
	`unit_id` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE `products` ADD `low_stock` integer DEFAULT -1 NOT NULL;--> statement-breakpoint
CREATE INDEX `products_own_low` ON `products` (`id`) WHERE low_stock > -1;--> statement-breakpoint
ALTER TABLE `units` ADD `low_at` integer DEFAULT 5 NOT NULL;--> statement-breakpoint
CREATE INDEX `units_scarce` ON `units` (`product_id`,`position`) WHERE stock BETWEEN 1 AND low_at;--> statement-breakpoint
CREATE INDEX `units_scarce_latest` ON `units` (`updated_at`) WHERE stock BETWEEN 1 AND low_at;--> statement-breakpoint
ALTER TABLE `chat_settings` ADD `first_questions` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `message_push` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `message_mail` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `assigned_push` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `assigned_mail` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `low_stock_push` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `low_stock_mail` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `night_push` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `push_preferences` ADD `night_mail` integer DEFAULT true NOT NULL;
--> statement-breakpoint
DROP TRIGGER pages_product_changed;
--> statement-breakpoint
CREATE TRIGGER pages_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden OR old.low_stock <> new.low_stock OR old.option_label <> new.option_label OR old.plates <> new.plates OR old.image_alts <> new.image_alts OR old.held <> new.held BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere)
  VALUES (new.id, new.category, old.category <> new.category OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden);
END;
--> statement-breakpoint
DROP TRIGGER webhooks_product_changed;
--> statement-breakpoint
CREATE TRIGGER webhooks_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.is_hidden <> new.is_hidden OR old.low_stock <> new.low_stock OR old.option_label <> new.option_label OR old.plates <> new.plates BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;
--> statement-breakpoint
-- Written by hand from here on: a unit is low from 1 piece to `low_at`, which is the product's number, else that of the settings
-- (docs/decisions/0090-low-stock.md). units_low and stock_movements_low stay for the previous version.
DROP TRIGGER units_level_added;
--> statement-breakpoint
CREATE TRIGGER units_level_added AFTER INSERT ON units BEGIN
  UPDATE products SET units_out = units_out + (new.stock = 0), units_low = units_low + (new.stock BETWEEN 1 AND new.low_at),
    units_enough = units_enough + (new.stock > new.low_at) WHERE id = new.product_id;
  UPDATE units SET low_at = l.pieces
  FROM (SELECT coalesce((SELECT nullif(low_stock, -1) FROM products WHERE id = new.product_id),
    (SELECT content ->> 'lowStock' FROM shop_settings WHERE name = 'sales'), 5) AS pieces) AS l
  WHERE id = new.id AND low_at <> l.pieces;
END;
--> statement-breakpoint
DROP TRIGGER units_level_changed;
--> statement-breakpoint
CREATE TRIGGER units_level_changed AFTER UPDATE OF stock, low_at ON units
WHEN (old.stock = 0) <> (new.stock = 0) OR (old.stock > old.low_at) <> (new.stock > new.low_at) BEGIN
  UPDATE products SET units_out = units_out + (new.stock = 0) - (old.stock = 0),
    units_low = units_low + (new.stock BETWEEN 1 AND new.low_at) - (old.stock BETWEEN 1 AND old.low_at),
    units_enough = units_enough + (new.stock > new.low_at) - (old.stock > old.low_at) WHERE id = new.product_id;
END;
--> statement-breakpoint
DROP TRIGGER units_level_removed;
--> statement-breakpoint
CREATE TRIGGER units_level_removed AFTER DELETE ON units BEGIN
  UPDATE products SET units_out = units_out - (old.stock = 0), units_low = units_low - (old.stock BETWEEN 1 AND old.low_at),
    units_enough = units_enough - (old.stock > old.low_at) WHERE id = old.product_id;
  DELETE FROM scarce_notices WHERE unit_id = old.id;
END;
--> statement-breakpoint
-- One row for each unit that staff are to be told of, where anybody wants to be.
CREATE TRIGGER units_scarce_told AFTER UPDATE OF stock ON units
WHEN (old.stock > old.low_at) <> (new.stock > new.low_at) AND old.low_at = new.low_at BEGIN
  DELETE FROM scarce_notices WHERE unit_id = new.id;
  INSERT INTO scarce_notices (unit_id) SELECT new.id WHERE new.stock <= new.low_at
    AND EXISTS (SELECT 1 FROM push_preferences WHERE low_stock_push = 1 OR low_stock_mail = 1);
END;
--> statement-breakpoint
CREATE TRIGGER products_low_stock AFTER UPDATE OF low_stock ON products WHEN old.low_stock <> new.low_stock BEGIN
  UPDATE units SET low_at = coalesce(nullif(new.low_stock, -1),
    (SELECT content ->> 'lowStock' FROM shop_settings WHERE name = 'sales'), 5) WHERE product_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER shop_low_stock_added AFTER INSERT ON shop_settings
WHEN new.name = 'sales' AND coalesce(new.content ->> 'lowStock', 5) <> 5 BEGIN
  UPDATE units SET low_at = new.content ->> 'lowStock'
  WHERE product_id NOT IN (SELECT id FROM products INDEXED BY products_own_low WHERE low_stock > -1);
END;
--> statement-breakpoint
CREATE TRIGGER shop_low_stock_changed AFTER UPDATE OF content ON shop_settings
WHEN new.name = 'sales' AND coalesce(new.content ->> 'lowStock', 5) <> coalesce(old.content ->> 'lowStock', 5) BEGIN
  UPDATE units SET low_at = coalesce(new.content ->> 'lowStock', 5)
  WHERE product_id NOT IN (SELECT id FROM products INDEXED BY products_own_low WHERE low_stock > -1);
END;
--> statement-breakpoint
-- A product's number goes before that of a webhook.
DROP TRIGGER webhooks_stock_low;
--> statement-breakpoint
CREATE TRIGGER webhooks_stock_low AFTER UPDATE OF stock, held ON products
WHEN new.stock - new.held < old.stock - old.held BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), id, 'stock.low', new.id,
    json_object('productId', new.id, 'name', new.name, 'stock', new.stock,
      'available', max(0, new.stock - new.held), 'threshold', iif(new.low_stock > -1, new.low_stock, low_stock)), unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"stock.low"') > 0
    AND old.stock - old.held > iif(new.low_stock > -1, new.low_stock, low_stock)
    AND new.stock - new.held <= iif(new.low_stock > -1, new.low_stock, low_stock);
END;
