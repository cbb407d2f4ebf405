-- The version before 0044 ends a deletion without its beginning, by which rooms find that a chat's account is deleted.
CREATE TRIGGER erasures_begun_known AFTER UPDATE OF done_at ON erasures
WHEN new.done_at IS NOT NULL AND new.begun_at IS NULL BEGIN
  UPDATE erasures SET begun_at = new.done_at WHERE id = new.id;
END;
