CREATE TABLE `sale_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient` text NOT NULL,
	`document_id` text,
	`content` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`done_at` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	CONSTRAINT "sale_outbox_kind" CHECK("sale_outbox"."kind" IN ('mail', 'card'))
);
--> statement-breakpoint
CREATE INDEX `sale_outbox_due` ON `sale_outbox` (`due_at`) WHERE done_at IS NULL;--> statement-breakpoint
CREATE INDEX `sale_outbox_document` ON `sale_outbox` (`document_id`) WHERE document_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `holds_active` ON `holds` (`until`,`customer_id`) WHERE state = 'active' AND customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `quotes_open` ON `quotes` (`valid_until`,`chat_id`) WHERE state = 'sent';--> statement-breakpoint
CREATE INDEX `quotes_accepted` ON `quotes` (`state`,`chat_id`) WHERE state = 'accepted' AND document_id IS NULL;--> statement-breakpoint
CREATE INDEX `expenses_taxed` ON `expenses` (`created_at`) WHERE tax_cents <> 0;
