import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { findTraces } from "~/features/privacy/erase.queries.server";
import { findPlansFor } from "~/features/privacy/queries.server";
import { findPlannedDeletion } from "~/features/sales/queries/customers.server";
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
    `INSERT INTO chat_customers (chat_id, customer_id, linked_at) SELECT id, ?, 1 FROM chats WHERE id = ?
       ON CONFLICT (chat_id) DO UPDATE SET customer_id = excluded.customer_id`,
    ...[customerId, chatId],
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
    id: string;
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

/** Chats, customers and browsers that a plan has covered since it was made. */
type Covered = Record<"chats" | "customers" | "browsers", Set<string>>;

/** Adds to what each plan covers what it covers now, read plan by plan; forgets plans that are cancelled or done. */
function follow(shop: Stored, known: Map<string, Covered>): Map<string, Covered> {
  const next = new Map<string, Covered>();
  for (const plan of shop.plans) {
    const covered = known.get(plan.id) ?? { chats: new Set(), customers: new Set(), browsers: new Set() };
    const add = (kind: keyof Covered, ids: (string | null)[]) => {
      for (const id of ids) if (id !== null) covered[kind].add(id);
    };
    add("browsers", [shop.chats.find(({ id }) => id === plan.chat_id)?.visitor_id ?? null]);
    add("chats", [plan.chat_id, ...JSON.parse(plan.chats)]);
    for (const { id, user_id: userId, visitor_id: browser } of shop.chats)
      if (userId === null ? browser !== null && covered.browsers.has(browser) : userId === plan.user_id)
        covered.chats.add(id);
    add("customers", [plan.customer_id, ...JSON.parse(plan.customers)]);
    const linked = shop.links.filter((link) => covered.chats.has(link.chat_id));
    add(
      "customers",
      linked.map((link) => link.customer_id),
    );
    next.set(plan.id, covered);
  }
  return next;
}

/** Finds the plans that cover one of these customers, or a chat. */
function covering(shop: Stored, known: Map<string, Covered>, customerIds: string[], chatId: string | null) {
  const owners = [
    ...shop.customers.filter(({ id }) => customerIds.includes(id)),
    ...shop.chats.filter(({ id }) => id === chatId),
  ];
  return shop.plans.filter(
    ({ id, user_id: userId }) =>
      (userId !== null && owners.some((owner) => owner.user_id === userId)) ||
      (chatId !== null && known.get(id)?.chats.has(chatId)) ||
      customerIds.some((customerId) => known.get(id)?.customers.has(customerId)),
  );
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

it(`planned deletions cover whom they have covered since they were planned, read plan by plan, over ${HISTORIES} random histories`, {
  timeout: 120_000,
}, async () => {
  let covered = 0;
  let ended = 0;
  for (const writes of fc.sample(history, { numRuns: HISTORIES, seed: 7 })) {
    await begin();
    let known = new Map<string, Covered>();
    let shop = await stored();
    for (const [statement, ...values] of writes) {
      await env.DB.prepare(statement)
        .bind(...values)
        .run();
      shop = await stored();
      known = follow(shop, known);
    }
    covered += await asCovered(shop, known, JSON.stringify(writes));
    ended += await endedAsShown(shop);
    const accounts = new Map(shop.chats.map((one) => [one.id, one.user_id]));
    for (const link of shop.links) expect(link.user_id).toBe(accounts.get(link.chat_id) ?? null);
    await backfilled();
  }
  expect(covered).toBeGreaterThan(HISTORIES);
  expect(ended).toBeGreaterThan(HISTORIES / 4);
});

/** Compares what covers each person with the model. @returns how many are covered */
async function asCovered(shop: Stored, known: Map<string, Covered>, writes: string): Promise<number> {
  let covered = 0;
  for (const [customers, chatId] of SUBJECTS) {
    if (chatId !== null && !shop.chats.some(({ id }) => id === chatId)) continue;
    const plans = covering(shop, known, customers, chatId);
    const dueAt = await findPlannedDeletion(db, customers, chatId);
    expect(dueAt, `${writes} ${customers} ${chatId}`).toBe(plans[0]?.due_at ?? null);
    if (plans.length > 0) covered++;
    // A page is of one customer.
    if (customers.length < 2) await areListed(plans, customers[0] ?? null, chatId);
  }
  return covered;
}

/** Compares the plans that cover a customer or a chat with those of its page, the first that are due in their order. */
async function areListed(
  plans: { id: string; due_at: number }[],
  customerId: string | null,
  chatId: string | null,
): Promise<void> {
  const subject = { userId: null, customerId, chatId };
  const found = await findPlansFor(db, subject, chatId, 100);
  expect(found.map(({ id }) => id).sort()).toEqual(plans.map(({ id }) => id).sort());
  const first = await findPlansFor(db, subject, chatId, 2);
  expect(first.map(({ dueAt }) => dueAt)).toEqual(plans.slice(0, 2).map((plan) => plan.due_at));
}

/** Compares what the page of each customer without an account says with what the night finds. @returns how many it deletes */
async function endedAsShown({ customers, plans }: Stored): Promise<number> {
  let ended = 0;
  for (const { id, user_id: userId } of customers) {
    const [shown] = await findPlansFor(db, { userId: null, customerId: id, chatId: null }, null, 1);
    if (userId !== null || !shown) continue;
    const stored = JSON.parse(plans.find((one) => one.id === shown.id)?.customers ?? "[]") as string[];
    const isFound = [...stored, ...(await findTraces(db, shown)).customers].includes(id);
    expect([id, shown.deletesPerson === 1]).toEqual([id, isFound]);
    if (isFound) ended++;
  }
  return ended;
}

/** Empties what is planned, and fills it again by the migration's own statements: nothing that was not covered before. */
async function backfilled(): Promise<void> {
  const { MIGRATIONS } = env as Env & { MIGRATIONS: { name: string; queries: string[] }[] };
  const rows = () =>
    all(`SELECT DISTINCT iif(kind = 'linked', 'customer', kind) AS kind, subject_id, due_at, erasure_id
      FROM erasure_subjects`);
  const before = await rows();
  await env.DB.exec("DELETE FROM erasure_subjects");
  for (const query of MIGRATIONS.find(({ name }) => name.startsWith("0074"))?.queries ?? [])
    if (/^INSERT INTO erasure_subjects /m.test(query) && !query.includes("TRIGGER"))
      await env.DB.prepare(query).run();
  expect(before).toEqual(expect.arrayContaining(await rows()));
}
