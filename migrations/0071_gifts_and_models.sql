-- Occasions mean what can be engraved, names of phones mean phones. A holder of a phone is no stand of a laptop.
DELETE FROM search_synonyms WHERE word = 'phone holder' AND meaning = 'stand';
--> statement-breakpoint
INSERT INTO search_synonyms (word, meaning, both_ways) VALUES
  ('gift', 'engraving', 0),
  ('present', 'engraving', 0),
  ('birthday', 'engraving', 0),
  ('wedding', 'engraving', 0),
  ('christmas', 'engraving', 0),
  ('xmas', 'engraving', 0),
  ('anniversary', 'engraving', 0),
  ('valentine', 'engraving', 0),
  ('graduation', 'engraving', 0),
  ('housewarming', 'engraving', 0),
  ('retirement', 'engraving', 0),
  ('iphone', 'phone', 0),
  ('android', 'phone', 0),
  ('samsung', 'phone', 0),
  ('galaxy', 'phone', 0),
  ('pixel', 'phone', 0),
  ('phone holder', 'phone stand', 1),
  ('phone holder', 'charging stand', 0),
  ('phone stand', 'mount', 0),
  ('neckless', 'necklace', 0),
  ('neckles', 'necklace', 0)
ON CONFLICT DO NOTHING;
