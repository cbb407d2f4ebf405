-- A name on a thing is engraved: "gift with a name" missed what can be, and called it "no name".
INSERT INTO search_synonyms (word, meaning, both_ways) VALUES
  ('name', 'engraving', 0),
  ('names', 'engraving', 0),
  ('name', 'monogram', 0),
  ('name', 'initials', 0)
ON CONFLICT DO NOTHING;
