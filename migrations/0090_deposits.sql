-- Deposits (docs/decisions/0080-payments.md). None is dated in a closed month; what is paid with a document has its day, and is refused with it.
CREATE TRIGGER payments_closed BEFORE INSERT ON payments WHEN new.document_id IS NULL BEGIN
  SELECT RAISE(ABORT, 'ledger: closed ' || c.business_type || ' ' || c.until || ' ' || c.closed_at || ' ' || c.closed_by)
  FROM closings AS c WHERE c.business_type = new.business_type AND c.reopened_at IS NULL AND c.until >= new.day ORDER BY c.until DESC LIMIT 1;
END;
--> statement-breakpoint
-- A deletion of personal data waits until the deposits of its quotes are settled.
CREATE TRIGGER quotes_settled_delete BEFORE DELETE ON quotes BEGIN
  SELECT RAISE(ABORT, 'quotes: deposit')
  WHERE coalesce((SELECT sum(iif(document_id IS NULL, amount_cents, -amount_cents)) FROM payments WHERE quote_id = old.id), 0) <> 0;
END;
