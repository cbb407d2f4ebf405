CREATE TABLE `deposit_sums` (
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`business_type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`unit`, `period`, `business_type`)
);
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0109-deposits-of-a-day.md). A deposit is held until it is paid back or counts towards a document.
INSERT INTO deposit_sums (unit, period, business_type, amount_cents)
SELECT unit.value, CASE unit.value WHEN 'day' THEN day WHEN 'month' THEN substr(day, 1, 7) WHEN 'year' THEN substr(day, 1, 4) ELSE 'all' END AS period,
  business_type, sum(iif(document_id IS NULL, amount_cents, -amount_cents))
FROM payments, json_each('["day","month","year","all"]') AS unit WHERE quote_id IS NOT NULL GROUP BY unit.value, period, business_type;
--> statement-breakpoint
CREATE TRIGGER payments_deposited AFTER INSERT ON payments WHEN new.quote_id IS NOT NULL BEGIN
  INSERT INTO deposit_sums (unit, period, business_type, amount_cents)
  SELECT of.key, of.value, new.business_type, iif(new.document_id IS NULL, new.amount_cents, -new.amount_cents)
  FROM json_each(json_object('day', new.day, 'month', substr(new.day, 1, 7), 'year', substr(new.day, 1, 4), 'all', 'all')) AS of WHERE true
  ON CONFLICT DO UPDATE SET amount_cents = amount_cents + excluded.amount_cents;
END;
