CREATE INDEX `holds_unlinked` ON `holds` (`until`) WHERE state = 'active' AND customer_id IS NULL;--> statement-breakpoint
CREATE INDEX `quotes_sent_unlinked` ON `quotes` (`valid_until`) WHERE state = 'sent' AND customer_id IS NULL;--> statement-breakpoint
CREATE INDEX `quotes_unsold_unlinked` ON `quotes` (`created_at`) WHERE state = 'accepted' AND document_id IS NULL AND customer_id IS NULL;