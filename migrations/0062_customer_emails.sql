CREATE TABLE `customer_emails` (
	`email_key` text PRIMARY KEY NOT NULL,
	`customers` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `customer_emails_shared` ON `customer_emails` (`email_key`) WHERE customers > 1;--> statement-breakpoint
INSERT INTO customer_emails (email_key, customers) SELECT email_key, count(*) FROM customers WHERE email_key <> '' GROUP BY email_key;
--> statement-breakpoint
CREATE TRIGGER customer_emails_added AFTER INSERT ON customers WHEN new.email_key <> '' BEGIN
  INSERT INTO customer_emails (email_key, customers) VALUES (new.email_key, 1)
    ON CONFLICT (email_key) DO UPDATE SET customers = customers + 1;
END;
--> statement-breakpoint
CREATE TRIGGER customer_emails_removed AFTER DELETE ON customers WHEN old.email_key <> '' BEGIN
  UPDATE customer_emails SET customers = customers - 1 WHERE email_key = old.email_key;
  DELETE FROM customer_emails WHERE email_key = old.email_key AND customers = 0;
END;
--> statement-breakpoint
CREATE TRIGGER customer_emails_changed AFTER UPDATE OF email_key ON customers WHEN old.email_key <> new.email_key BEGIN
  UPDATE customer_emails SET customers = customers - 1 WHERE email_key = old.email_key;
  DELETE FROM customer_emails WHERE email_key = old.email_key AND customers = 0;
  INSERT INTO customer_emails (email_key, customers) SELECT new.email_key, 1 WHERE new.email_key <> ''
    ON CONFLICT (email_key) DO UPDATE SET customers = customers + 1;
END;
