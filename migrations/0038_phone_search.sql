-- Search also finds customers by the digits of their phone number, however it is written.
DROP TRIGGER customers_indexed;
--> statement-breakpoint
DROP TRIGGER customers_reindexed;
--> statement-breakpoint
CREATE TRIGGER customers_indexed AFTER INSERT ON customers BEGIN
  UPDATE customer_counts SET customers = customers + 1 WHERE one = 1;
  INSERT INTO customer_search (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key,
    new.phone_number || ' ' || replace(replace(replace(replace(replace(replace(replace(
      new.phone_number, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', ''), '+', ''));
  INSERT INTO customer_starts (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
END;
--> statement-breakpoint
CREATE TRIGGER customers_reindexed AFTER UPDATE OF name_key, email_key, phone_number ON customers BEGIN
  DELETE FROM customer_search WHERE rowid = old.row;
  DELETE FROM customer_starts WHERE rowid = old.row;
  INSERT INTO customer_search (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key,
    new.phone_number || ' ' || replace(replace(replace(replace(replace(replace(replace(
      new.phone_number, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', ''), '+', ''));
  INSERT INTO customer_starts (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
END;
--> statement-breakpoint
UPDATE customers SET phone_number = phone_number WHERE phone_number <> '';
