import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { plansFor } from "~/db/erasures";
import { findPlanFor } from "~/features/privacy/queries.server";
import { insert } from "../support/shop";

const HISTORIES = 60;
const CUSTOMERS = ["k0", "k1", "k2"];
const CHATS = ["c0", "c1", "c2", "c3", "c4"];
const { db } = openDb(env.DB);

const oneOf = (ids: string[]) => fc.constantFrom(...ids);
const orNone = (ids: string[]) => fc.constantFrom(null, ...ids);
const user = orNone(["u0", "u1"]);
const customer = oneOf(CUSTOMERS);
const chat = oneOf(CHATS);
const lists = {
  chats: fc.uniqueArray(chat, { maxLength: 2 }),
  customers: fc.uniqueArray(customer, { maxLength: 1 }),
};
const plan = oneOf(["p0", "p1", "p2", "p3"]);

/** Statement with its values: a write of a plan, a link, a chat or a customer, as any version of the shop makes it. */
type Write = [statement: string, ...values: unknown[]];
const kinds: Record<string, fc.Arbitrary<Write>> = {
  plan: fc
    .record({
      id: plan,
      subject: fc.oneof(
        user.filter((id) => id !== null).map((id) => [id, null, null]),
        fc.tuple(user, customer, fc.constant(null)),
        chat.map((id) => [null, null, id]),
      ),
      dueAt: fc.integer({ min: 1, max: 99 }),
      ...lists,
    })
    .map(({ id, subject, dueAt, chats, customers }) => [
      `INSERT INTO erasures (id, user_id, customer_id, chat_id, requested_by, requested_at, due_at, chats, customers)
       VALUES (?, ?, ?, ?, 'staff', 1, ?, ?, ?) ON CONFLICT DO NOTHING`,
      ...[id, ...subject, dueAt, JSON.stringify(chats), JSON.stringify(customers)],
    ]),
  found: fc
    .tuple(plan, lists.chats, lists.customers)
    .map(([id, chats, customers]) => [
      "UPDATE erasures SET chats = ?, customers = ? WHERE id = ?",
      ...[JSON.stringify(chats), JSON.stringify(customers), id],
    ]),
  done: plan.map((id) => ["UPDATE erasures SET done_at = 100 WHERE id = ?", id]),
  cancelled: plan.map((id) => ["DELETE FROM erasures WHERE id = ?", id]),
  linked: fc.tuple(chat, customer).map(([chatId, customerId]) => [
    `INSERT INTO chat_customers (chat_id, customer_id, linked_at) VALUES (?, ?, 1)
       ON CONFLICT (chat_id) DO UPDATE SET customer_id = excluded.customer_id`,
    ...[chatId, customerId],
  ]),
  unlinked: chat.map((id) => ["DELETE FROM chat_customers WHERE chat_id = ?", id]),
  merged: fc
    .tuple(customer, customer)
    .map((ids) => ["UPDATE chat_customers SET customer_id = ? WHERE customer_id = ?", ...ids]),
  signedIn: fc.tuple(user, chat).map((ids) => ["UPDATE chats SET user_id = ? WHERE id = ?", ...ids]),
  deleted: chat.map((id) => ["DELETE FROM chats WHERE id = ?", id]),
  joined: fc
    .tuple(user, customer)
    .map((ids) => ["UPDATE OR IGNORE customers SET user_id = ? WHERE id = ?", ...ids]),
};
const often = [kinds.plan, kinds.linked, kinds.signedIn].filter((one) => one !== undefined);
const history = fc.array(fc.oneof(...Object.values(kinds), ...often), { minLength: 15, maxLength: 30 });

const all = async <Row>(query: string) => (await env.DB.prepare(query).all<Row>()).results;
const stored = async () => ({
  plans: await all<{
    user_id: string | null;
    customer_id: string | null;
    chat_id: string | null;
    due_at: number;
    chats: string;
    customers: string;
  }>("SELECT * FROM erasures WHERE done_at IS NULL ORDER BY due_at"),
  chats: await all<{ id: string; user_id: string | null; visitor_id: string | null }>("SELECT * FROM chats"),
  links: await all<{ chat_id: string; customer_id: string; user_id: string | null }>(
    "SELECT * FROM chat_customers",
  ),
  customers: await all<{ id: string; user_id: string | null }>("SELECT id, user_id FROM customers"),
});
type Stored = Awaited<ReturnType<typeof stored>>;

/** Lists the due times of the plans that cover one of these customers, or a chat, read plan by plan. */
function covering(shop: Stored, customerIds: string[], chatId: string | null, ofAccounts: boolean) {
  const linked = shop.links.filter((link) => customerIds.includes(link.customer_id));
  const ids = new Set([chatId, ...linked.map((link) => link.chat_id)]);
  const chats = shop.chats.filter(({ id }) => ids.has(id));
  const owners = [...shop.customers.filter(({ id }) => customerIds.includes(id)), ...chats];
  const covers = (one: Stored["plans"][number]) => {
    const browser = shop.chats.find(({ id }) => id === one.chat_id)?.visitor_id ?? null;
    return (
      owners.some(({ user_id: id }) => id !== null && id === one.user_id) ||
      chats.some(({ visitor_id: id }) => id !== null && id === browser) ||
      [one.customer_id, ...JSON.parse(one.customers)].some((id) => customerIds.includes(id)) ||
      [one.chat_id, ...JSON.parse(one.chats)].some((id) => id !== null && ids.has(id))
    );
  };
  const plans = ofAccounts ? shop.plans : shop.plans.filter((one) => one.user_id === null);
  return plans.filter(covers).map((one) => one.due_at);
}

beforeAll(async () => {
  const row = { name: "", name_key: "", last_seen: 1, request_hash: "", created_at: 1, updated_at: 1 };
  await insert(
    "customers",
    CUSTOMERS.map((id) => ({ ...row, id })),
  );
});

/** Empties the shop but for its customers, and stores chats of two browsers and one of none. */
async function begin(): Promise<void> {
  for (const table of ["erasures", "chats", "chat_customers"]) await env.DB.exec(`DELETE FROM ${table}`);
  await env.DB.exec("UPDATE customers SET user_id = NULL");
  const row = { user_name: "", user_email: "", last_message: "", last_message_at: 1, unread_count: 0 };
  const browsers = [null, "v0", "v0", "v1", "v1"];
  await insert(
    "chats",
    CHATS.map((id, i) => ({
      ...row,
      ...{ id, visitor_id: browsers[i] ?? null, visitor_unread: 0, created_at: 1, revision: 1 },
    })),
  );
}

const SUBJECTS: [string[], string | null][] = [
  ...CUSTOMERS.map((id): [string[], null] => [[id], null]),
  ...CHATS.map((id): [string[], string] => [[], id]),
  [["k0", "k1"], null],
  [["k2"], "c1"],
];

it(`planned deletions cover whom they cover when read plan by plan, over ${HISTORIES} random histories`, {
  timeout: 120_000,
}, async () => {
  let covered = 0;
  for (const writes of fc.sample(history, { numRuns: HISTORIES, seed: 7 })) {
    await begin();
    for (const [statement, ...values] of writes)
      await env.DB.prepare(statement)
        .bind(...values)
        .run();
    const shop = await stored();
    for (const [customers, chatId] of SUBJECTS) {
      const name = JSON.stringify([writes, customers, chatId]);
      const [first] = covering(shop, customers, chatId, true);
      expect(await findPlanFor(db, customers, chatId), name).toBe(first);
      const [ofPerson] = await db.all<{ dueAt: number }>(sql`SELECT due_at AS dueAt FROM erasures
        WHERE id IN ${plansFor(customers, chatId, false)} ORDER BY due_at LIMIT 1`);
      expect(ofPerson?.dueAt, name).toBe(covering(shop, customers, chatId, false)[0]);
      if (first !== undefined) covered++;
    }
    const accounts = new Map(shop.chats.map((one) => [one.id, one.user_id]));
    for (const link of shop.links) expect(link.user_id).toBe(accounts.get(link.chat_id) ?? null);
    await backfilled();
  }
  expect(covered).toBeGreaterThan(HISTORIES);
});

/** Empties what is planned, and fills it again by the migration's own statements. */
async function backfilled(): Promise<void> {
  const { MIGRATIONS } = env as Env & { MIGRATIONS: { name: string; queries: string[] }[] };
  const rows = () =>
    all("SELECT * FROM erasure_subjects ORDER BY kind, subject_id, of_account, due_at, erasure_id");
  const before = await rows();
  await env.DB.exec("DELETE FROM erasure_subjects");
  for (const query of MIGRATIONS.find(({ name }) => name.startsWith("0074"))?.queries ?? [])
    if (/^INSERT INTO erasure_subjects /m.test(query) && !query.includes("TRIGGER"))
      await env.DB.prepare(query).run();
  expect(await rows()).toEqual(before);
}
