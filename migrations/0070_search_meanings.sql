-- Words that a shopper uses for what the catalogue calls otherwise. both_ways is 0 where the meaning is one kind of the word:
-- "wooden" finds walnut, and "walnut" nothing else that is of wood.
ALTER TABLE `search_synonyms` ADD `both_ways` integer DEFAULT true NOT NULL CHECK (both_ways IN (0, 1));
--> statement-breakpoint
INSERT INTO search_synonyms (word, meaning, both_ways) VALUES
  ('cutting board', 'chopping board', 1),
  ('cutting board', 'serving board', 1),
  ('cutting board', 'charcuterie board', 1),
  ('cutting board', 'bread board', 1),
  ('chopping board', 'serving board', 1),
  ('chopping board', 'charcuterie board', 1),
  ('chopping board', 'bread board', 1),
  ('charcuterie board', 'serving board', 1),
  ('bread board', 'serving board', 1),
  ('wooden', 'wood', 1),
  ('aluminum', 'aluminium', 1),
  ('whiskey', 'whisky', 1),
  ('jewellery', 'jewelry', 1),
  ('smartphone', 'phone', 1),
  ('phone cover', 'phone case', 1),
  ('phone stand', 'phone dock', 1),
  ('portable charger', 'power bank', 1),
  ('battery pack', 'power bank', 1),
  ('screen protector', 'screen glass', 1),
  ('desk pad', 'desk mat', 1),
  ('monitor stand', 'monitor riser', 1),
  ('laptop case', 'laptop sleeve', 1),
  ('pillow', 'cushion', 1),
  ('throw pillow', 'cushion', 1),
  ('plant pot', 'planter', 1),
  ('flower pot', 'planter', 1),
  ('photo frame', 'picture frame', 1),
  ('tote bag', 'tote', 1),
  ('notepad', 'notebook', 1),
  ('journal', 'notebook', 1),
  ('toque', 'beanie', 1),
  ('windshield', 'windscreen', 1),
  ('sunshade', 'windscreen shade', 1),
  ('wristwatch', 'watch', 1),
  ('bangle', 'bracelet', 1),
  ('hand cream', 'hand balm', 1),
  ('chapstick', 'lip balm', 1),
  ('hand soap', 'hand wash', 1),
  ('pet tag', 'dog tag', 1),
  ('house sign', 'house plaque', 1),
  ('billfold', 'wallet', 1),
  ('brolly', 'umbrella', 1),
  ('key fob', 'key tag', 1),
  ('cutting board', 'cheese board', 0),
  ('chopping board', 'cheese board', 0),
  ('charcuterie board', 'cheese board', 0),
  ('bread board', 'cheese board', 0),
  ('serving tray', 'serving board', 0),
  ('platter', 'serving board', 0),
  ('wood', 'walnut', 0),
  ('wood', 'oak', 0),
  ('wood', 'beech', 0),
  ('wood', 'cedar', 0),
  ('wood', 'maple', 0),
  ('wood', 'bamboo', 0),
  ('wooden', 'walnut', 0),
  ('wooden', 'oak', 0),
  ('wooden', 'beech', 0),
  ('wooden', 'cedar', 0),
  ('wooden', 'maple', 0),
  ('wooden', 'bamboo', 0),
  ('metal', 'steel', 0),
  ('metal', 'brass', 0),
  ('metal', 'aluminium', 0),
  ('ceramic', 'stoneware', 0),
  ('ceramic', 'porcelain', 0),
  ('pottery', 'stoneware', 0),
  ('pottery', 'porcelain', 0),
  ('mobile', 'phone', 0),
  ('mobile phone', 'phone', 0),
  ('cell phone', 'phone', 0),
  ('airpods', 'earbuds', 0),
  ('headset', 'earbuds', 0),
  ('phone holder', 'phone dock', 0),
  ('phone stand', 'charging stand', 0),
  ('phone mount', 'mount', 0),
  ('pop socket', 'phone grip', 0),
  ('external battery', 'power bank', 0),
  ('charging cable', 'usb c cable', 0),
  ('charging cord', 'usb c cable', 0),
  ('charger cable', 'usb c cable', 0),
  ('phone cable', 'usb c cable', 0),
  ('tempered glass', 'screen glass', 0),
  ('mouse pad', 'desk mat', 0),
  ('ssd', 'solid state drive', 0),
  ('hard drive', 'solid state drive', 0),
  ('hard disk', 'solid state drive', 0),
  ('external drive', 'solid state drive', 0),
  ('flash drive', 'solid state drive', 0),
  ('memory stick', 'solid state drive', 0),
  ('usb stick', 'solid state drive', 0),
  ('computer stand', 'laptop stand', 0),
  ('computer stand', 'monitor riser', 0),
  ('laptop bag', 'laptop sleeve', 0),
  ('laptop cover', 'laptop sleeve', 0),
  ('adapter', 'charger', 0),
  ('adapter', 'hub', 0),
  ('adaptor', 'charger', 0),
  ('adaptor', 'hub', 0),
  ('docking station', 'hub', 0),
  ('cup', 'mug', 0),
  ('coffee cup', 'mug', 0),
  ('tea cup', 'mug', 0),
  ('travel mug', 'tumbler', 0),
  ('travel cup', 'tumbler', 0),
  ('thermos', 'bottle', 0),
  ('thermos', 'tumbler', 0),
  ('flask', 'bottle', 0),
  ('pot', 'planter', 0),
  ('light', 'lamp', 0),
  ('night light', 'lamp', 0),
  ('desk lamp', 'table lamp', 0),
  ('desk light', 'table lamp', 0),
  ('bedside lamp', 'table lamp', 0),
  ('bag', 'tote', 0),
  ('handbag', 'tote', 0),
  ('shopping bag', 'tote', 0),
  ('grocery bag', 'tote', 0),
  ('diary', 'notebook', 0),
  ('sketchbook', 'notebook', 0),
  ('stationery', 'notebook', 0),
  ('stationery', 'pen', 0),
  ('cap', 'beanie', 0),
  ('winter hat', 'beanie', 0),
  ('sun visor', 'windscreen shade', 0),
  ('trash can', 'bin', 0),
  ('garbage can', 'bin', 0),
  ('trash', 'bin', 0),
  ('garbage', 'bin', 0),
  ('pendant', 'necklace', 0),
  ('chain', 'necklace', 0),
  ('earrings', 'studs', 0),
  ('timepiece', 'watch', 0),
  ('timepiece', 'clock', 0),
  ('moisturizer', 'lotion', 0),
  ('moisturizer', 'balm', 0),
  ('moisturizer', 'serum', 0),
  ('moisturiser', 'lotion', 0),
  ('moisturiser', 'balm', 0),
  ('moisturiser', 'serum', 0),
  ('face cream', 'face serum', 0),
  ('face oil', 'face serum', 0),
  ('skincare', 'serum', 0),
  ('skincare', 'balm', 0),
  ('skincare', 'lotion', 0),
  ('skincare', 'face roller', 0),
  ('brush', 'hairbrush', 0),
  ('cat tag', 'dog tag', 0),
  ('door sign', 'plaque', 0),
  ('name plate', 'plaque', 0),
  ('house number', 'plaque', 0),
  ('storage box', 'storage basket', 0),
  ('hamper', 'basket', 0),
  ('personalised', 'engraving', 0),
  ('personalized', 'engraving', 0),
  ('custom', 'engraving', 0),
  ('customised', 'engraving', 0),
  ('customized', 'engraving', 0),
  ('monogrammed', 'engraving', 0),
  ('card holder', 'wallet', 0),
  ('card holder', 'card pocket', 0),
  ('money clip', 'wallet', 0),
  ('parasol', 'umbrella', 0),
  ('ballpoint pen', 'pen', 0),
  ('ballpoint', 'pen', 0),
  ('decoration', 'decor', 0)
ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- Keys by which a misspelled word finds the phrases with synonyms: as in 0001_search.sql, beginnings of 4 to 7 letters
-- without one letter or with all, and `-` with the last four letters. Keys of a phrase that is deleted do no harm.
CREATE TABLE search_synonym_keys (
  key text NOT NULL,
  phrase text NOT NULL,
  PRIMARY KEY (key, phrase)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIEW search_synonym_spellings AS
WITH parts AS (
  SELECT s.word, s.meaning, phrase.value AS phrase, part.value AS part
  FROM search_synonyms AS s
  CROSS JOIN json_each(json_array(s.word, iif(s.both_ways, s.meaning, s.word))) AS phrase
  CROSS JOIN json_each('[' || replace(json_quote(phrase.value), ' ', '","') || ']') AS part
  WHERE part.value NOT GLOB '*[0-9]*')
SELECT word, meaning, phrase,
  substr(part, 1, gap.value - 1) || substr(part, gap.value + 1, head.value - gap.value) AS key
FROM parts CROSS JOIN json_each('[4,5,6,7]') AS head CROSS JOIN json_each('[1,2,3,4,5,6,7,8]') AS gap
WHERE head.value <= length(part) AND gap.value <= head.value + 1 AND (head.value > 4 OR gap.value > 4)
UNION ALL SELECT word, meaning, phrase, '-' || substr(part, -4) FROM parts WHERE length(part) >= 7;
--> statement-breakpoint
INSERT INTO search_synonym_keys (key, phrase) SELECT DISTINCT key, phrase FROM search_synonym_spellings;
--> statement-breakpoint
CREATE TRIGGER search_synonyms_insert AFTER INSERT ON search_synonyms BEGIN
  INSERT INTO search_synonym_keys (key, phrase)
  SELECT DISTINCT key, phrase FROM search_synonym_spellings AS new_keys
  WHERE word = new.word AND meaning = new.meaning AND NOT EXISTS (SELECT 1 FROM search_synonym_keys AS k
    WHERE k.key = new_keys.key AND k.phrase = new_keys.phrase);
END;
--> statement-breakpoint
CREATE TRIGGER search_synonyms_update AFTER UPDATE ON search_synonyms BEGIN
  INSERT INTO search_synonym_keys (key, phrase)
  SELECT DISTINCT key, phrase FROM search_synonym_spellings AS new_keys
  WHERE word = new.word AND meaning = new.meaning AND NOT EXISTS (SELECT 1 FROM search_synonym_keys AS k
    WHERE k.key = new_keys.key AND k.phrase = new_keys.phrase);
END;
