CREATE TABLE `discount_sums` (
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`business_type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`unit`, `period`, `business_type`)
);
--> statement-breakpoint
ALTER TABLE `drawers` ADD `closed_sums` text;--> statement-breakpoint
ALTER TABLE `drawers` ADD `closed_expenses_cents` integer;--> statement-breakpoint
ALTER TABLE `quotes` ADD `deposit_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `quotes_deposit` ON `quotes` (`valid_until`,`deposit_cents`) WHERE deposit_cents > 0;--> statement-breakpoint
CREATE INDEX `payments_day` ON `payments` (`day`);
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0098-payments-of-a-period.md). Deposits that are held, known to their quote.
UPDATE quotes SET deposit_cents = (SELECT sum(iif(document_id IS NULL, amount_cents, -amount_cents)) FROM payments WHERE quote_id = quotes.id)
WHERE id IN (SELECT quote_id FROM payments WHERE quote_id IS NOT NULL);
--> statement-breakpoint
CREATE TRIGGER payments_held AFTER INSERT ON payments WHEN new.quote_id IS NOT NULL BEGIN
  UPDATE quotes SET deposit_cents = deposit_cents + iif(new.document_id IS NULL, new.amount_cents, -new.amount_cents)
  WHERE id = new.quote_id;
END;
--> statement-breakpoint
-- Discounts by period: a document states its own, a credit note a negative one.
INSERT INTO discount_sums (unit, period, business_type, amount_cents)
SELECT unit.value, CASE unit.value WHEN 'day' THEN day WHEN 'month' THEN substr(day, 1, 7) WHEN 'year' THEN substr(day, 1, 4) ELSE 'all' END AS period,
  business_type, sum(discount_cents)
FROM documents, json_each('["day","month","year","all"]') AS unit WHERE discount_cents <> 0 GROUP BY unit.value, period, business_type;
--> statement-breakpoint
CREATE TRIGGER documents_discounted AFTER INSERT ON documents WHEN new.discount_cents <> 0 BEGIN
  INSERT INTO discount_sums (unit, period, business_type, amount_cents)
  VALUES ('day', new.day, new.business_type, new.discount_cents), ('month', substr(new.day, 1, 7), new.business_type, new.discount_cents),
    ('year', substr(new.day, 1, 4), new.business_type, new.discount_cents), ('all', 'all', new.business_type, new.discount_cents)
  ON CONFLICT DO UPDATE SET amount_cents = amount_cents + excluded.amount_cents;
END;
