ALTER TABLE `chat_settings` ADD `staff_shown_as` text DEFAULT 'both' NOT NULL CHECK (`staff_shown_as` IN ('both', 'name', 'team'));
