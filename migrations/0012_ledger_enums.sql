-- Enumerations of the ledger, checked by triggers (docs/decisions/0021-enumerations-checked-by-triggers.md).
CREATE TRIGGER invoices_enums_insert BEFORE INSERT ON invoices
WHEN NOT (
  new.business_type IN ('EMPORIA', 'LASER')
  AND new.category IN ('PHONE_CASE', 'COMPUTER_ACCESSORY', 'PHONE_ACCESSORY', 'CAR_ACCESSORY', 'JEWELRY', 'HEALTH_AND_BEAUTY', 'HOME_DECOR', 'ENGRAVING', 'OTHERS')
  AND new.payment_mode IN ('CASH', 'EMT', 'CARD')
) BEGIN
  SELECT RAISE(ABORT, 'invoices: unknown enumeration value');
END;
--> statement-breakpoint
CREATE TRIGGER invoices_enums_update BEFORE UPDATE OF business_type, category, payment_mode ON invoices
WHEN NOT (
  new.business_type IN ('EMPORIA', 'LASER')
  AND new.category IN ('PHONE_CASE', 'COMPUTER_ACCESSORY', 'PHONE_ACCESSORY', 'CAR_ACCESSORY', 'JEWELRY', 'HEALTH_AND_BEAUTY', 'HOME_DECOR', 'ENGRAVING', 'OTHERS')
  AND new.payment_mode IN ('CASH', 'EMT', 'CARD')
) BEGIN
  SELECT RAISE(ABORT, 'invoices: unknown enumeration value');
END;
--> statement-breakpoint
CREATE TRIGGER expenses_enums_insert BEFORE INSERT ON expenses
WHEN NOT (
  new.business_type IN ('EMPORIA', 'LASER')
  AND new.expense_type IN ('SHIPPING', 'PURCHASE', 'IMPORT', 'VENDOR', 'MARKETING', 'ADVERTISEMENT', 'PLATFORM', 'TAXI', 'MISC', 'OTHERS')
) BEGIN
  SELECT RAISE(ABORT, 'expenses: unknown enumeration value');
END;
--> statement-breakpoint
CREATE TRIGGER expenses_enums_update BEFORE UPDATE OF business_type, expense_type ON expenses
WHEN NOT (
  new.business_type IN ('EMPORIA', 'LASER')
  AND new.expense_type IN ('SHIPPING', 'PURCHASE', 'IMPORT', 'VENDOR', 'MARKETING', 'ADVERTISEMENT', 'PLATFORM', 'TAXI', 'MISC', 'OTHERS')
) BEGIN
  SELECT RAISE(ABORT, 'expenses: unknown enumeration value');
END;
--> statement-breakpoint
CREATE TRIGGER deleted_entries_enums_insert BEFORE INSERT ON deleted_entries
WHEN NOT (
  new.kind IN ('invoice', 'expense')
) BEGIN
  SELECT RAISE(ABORT, 'deleted_entries: unknown enumeration value');
END;
--> statement-breakpoint
CREATE TRIGGER deleted_entries_enums_update BEFORE UPDATE OF kind ON deleted_entries
WHEN NOT (
  new.kind IN ('invoice', 'expense')
) BEGIN
  SELECT RAISE(ABORT, 'deleted_entries: unknown enumeration value');
END;
