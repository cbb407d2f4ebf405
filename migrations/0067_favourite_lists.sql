-- Favourites in one row for each account and visitor, in the order of adding: every page of the shop shows their number.
CREATE TABLE `favourite_lists` (
	`owner` text PRIMARY KEY NOT NULL,
	`ids` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO favourite_lists (owner, ids)
SELECT user_id, json_group_array(product_id)
FROM (SELECT user_id, product_id FROM favourites ORDER BY user_id, created_at, product_id DESC) GROUP BY user_id;
--> statement-breakpoint
INSERT INTO favourite_lists (owner, ids)
SELECT visitor, json_group_array(product_id)
FROM (SELECT visitor, product_id FROM visitor_favourites ORDER BY visitor, row) GROUP BY visitor;
--> statement-breakpoint
CREATE TRIGGER favourites_listed AFTER INSERT ON favourites BEGIN
  INSERT INTO favourite_lists (owner, ids) VALUES (new.user_id, json_array(new.product_id))
    ON CONFLICT DO UPDATE SET ids = json_insert(ids, '$[#]', new.product_id);
END;
--> statement-breakpoint
CREATE TRIGGER favourites_unlisted AFTER DELETE ON favourites BEGIN
  UPDATE favourite_lists SET ids = (SELECT json_group_array(value) FROM json_each(ids) WHERE value <> old.product_id)
  WHERE owner = old.user_id;
  DELETE FROM favourite_lists WHERE owner = old.user_id AND ids = '[]';
END;
--> statement-breakpoint
CREATE TRIGGER visitor_favourites_listed AFTER INSERT ON visitor_favourites BEGIN
  INSERT INTO favourite_lists (owner, ids) VALUES (new.visitor, json_array(new.product_id))
    ON CONFLICT DO UPDATE SET ids = json_insert(ids, '$[#]', new.product_id);
END;
--> statement-breakpoint
CREATE TRIGGER visitor_favourites_unlisted AFTER DELETE ON visitor_favourites BEGIN
  UPDATE favourite_lists SET ids = (SELECT json_group_array(value) FROM json_each(ids) WHERE value <> old.product_id)
  WHERE owner = old.visitor;
  DELETE FROM favourite_lists WHERE owner = old.visitor AND ids = '[]';
END;
