-- Words with the same meaning in a search, in both directions: lower case, without diacritics, separated by one space.
CREATE TABLE `search_synonyms` (
	`word` text NOT NULL,
	`meaning` text NOT NULL,
	PRIMARY KEY(`word`, `meaning`)
);
--> statement-breakpoint
CREATE INDEX `search_synonyms_meaning` ON `search_synonyms` (`meaning`,`word`);--> statement-breakpoint
INSERT INTO search_synonyms (word, meaning) VALUES
  ('earphones', 'earbuds'),
  ('headphones', 'earbuds'),
  ('phone holder', 'stand'),
  ('phone holder', 'mount'),
  ('laptop holder', 'laptop stand'),
  ('purse', 'wallet'),
  ('keychain', 'key tag'),
  ('keyring', 'key tag'),
  ('hat', 'beanie'),
  ('water bottle', 'bottle');
