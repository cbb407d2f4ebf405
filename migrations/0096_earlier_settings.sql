CREATE TABLE `earlier_settings` (
	`until` integer NOT NULL,
	`name` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`until`, `name`)
);

--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0091-issuer-of-a-document.md). A group that was saved once had the defaults before.
INSERT INTO earlier_settings (until, name, content)
  SELECT saved_at, name, '{}' FROM shop_settings WHERE version = 1 AND name IN ('shop', 'hours', 'sales');
--> statement-breakpoint
CREATE TRIGGER earlier_settings_first AFTER INSERT ON shop_settings WHEN new.name IN ('shop', 'hours', 'sales') BEGIN
  INSERT INTO earlier_settings (until, name, content) VALUES (new.saved_at, new.name, '{}') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER earlier_settings_kept AFTER UPDATE ON shop_settings
WHEN old.content <> new.content AND new.name IN ('shop', 'hours', 'sales') BEGIN
  INSERT INTO earlier_settings (until, name, content) VALUES (new.saved_at, new.name, old.content) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER earlier_settings_no_update BEFORE UPDATE ON earlier_settings BEGIN
  SELECT RAISE(ABORT, 'earlier_settings: final');
END;
--> statement-breakpoint
CREATE TRIGGER earlier_settings_no_delete BEFORE DELETE ON earlier_settings BEGIN
  SELECT RAISE(ABORT, 'earlier_settings: final');
END;
