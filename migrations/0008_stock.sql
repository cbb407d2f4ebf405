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
-- write to products. 0 is out of stock, 1 low (app/features/catalogue/stock/levels.ts), 2 enough.
INSERT INTO `stock_counts` (`category`, `level`, `products`)
SELECT `category`, CASE WHEN `stock` = 0 THEN 0 WHEN `stock` <= 5 THEN 1 ELSE 2 END AS `lvl`, count(*)
FROM `products` GROUP BY `category`, `lvl`;
--> statement-breakpoint
CREATE TRIGGER `products_stocked_insert` AFTER INSERT ON `products` BEGIN
  INSERT INTO `stock_counts` (`category`, `level`, `products`)
  VALUES (NEW.`category`, CASE WHEN NEW.`stock` = 0 THEN 0 WHEN NEW.`stock` <= 5 THEN 1 ELSE 2 END, 1)
    ON CONFLICT (`category`, `level`) DO UPDATE SET `products` = `products` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `products_stocked_delete` AFTER DELETE ON `products` BEGIN
  UPDATE `stock_counts` SET `products` = `products` - 1
  WHERE `category` = OLD.`category` AND `level` = CASE WHEN OLD.`stock` = 0 THEN 0 WHEN OLD.`stock` <= 5 THEN 1 ELSE 2 END;
END;
--> statement-breakpoint
CREATE TRIGGER `products_stocked_update` AFTER UPDATE OF `stock`, `category` ON `products`
WHEN OLD.`category` <> NEW.`category` OR OLD.`stock` <> NEW.`stock` BEGIN
  UPDATE `stock_counts` SET `products` = `products` - 1
  WHERE `category` = OLD.`category` AND `level` = CASE WHEN OLD.`stock` = 0 THEN 0 WHEN OLD.`stock` <= 5 THEN 1 ELSE 2 END;
  INSERT INTO `stock_counts` (`category`, `level`, `products`)
  VALUES (NEW.`category`, CASE WHEN NEW.`stock` = 0 THEN 0 WHEN NEW.`stock` <= 5 THEN 1 ELSE 2 END, 1)
    ON CONFLICT (`category`, `level`) DO UPDATE SET `products` = `products` + 1;
END;
