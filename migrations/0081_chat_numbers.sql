-- Visitors without a name are listed by a number, the last four letters or digits of the chat's id; a search finds them by it.
CREATE INDEX `chats_number` ON `chats` (upper(substr(replace(replace(id, '-', ''), '_', ''), -4))) WHERE lower(user_name) IN ('', 'new customer');
