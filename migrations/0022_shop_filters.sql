-- Written by hand (docs/decisions/0028-shop-filters.md). `stock > held` and the price band are repeated word for word in
-- app/features/catalogue/shop.queries.server.ts: SQLite uses an index on an expression only for the same expression.
-- Triggers have iif() instead of CASE: D1's API takes the first END for the trigger's own.
CREATE INDEX products_available_default ON products ((stock > held), created_at, id);
--> statement-breakpoint
CREATE INDEX products_category_available_default ON products (category, (stock > held), created_at, id);
--> statement-breakpoint
CREATE INDEX products_available_price ON products ((stock > held), price_cents, id);
--> statement-breakpoint
CREATE INDEX products_category_available_price ON products (category, (stock > held), price_cents, id);
--> statement-breakpoint
CREATE INDEX products_band_default ON products ((stock > held), (CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), created_at, id);
--> statement-breakpoint
CREATE INDEX products_band_name ON products ((CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), name_key, id);
--> statement-breakpoint
CREATE INDEX products_category_band_default ON products (category, (stock > held), (CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), created_at, id);
--> statement-breakpoint
CREATE INDEX products_category_band_name ON products (category, (CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END), name_key, id);
--> statement-breakpoint
-- Products by price, in all ('') and by category: level 3 counts each price, 2 each band (the first two digits), 1 the first
-- digit, 0 the number of digits.
CREATE TABLE price_counts (
  category text NOT NULL,
  level integer NOT NULL,
  bucket integer NOT NULL,
  products integer NOT NULL,
  available integer NOT NULL,
  PRIMARY KEY (category, level, bucket)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO price_counts (category, level, bucket, products, available)
SELECT scope.value, digits.key, digits.value, count(*), sum(p.stock > p.held)
FROM (SELECT category, price_cents, stock, held, CASE WHEN price_cents < 100 THEN price_cents WHEN price_cents < 1000 THEN 100 + price_cents / 10 WHEN price_cents < 10000 THEN 200 + price_cents / 100 WHEN price_cents < 100000 THEN 300 + price_cents / 1000 WHEN price_cents < 1000000 THEN 400 + price_cents / 10000 WHEN price_cents < 10000000 THEN 500 + price_cents / 100000 WHEN price_cents < 100000000 THEN 600 + price_cents / 1000000 WHEN price_cents < 1000000000 THEN 700 + price_cents / 10000000 ELSE 800 + price_cents / 100000000 END AS band FROM products) AS p
CROSS JOIN json_each(json_array('', p.category)) AS scope
CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, p.price_cents)) AS digits
GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER products_priced_insert AFTER INSERT ON products BEGIN
  INSERT INTO price_counts (category, level, bucket, products, available)
    SELECT scope.value, digits.key, digits.value, 1, new.stock > new.held
    FROM (SELECT iif(new.price_cents < 100, new.price_cents, iif(new.price_cents < 1000, 100 + new.price_cents / 10, iif(new.price_cents < 10000, 200 + new.price_cents / 100,
      iif(new.price_cents < 100000, 300 + new.price_cents / 1000, iif(new.price_cents < 1000000, 400 + new.price_cents / 10000, iif(new.price_cents < 10000000, 500 + new.price_cents / 100000,
      iif(new.price_cents < 100000000, 600 + new.price_cents / 1000000, iif(new.price_cents < 1000000000, 700 + new.price_cents / 10000000, 800 + new.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', new.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, new.price_cents)) AS digits WHERE true
    ON CONFLICT DO UPDATE SET products = products + 1, available = available + excluded.available;
END;
--> statement-breakpoint
CREATE TRIGGER products_priced_delete AFTER DELETE ON products BEGIN
  UPDATE price_counts SET products = products - 1, available = available - (old.stock > old.held)
  WHERE (category, level, bucket) IN (SELECT scope.value, digits.key, digits.value
    FROM (SELECT iif(old.price_cents < 100, old.price_cents, iif(old.price_cents < 1000, 100 + old.price_cents / 10, iif(old.price_cents < 10000, 200 + old.price_cents / 100,
      iif(old.price_cents < 100000, 300 + old.price_cents / 1000, iif(old.price_cents < 1000000, 400 + old.price_cents / 10000, iif(old.price_cents < 10000000, 500 + old.price_cents / 100000,
      iif(old.price_cents < 100000000, 600 + old.price_cents / 1000000, iif(old.price_cents < 1000000000, 700 + old.price_cents / 10000000, 800 + old.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', old.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, old.price_cents)) AS digits);
  DELETE FROM price_counts WHERE products = 0 AND (category, level, bucket) IN (VALUES ('', 3, old.price_cents), (old.category, 3, old.price_cents));
END;
--> statement-breakpoint
CREATE TRIGGER products_priced_update AFTER UPDATE OF price_cents, category, stock, held ON products
WHEN old.price_cents <> new.price_cents OR old.category <> new.category OR (old.stock > old.held) <> (new.stock > new.held) BEGIN
  UPDATE price_counts SET products = products - 1, available = available - (old.stock > old.held)
  WHERE (category, level, bucket) IN (SELECT scope.value, digits.key, digits.value
    FROM (SELECT iif(old.price_cents < 100, old.price_cents, iif(old.price_cents < 1000, 100 + old.price_cents / 10, iif(old.price_cents < 10000, 200 + old.price_cents / 100,
      iif(old.price_cents < 100000, 300 + old.price_cents / 1000, iif(old.price_cents < 1000000, 400 + old.price_cents / 10000, iif(old.price_cents < 10000000, 500 + old.price_cents / 100000,
      iif(old.price_cents < 100000000, 600 + old.price_cents / 1000000, iif(old.price_cents < 1000000000, 700 + old.price_cents / 10000000, 800 + old.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', old.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, old.price_cents)) AS digits);
  DELETE FROM price_counts WHERE products = 0 AND (category, level, bucket) IN (VALUES ('', 3, old.price_cents), (old.category, 3, old.price_cents));
  INSERT INTO price_counts (category, level, bucket, products, available)
    SELECT scope.value, digits.key, digits.value, 1, new.stock > new.held
    FROM (SELECT iif(new.price_cents < 100, new.price_cents, iif(new.price_cents < 1000, 100 + new.price_cents / 10, iif(new.price_cents < 10000, 200 + new.price_cents / 100,
      iif(new.price_cents < 100000, 300 + new.price_cents / 1000, iif(new.price_cents < 1000000, 400 + new.price_cents / 10000, iif(new.price_cents < 10000000, 500 + new.price_cents / 100000,
      iif(new.price_cents < 100000000, 600 + new.price_cents / 1000000, iif(new.price_cents < 1000000000, 700 + new.price_cents / 10000000, 800 + new.price_cents / 100000000)))))))) AS band) AS p
    CROSS JOIN json_each(json_array('', new.category)) AS scope
    CROSS JOIN json_each(json_array(p.band / 100, p.band / 10, p.band, new.price_cents)) AS digits WHERE true
    ON CONFLICT DO UPDATE SET products = products + 1, available = available + excluded.available;
END;
--> statement-breakpoint
-- Favourites of accounts; visitors keep theirs in a cookie.
CREATE TABLE favourites (
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  product_id text NOT NULL,
  created_at integer NOT NULL,
  PRIMARY KEY (user_id, product_id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX favourites_product ON favourites (product_id);
--> statement-breakpoint
CREATE TRIGGER favourites_of_deleted AFTER DELETE ON products BEGIN
  DELETE FROM favourites WHERE product_id = old.id;
END;
