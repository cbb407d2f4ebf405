-- Links of chats that a plan covers. The sign keeps SQLite from beginning with all anonymous chats of the shop, which it did
-- for each deletion that was planned, changed or done: it begins with the plan's browser.
DROP VIEW planned_links;
--> statement-breakpoint
CREATE VIEW planned_links AS
SELECT l.customer_id, l.chat_id, s.erasure_id, s.due_at FROM chat_customers AS l
  JOIN erasure_subjects AS s ON s.kind = 'chat' AND s.subject_id = l.chat_id
UNION ALL SELECT l.customer_id, l.chat_id, s.erasure_id, s.due_at FROM chat_customers AS l
  JOIN chats AS c ON c.id = l.chat_id JOIN erasure_subjects AS s ON s.kind = 'user' AND s.subject_id = c.user_id
UNION ALL SELECT l.customer_id, l.chat_id, s.erasure_id, s.due_at FROM chat_customers AS l
  JOIN chats AS c ON c.id = l.chat_id JOIN erasure_subjects AS s ON s.kind = 'visitor' AND s.subject_id = c.visitor_id
  WHERE +c.user_id IS NULL;
