-- API keys of staff (docs/decisions/0032-api-keys.md), webhooks and the outbox of their deliveries
-- (docs/decisions/0033-webhooks.md).
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	CONSTRAINT "api_keys_scope" CHECK(scope IN ('read', 'write'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_token` ON `api_keys` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`, `created_at`);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`low_stock` integer NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`succeeded_at` integer,
	`disabled_at` integer,
	`note` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event` text NOT NULL,
	`subject` text NOT NULL,
	`data` text,
	`state` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`result` text DEFAULT '' NOT NULL,
	`attempted_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "webhook_deliveries_state" CHECK(state IN ('waiting', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at`) WHERE state = 'waiting';
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_log` ON `webhook_deliveries` (`webhook_id`, `created_at`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_old` ON `webhook_deliveries` (`created_at`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_subject` ON `webhook_deliveries` (`subject`, `webhook_id`);
--> statement-breakpoint
-- A key ends with the account, and when its owner is no longer staff: it does not come back with the role.
CREATE TRIGGER api_keys_of_deleted AFTER DELETE ON users BEGIN
  DELETE FROM api_keys WHERE user_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_of_demoted AFTER UPDATE OF is_admin, is_manager, is_user ON users
WHEN new.is_user = 0 OR (new.is_admin = 0 AND new.is_manager = 0) BEGIN
  DELETE FROM api_keys WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_deleted AFTER DELETE ON webhooks BEGIN
  DELETE FROM webhook_deliveries WHERE webhook_id = old.id;
END;
--> statement-breakpoint
-- The log keeps no text of a deleted chat.
CREATE TRIGGER webhooks_chat_deleted AFTER DELETE ON chats BEGIN
  DELETE FROM webhook_deliveries WHERE subject = old.id AND event = 'chat.message';
END;
--> statement-breakpoint
-- Events enter the outbox in the transaction of the change itself, whoever makes it. `data` without a value is read
-- when they are sent.
CREATE TRIGGER webhooks_sale_recorded AFTER INSERT ON documents WHEN new.kind = 'sale' BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), id, 'sale.recorded', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"sale.recorded"') > 0;
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_product_added AFTER INSERT ON products BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0;
END;
--> statement-breakpoint
-- Changes of a product before the first attempt are one event.
CREATE TRIGGER webhooks_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents
  OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors
  OR old.image_urls <> new.image_urls OR old.has_engraving <> new.has_engraving BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_product_deleted AFTER DELETE ON products BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', old.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = old.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_stock_low AFTER UPDATE OF stock, held ON products
WHEN new.stock - new.held < old.stock - old.held BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), id, 'stock.low', new.id,
    json_object('productId', new.id, 'name', new.name, 'stock', new.stock,
      'available', max(0, new.stock - new.held), 'threshold', low_stock), unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"stock.low"') > 0
    AND old.stock - old.held > low_stock AND new.stock - new.held <= low_stock;
END;
