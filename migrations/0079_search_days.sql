-- A cream is a thing beside what it is for, and else a colour. Days that are named after people are occasions, as a phrase and,
-- beside an apostrophe, in one word.
INSERT INTO search_synonyms (word, meaning, both_ways) VALUES
  ('skin cream', 'lotion', 0),
  ('skin cream', 'balm', 0),
  ('skin cream', 'serum', 0),
  ('body cream', 'lotion', 0),
  ('body cream', 'balm', 0),
  ('body lotion', 'lotion', 0),
  ('night cream', 'serum', 0),
  ('valentines day', 'engraving', 0),
  ('valentinesday', 'engraving', 0),
  ('mothers day', 'engraving', 0),
  ('mothersday', 'engraving', 0),
  ('fathers day', 'engraving', 0),
  ('fathersday', 'engraving', 0)
ON CONFLICT DO NOTHING;
