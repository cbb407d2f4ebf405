CREATE TABLE `stock_counts` (
	`category` text NOT NULL,
	`level` integer NOT NULL,
	`products` integer NOT NULL,
	PRIMARY KEY(`category`, `level`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `products_low` ON `products` (`name_key`,`id`) WHERE stock BETWEEN 1 AND 5;--> statement-breakpoint
CREATE INDEX `products_out` ON `products` (`name_key`,`id`) WHERE stock = 0;--> statement-breakpoint
-- Written by hand from here on: how many products are at each level of stock, kept in the same transaction as every
-- write to products. 0 is out of stock, 1 low (app/features/catalogue/stock/levels.ts), 2 enough. iif() instead of
-- CASE in triggers: D1's API takes the first END for the trigger's own.
INSERT INTO `stock_counts` (`category`, `level`, `products`)
SELECT `category`, CASE WHEN `stock` = 0 THEN 0 WHEN `stock` <= 5 THEN 1 ELSE 2 END AS `lvl`, count(*)
FROM `products` GROUP BY `category`, `lvl`;
--> statement-breakpoint
CREATE TRIGGER `products_stocked_insert` AFTER INSERT ON `products` BEGIN
  INSERT INTO `stock_counts` (`category`, `level`, `products`)
  VALUES (NEW.`category`, iif(NEW.`stock` = 0, 0, iif(NEW.`stock` <= 5, 1, 2)), 1)
    ON CONFLICT (`category`, `level`) DO UPDATE SET `products` = `products` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `products_stocked_delete` AFTER DELETE ON `products` BEGIN
  UPDATE `stock_counts` SET `products` = `products` - 1
  WHERE `category` = OLD.`category` AND `level` = iif(OLD.`stock` = 0, 0, iif(OLD.`stock` <= 5, 1, 2));
END;
--> statement-breakpoint
CREATE TRIGGER `products_stocked_update` AFTER UPDATE OF `stock`, `category` ON `products`
WHEN OLD.`category` <> NEW.`category` OR OLD.`stock` <> NEW.`stock` BEGIN
  UPDATE `stock_counts` SET `products` = `products` - 1
  WHERE `category` = OLD.`category` AND `level` = iif(OLD.`stock` = 0, 0, iif(OLD.`stock` <= 5, 1, 2));
  INSERT INTO `stock_counts` (`category`, `level`, `products`)
  VALUES (NEW.`category`, iif(NEW.`stock` = 0, 0, iif(NEW.`stock` <= 5, 1, 2)), 1)
    ON CONFLICT (`category`, `level`) DO UPDATE SET `products` = `products` + 1;
END;
