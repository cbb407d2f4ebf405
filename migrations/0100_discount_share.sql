ALTER TABLE `document_lines` ADD `discount_basis_points` integer;
--> statement-breakpoint
-- Written by hand from here on (docs/decisions/0074-discounts-and-corrections.md).
CREATE TRIGGER document_lines_share_final BEFORE UPDATE OF discount_basis_points ON document_lines BEGIN
  SELECT RAISE(ABORT, 'document_lines: final');
END;
