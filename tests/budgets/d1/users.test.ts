import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { costOf } from "../../support/cost";
import { admin } from "../../support/people";
import { call } from "../../support/shop";

const USERS = 5000;
let token: string;

beforeAll(async () => {
  ({ token } = await admin());
  await env.DB.prepare(
    `INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, created_at, updated_at)
     WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?)
     SELECT 'many-' || n, 'many' || n || '@mail.example', 'many' || n || '@mail.example', 'Many' || (n % 97),
       'Person' || n, '', 1700000000 + n, 1700000000 FROM many`,
  )
    .bind(USERS)
    .run();
});

describe(`the users' screen with ${USERS} users`, () => {
  it.each([
    "",
    "sort=name",
    "sort=name&dir=desc",
    "sort=email",
    "sort=phoneNumber&dir=desc",
    "sort=role&dir=desc",
    "sort=isUser",
    "sort=createdAt",
    "edit=many-17",
  ])("reads 250 rows at most, in 3 round trips: %s", async (query) => {
    const answer = await call(`/admin/users-management?${query}`, { token });
    expect(await answer.text()).toContain(`<b>${(USERS + 1).toLocaleString("en")}</b>`);
    const { rowsRead, roundTrips } = costOf(answer);
    expect(rowsRead).toBeLessThanOrEqual(250);
    expect(roundTrips).toBeLessThanOrEqual(3);
  });

  it("a search reads what it finds, not who else there is", async () => {
    const answer = await call("/admin/users-management?q=person4711", { token });
    expect(await answer.text()).toContain("many4711@mail.example");
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
  });
});
