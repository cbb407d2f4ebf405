-- What shoppers mean by a plug alone is its cable: "usbc" found the hub first. Other products with the plug stay among the
-- matches.
INSERT INTO search_synonyms (word, meaning, both_ways) VALUES
  ('usb c', 'usb c cable', 0),
  ('type c', 'usb c', 0)
ON CONFLICT DO NOTHING;
