CREATE TABLE `deleted_entries` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`content` text NOT NULL,
	`deleted_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deleted_entries_age` ON `deleted_entries` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `expense_days` (
	`day` text NOT NULL,
	`business_type` text NOT NULL,
	`expense_type` text NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`day`, `business_type`, `expense_type`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `expense_months` (
	`month` text PRIMARY KEY NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `expense_totals` (
	`business_type` text NOT NULL,
	`expense_type` text NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`business_type`, `expense_type`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `expenses` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`description` text NOT NULL,
	`description_key` text NOT NULL,
	`business_type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`day` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	`expense_type` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `expenses_id_unique` ON `expenses` (`id`);--> statement-breakpoint
CREATE INDEX `expenses_created` ON `expenses` (`created_at`);--> statement-breakpoint
CREATE INDEX `expenses_description` ON `expenses` (`description_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `expenses_type` ON `expenses` (`expense_type`,`created_at`);--> statement-breakpoint
CREATE INDEX `expenses_business` ON `expenses` (`business_type`,`created_at`);--> statement-breakpoint
CREATE INDEX `expenses_amount` ON `expenses` (`amount_cents`,`created_at`);--> statement-breakpoint
CREATE TABLE `invoices` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`description` text NOT NULL,
	`description_key` text NOT NULL,
	`business_type` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`day` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	`category` text NOT NULL,
	`quantity` integer NOT NULL,
	`payment_mode` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_id_unique` ON `invoices` (`id`);--> statement-breakpoint
CREATE INDEX `invoices_created` ON `invoices` (`created_at`);--> statement-breakpoint
CREATE INDEX `invoices_description` ON `invoices` (`description_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoices_category` ON `invoices` (`category`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoices_business` ON `invoices` (`business_type`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoices_payment` ON `invoices` (`payment_mode`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoices_quantity` ON `invoices` (`quantity`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoices_amount` ON `invoices` (`amount_cents`,`created_at`);--> statement-breakpoint
CREATE TABLE `sale_days` (
	`day` text NOT NULL,
	`business_type` text NOT NULL,
	`category` text NOT NULL,
	`payment_mode` text NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`day`, `business_type`, `category`, `payment_mode`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sale_months` (
	`month` text PRIMARY KEY NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`quantity` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sale_totals` (
	`business_type` text NOT NULL,
	`category` text NOT NULL,
	`payment_mode` text NOT NULL,
	`entries` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`business_type`, `category`, `payment_mode`)
) WITHOUT ROWID;
--> statement-breakpoint
-- Everything below is kept in the transaction of the write itself, so nothing that writes an entry needs to know.
-- Entries must not be written with INSERT OR REPLACE or OR IGNORE: the triggers would inherit it, and REPLACE fires no
-- delete trigger.
-- Contains, whatever the case: three characters or more (trigrams).
CREATE VIRTUAL TABLE invoice_search USING fts5(
  description, content = '', contentless_delete = 1,
  tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
-- One or two characters: the beginnings of words.
CREATE VIRTUAL TABLE invoice_starts USING fts5(
  description, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
-- Contains, whatever the case: three characters or more (trigrams).
CREATE VIRTUAL TABLE expense_search USING fts5(
  description, content = '', contentless_delete = 1,
  tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
-- One or two characters: the beginnings of words.
CREATE VIRTUAL TABLE expense_starts USING fts5(
  description, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);
--> statement-breakpoint
CREATE TRIGGER invoices_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO invoice_search (rowid, description) VALUES (new.row, new.description_key);
  INSERT INTO invoice_starts (rowid, description) VALUES (new.row, new.description_key);
  INSERT INTO sale_days (day, business_type, category, payment_mode, entries, amount_cents, quantity)
  VALUES (new.day, new.business_type, new.category, new.payment_mode, 1, new.amount_cents, new.quantity)
  ON CONFLICT (day, business_type, category, payment_mode) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents, quantity = quantity + excluded.quantity;
  INSERT INTO sale_months (month, entries, amount_cents, quantity)
  VALUES (substr(new.day, 1, 7), 1, new.amount_cents, new.quantity)
  ON CONFLICT (month) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents, quantity = quantity + excluded.quantity;
  INSERT INTO sale_totals (business_type, category, payment_mode, entries, amount_cents, quantity)
  VALUES (new.business_type, new.category, new.payment_mode, 1, new.amount_cents, new.quantity)
  ON CONFLICT (business_type, category, payment_mode) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents, quantity = quantity + excluded.quantity;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_delete AFTER DELETE ON invoices BEGIN
  DELETE FROM invoice_search WHERE rowid = old.row;
  DELETE FROM invoice_starts WHERE rowid = old.row;
  UPDATE sale_days SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents, quantity = quantity - old.quantity
  WHERE day = old.day AND business_type = old.business_type AND category = old.category AND payment_mode = old.payment_mode;
  UPDATE sale_months SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents, quantity = quantity - old.quantity
  WHERE month = substr(old.day, 1, 7);
  UPDATE sale_totals SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents, quantity = quantity - old.quantity
  WHERE business_type = old.business_type AND category = old.category AND payment_mode = old.payment_mode;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_sums AFTER UPDATE OF day, amount_cents, business_type, category, payment_mode, quantity ON invoices
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.business_type <> new.business_type OR old.category <> new.category OR old.payment_mode <> new.payment_mode OR old.quantity <> new.quantity BEGIN
  UPDATE sale_days SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents, quantity = quantity - old.quantity
  WHERE day = old.day AND business_type = old.business_type AND category = old.category AND payment_mode = old.payment_mode;
  UPDATE sale_months SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents, quantity = quantity - old.quantity
  WHERE month = substr(old.day, 1, 7);
  UPDATE sale_totals SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents, quantity = quantity - old.quantity
  WHERE business_type = old.business_type AND category = old.category AND payment_mode = old.payment_mode;
  INSERT INTO sale_days (day, business_type, category, payment_mode, entries, amount_cents, quantity)
  VALUES (new.day, new.business_type, new.category, new.payment_mode, 1, new.amount_cents, new.quantity)
  ON CONFLICT (day, business_type, category, payment_mode) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents, quantity = quantity + excluded.quantity;
  INSERT INTO sale_months (month, entries, amount_cents, quantity)
  VALUES (substr(new.day, 1, 7), 1, new.amount_cents, new.quantity)
  ON CONFLICT (month) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents, quantity = quantity + excluded.quantity;
  INSERT INTO sale_totals (business_type, category, payment_mode, entries, amount_cents, quantity)
  VALUES (new.business_type, new.category, new.payment_mode, 1, new.amount_cents, new.quantity)
  ON CONFLICT (business_type, category, payment_mode) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents, quantity = quantity + excluded.quantity;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_words AFTER UPDATE OF description_key ON invoices
WHEN old.description_key <> new.description_key BEGIN
  DELETE FROM invoice_search WHERE rowid = old.row;
  DELETE FROM invoice_starts WHERE rowid = old.row;
  INSERT INTO invoice_search (rowid, description) VALUES (new.row, new.description_key);
  INSERT INTO invoice_starts (rowid, description) VALUES (new.row, new.description_key);
END;
--> statement-breakpoint
CREATE TRIGGER expenses_insert AFTER INSERT ON expenses BEGIN
  INSERT INTO expense_search (rowid, description) VALUES (new.row, new.description_key);
  INSERT INTO expense_starts (rowid, description) VALUES (new.row, new.description_key);
  INSERT INTO expense_days (day, business_type, expense_type, entries, amount_cents)
  VALUES (new.day, new.business_type, new.expense_type, 1, new.amount_cents)
  ON CONFLICT (day, business_type, expense_type) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
  INSERT INTO expense_months (month, entries, amount_cents)
  VALUES (substr(new.day, 1, 7), 1, new.amount_cents)
  ON CONFLICT (month) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
  INSERT INTO expense_totals (business_type, expense_type, entries, amount_cents)
  VALUES (new.business_type, new.expense_type, 1, new.amount_cents)
  ON CONFLICT (business_type, expense_type) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_delete AFTER DELETE ON expenses BEGIN
  DELETE FROM expense_search WHERE rowid = old.row;
  DELETE FROM expense_starts WHERE rowid = old.row;
  UPDATE expense_days SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents
  WHERE day = old.day AND business_type = old.business_type AND expense_type = old.expense_type;
  UPDATE expense_months SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents
  WHERE month = substr(old.day, 1, 7);
  UPDATE expense_totals SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents
  WHERE business_type = old.business_type AND expense_type = old.expense_type;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_sums AFTER UPDATE OF day, amount_cents, business_type, expense_type ON expenses
WHEN old.day <> new.day OR old.amount_cents <> new.amount_cents OR old.business_type <> new.business_type OR old.expense_type <> new.expense_type BEGIN
  UPDATE expense_days SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents
  WHERE day = old.day AND business_type = old.business_type AND expense_type = old.expense_type;
  UPDATE expense_months SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents
  WHERE month = substr(old.day, 1, 7);
  UPDATE expense_totals SET entries = entries - 1, amount_cents = amount_cents - old.amount_cents
  WHERE business_type = old.business_type AND expense_type = old.expense_type;
  INSERT INTO expense_days (day, business_type, expense_type, entries, amount_cents)
  VALUES (new.day, new.business_type, new.expense_type, 1, new.amount_cents)
  ON CONFLICT (day, business_type, expense_type) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
  INSERT INTO expense_months (month, entries, amount_cents)
  VALUES (substr(new.day, 1, 7), 1, new.amount_cents)
  ON CONFLICT (month) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
  INSERT INTO expense_totals (business_type, expense_type, entries, amount_cents)
  VALUES (new.business_type, new.expense_type, 1, new.amount_cents)
  ON CONFLICT (business_type, expense_type) DO UPDATE SET entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
CREATE TRIGGER expenses_words AFTER UPDATE OF description_key ON expenses
WHEN old.description_key <> new.description_key BEGIN
  DELETE FROM expense_search WHERE rowid = old.row;
  DELETE FROM expense_starts WHERE rowid = old.row;
  INSERT INTO expense_search (rowid, description) VALUES (new.row, new.description_key);
  INSERT INTO expense_starts (rowid, description) VALUES (new.row, new.description_key);
END;
