CREATE TABLE `deposit_sums` (
	`unit` text NOT NULL,
	`period` text NOT NULL,
	`business_type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`unit`, `period`, `business_type`)
);
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0109-deposits-of-a-day.md). A deposit is held until it is paid back or counts towards a document.
-- All payments of a quote are summed under the business of its first one, a deposit: those that count towards a document have the document's.
INSERT INTO deposit_sums (unit, period, business_type, amount_cents)
SELECT unit.value, CASE unit.value WHEN 'day' THEN day WHEN 'month' THEN substr(day, 1, 7) WHEN 'year' THEN substr(day, 1, 4) ELSE 'all' END AS period,
  (SELECT f.business_type FROM payments AS f WHERE f.quote_id = p.quote_id ORDER BY f.row LIMIT 1) AS business,
  sum(iif(document_id IS NULL, amount_cents, -amount_cents))
FROM payments AS p, json_each('["day","month","year","all"]') AS unit WHERE quote_id IS NOT NULL GROUP BY unit.value, period, business;
--> statement-breakpoint
CREATE TRIGGER payments_deposited AFTER INSERT ON payments WHEN new.quote_id IS NOT NULL BEGIN
  INSERT INTO deposit_sums (unit, period, business_type, amount_cents)
  SELECT of.key, of.value, (SELECT business_type FROM payments WHERE quote_id = new.quote_id ORDER BY row LIMIT 1),
    iif(new.document_id IS NULL, new.amount_cents, -new.amount_cents)
  FROM json_each(json_object('day', new.day, 'month', substr(new.day, 1, 7), 'year', substr(new.day, 1, 4), 'all', 'all')) AS of WHERE true
  ON CONFLICT DO UPDATE SET amount_cents = amount_cents + excluded.amount_cents;
END;
