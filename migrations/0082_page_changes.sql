-- What cached pages do not show yet (docs/decisions/0067-shared-cache.md).
CREATE TABLE `page_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`product_id` text NOT NULL,
	`category` text NOT NULL,
	`is_everywhere` integer NOT NULL
);

--> statement-breakpoint
CREATE TRIGGER pages_product_changed AFTER UPDATE ON products
WHEN old.name <> new.name OR old.description <> new.description OR old.price_cents <> new.price_cents OR old.stock <> new.stock OR old.category <> new.category OR old.colors <> new.colors OR old.has_engraving <> new.has_engraving OR old.image_urls <> new.image_urls OR old.option_label <> new.option_label OR old.plates <> new.plates OR old.image_alts <> new.image_alts OR old.held <> new.held BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere)
  VALUES (new.id, new.category, old.category <> new.category OR old.image_urls <> new.image_urls);
END;
--> statement-breakpoint
CREATE TRIGGER pages_product_added AFTER INSERT ON products BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES (new.id, new.category, 1);
END;
--> statement-breakpoint
CREATE TRIGGER pages_product_deleted AFTER DELETE ON products BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES (old.id, old.category, 1);
END;
--> statement-breakpoint
CREATE TRIGGER pages_synonym_added AFTER INSERT ON search_synonyms BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES ('', '', 1);
END;
--> statement-breakpoint
CREATE TRIGGER pages_synonym_changed AFTER UPDATE ON search_synonyms BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES ('', '', 1);
END;
--> statement-breakpoint
CREATE TRIGGER pages_synonym_deleted AFTER DELETE ON search_synonyms BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere) VALUES ('', '', 1);
END;
