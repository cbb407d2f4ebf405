-- How many products each category holds, kept in the same transaction as every write to products.
CREATE TRIGGER `products_counted_insert` AFTER INSERT ON `products` BEGIN
  INSERT INTO `category_counts` (`category`, `products`) VALUES (NEW.`category`, 1)
    ON CONFLICT (`category`) DO UPDATE SET `products` = `products` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `products_counted_delete` AFTER DELETE ON `products` BEGIN
  UPDATE `category_counts` SET `products` = `products` - 1 WHERE `category` = OLD.`category`;
END;
--> statement-breakpoint
CREATE TRIGGER `products_counted_update` AFTER UPDATE OF `category` ON `products` WHEN OLD.`category` <> NEW.`category` BEGIN
  UPDATE `category_counts` SET `products` = `products` - 1 WHERE `category` = OLD.`category`;
  INSERT INTO `category_counts` (`category`, `products`) VALUES (NEW.`category`, 1)
    ON CONFLICT (`category`) DO UPDATE SET `products` = `products` + 1;
END;
