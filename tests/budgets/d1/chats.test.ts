import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { costOf } from "../../support/cost";
import { admin } from "../../support/people";
import { call } from "../../support/shop";

const CHATS = 5000;
let token: string;

beforeAll(async () => {
  ({ token } = await admin());
  await env.DB.prepare(
    `INSERT INTO chats (id, user_name, user_email, last_message, last_message_at, unread_count, revision, created_at,
       state, waiting_since)
     WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?)
     SELECT 'many-' || n, 'Visitor ' || n, 'many' || n || '@mail.example', 'Question ' || n, 1700000000000 + n, n % 2, 1,
       1700000000, iif(n % 3 = 0, 'closed', 'open'), iif(n % 5 = 0, 1700000000000, NULL) FROM many`,
  )
    .bind(CHATS)
    .run();
});

describe(`the console with ${CHATS} chats (budgets: D1)`, () => {
  it.each(["", "filter=unanswered", "filter=mine", "filter=open", "filter=closed"])(
    "reads 250 rows at most: %s",
    async (query) => {
      const answer = await call(`/admin/chat?${query}`, { token });
      expect(await answer.text()).toContain("Conversations");
      expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
    },
  );

  it("reads what a search finds, not the other chats", async () => {
    const answer = await call("/admin/chat?q=question+4711", { token });
    expect(await answer.text()).toContain("many4711@mail.example");
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
  });
});
