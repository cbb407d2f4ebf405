CREATE TABLE `shop_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`version` integer NOT NULL,
	`saved_by` text NOT NULL,
	`saved_at` integer NOT NULL,
	CONSTRAINT "shop_settings_name" CHECK(name IN ('shop', 'hours', 'home', 'sales')),
	CONSTRAINT "shop_settings_content" CHECK(json_type(content) = 'object')
);
--> statement-breakpoint
ALTER TABLE `chat_settings` ADD `switched_until` integer;
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0077-settings.md). Every page shows settings: its name, its hours.
CREATE TRIGGER pages_settings_added AFTER INSERT ON shop_settings BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES ('', '', 1);
END;
--> statement-breakpoint
CREATE TRIGGER pages_settings_changed AFTER UPDATE ON shop_settings WHEN old.content <> new.content BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES ('', '', 1);
END;
--> statement-breakpoint
CREATE TRIGGER pages_settings_deleted AFTER DELETE ON shop_settings BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES ('', '', 1);
END;
