-- Search finds customers by the digits of their phone number, whatever stands between them and however wide they are.
DROP TRIGGER customers_indexed;
--> statement-breakpoint
DROP TRIGGER customers_reindexed;
--> statement-breakpoint
CREATE TRIGGER customers_indexed AFTER INSERT ON customers BEGIN
  UPDATE customer_counts SET customers = customers + 1 WHERE one = 1;
  INSERT INTO customer_search (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key,
    new.phone_number || ' ' || coalesce((SELECT group_concat((place - 1) % 10, '')
      FROM (SELECT instr('0123456789０１２３４５６７８９٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९⁰¹²³⁴⁵⁶⁷⁸⁹', substr(new.phone_number, key + 1, 1)) AS place
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(new.phone_number))), '00', '0,'), ',') || ']'))
      WHERE place > 0), ''));
  INSERT INTO customer_starts (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
END;
--> statement-breakpoint
CREATE TRIGGER customers_reindexed AFTER UPDATE OF name_key, email_key, phone_number ON customers BEGIN
  DELETE FROM customer_search WHERE rowid = old.row;
  DELETE FROM customer_starts WHERE rowid = old.row;
  INSERT INTO customer_search (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key,
    new.phone_number || ' ' || coalesce((SELECT group_concat((place - 1) % 10, '')
      FROM (SELECT instr('0123456789０１２３４５６７８９٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९⁰¹²³⁴⁵⁶⁷⁸⁹', substr(new.phone_number, key + 1, 1)) AS place
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(new.phone_number))), '00', '0,'), ',') || ']'))
      WHERE place > 0), ''));
  INSERT INTO customer_starts (rowid, name, email, phone) VALUES (new.row, new.name_key, new.email_key, new.phone_number);
END;
--> statement-breakpoint
UPDATE customers SET phone_number = phone_number WHERE phone_number GLOB '*[^ -~]*';
