-- An account to which a chat came that a plan covers, such as by signing in: the account's page names the plan, which leaves
-- the account. Its id is beside those of customers with a covered chat.
DROP TRIGGER chats_account_changed;
--> statement-breakpoint
CREATE TRIGGER chats_account_changed AFTER UPDATE OF user_id ON chats WHEN old.user_id IS NOT new.user_id BEGIN
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT 'chat', new.id, due_at, erasure_id FROM erasure_subjects
  WHERE kind = iif(old.user_id IS NULL, 'visitor', 'user') AND subject_id = ifnull(old.user_id, old.visitor_id)
  ON CONFLICT DO NOTHING;
  INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
  SELECT 'linked', new.user_id, due_at, erasure_id FROM erasure_subjects
  WHERE kind = 'chat' AND subject_id = new.id AND new.user_id IS NOT NULL
  ON CONFLICT DO NOTHING;
  UPDATE chat_customers SET user_id = new.user_id WHERE chat_id = new.id;
END;
--> statement-breakpoint
INSERT INTO erasure_subjects (kind, subject_id, due_at, erasure_id)
SELECT DISTINCT 'linked', chats.user_id, s.due_at, s.erasure_id FROM erasure_subjects AS s
JOIN chats ON chats.id = s.subject_id WHERE s.kind = 'chat' AND chats.user_id IS NOT NULL
ON CONFLICT DO NOTHING;
