import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { instantAt, localDay } from "~/domain/days";
import type { Business } from "~/domain/enums";
import { PERIODS, resolvePeriod } from "~/domain/periods";
import { reportSpan } from "~/features/chat/operations/list.server";
import { deleteChatRow, recordFirstAnswer, saveChatRow } from "~/features/chat/operations/rooms.server";
import { findChatFigures } from "~/features/chat/reports.queries.server";
import { storeCredit } from "~/features/sales/operations/credit.server";
import { storeSale } from "~/features/sales/operations/record.server";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { CreditInput, SaleInput } from "~/features/sales/sale-schema";
import { AppError } from "~/http/errors";
import { parseInput, type StaffContext } from "~/http/operation.server";
import { requestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { addUser, openSession } from "../support/shop";

const HISTORIES = 30;
const ZONE = "America/Toronto";
const DAY = 86_400;
const NOW = instantAt("2026-11-23T12:00:00", ZONE);
const TODAY = localDay(NOW, ZONE);
const chatId = (n: number) => `c${n}`;
let context: () => StaffContext;
let revision = 0;

beforeAll(async () => {
  const { id } = await addUser({ isManager: true });
  const headers = { Authorization: `Bearer ${await openSession(id)}` };
  const request = new Request("http://localhost:8787/", { headers });
  const plain = await requestContext(request, env, () => undefined);
  const user = await plain.caller.user();
  if (!user) throw new Error("The manager is not signed in");
  const rooms = { getByName: () => ({ post: async () => undefined }) } as unknown as Env["CHAT_ROOM"];
  const fixed = {
    ...plain,
    env: { ...env, CHAT_ROOM: rooms } as Env,
    user,
    settings: await shopSettings(plain),
  };
  // A session of each step, as each request has its own.
  context = () => ({ ...fixed, now: NOW, db: openDb(env.DB).db });
});

/** Days before today, and hours around the turn of a month. */
const begun = fc.oneof(
  fc.nat(700).map((days) => NOW - days * DAY),
  fc
    .tuple(
      fc.constantFrom("2026-11", "2026-10", "2026-07", "2026-01", "2025-03"),
      fc.integer({ min: -6, max: 6 }),
    )
    .map(([month, hours]) => instantAt(`${month}-01T00:00:00`, ZONE) + hours * 3600),
);
const chat = fc.nat(11).map(chatId);
const business = fc.constantFrom<Business>("EMPORIA", "LASER");
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("begin" as const), chat, at: begun }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      chat,
      ms: fc.oneof(
        fc.nat(5).map((s) => s * 1000),
        fc.nat(5_000_000),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("change" as const),
      chat,
      state: fc.constantFrom("open" as const, "closed" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("sell" as const),
      chat,
      businesses: fc.array(business, { minLength: 1, maxLength: 2 }),
      cents: fc.nat(9999),
      days: fc.nat(500),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("void" as const, "delete" as const), chat }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const beginnings = new Map<string, number>();

/** Saves a chat's row as its room does; `createdAt` of a known chat stays as it was. */
async function save(id: string, at: number, state: "open" | "closed"): Promise<void> {
  beginnings.set(id, beginnings.get(id) ?? at);
  const createdAt = beginnings.get(id) ?? at;
  const person = {
    userName: "Zoe",
    userEmail: "",
    userId: null,
    isAnonymous: true,
    visitorId: null,
    productId: null,
  };
  const last = {
    lastMessage: "",
    lastMessageAt: at * 1000,
    lastSender: "visitor" as const,
    lastStaffId: null,
  };
  const counts = {
    unreadCount: 0,
    visitorUnread: 0,
    assigneeId: null,
    waitingSince: null,
    subjectCount: 0,
    subjectColor: null,
  };
  const row = { id, ...person, ...last, ...counts, subjectId: null, createdAt, state, revision: ++revision };
  await saveChatRow(env, { row, text: "", searchText: "", messages: [] });
}

const sales = new Map<string, string>();

async function run(each: Step): Promise<void> {
  const id = each.chat;
  if (each.kind === "begin") return save(id, each.at, "open");
  if (each.kind === "change") return beginnings.has(id) ? save(id, NOW, each.state) : undefined;
  if (each.kind === "answer")
    return recordFirstAnswer(env, { chatId: id, askedAt: NOW * 1000, answeredAt: NOW * 1000 + each.ms });
  if (each.kind === "delete") {
    beginnings.delete(id);
    return deleteChatRow(env, id, null);
  }
  if (each.kind === "sell") return sell(each);
  const saleId = sales.get(id);
  if (saleId) await storeCredit(context(), parseInput(CreditInput, { saleId, paymentMode: "CARD" }));
}

async function sell({ chat: id, businesses, cents, days }: Extract<Step, { kind: "sell" }>): Promise<void> {
  const lines = businesses.map((businessType) => ({
    description: "Lamp",
    quantity: 1,
    amount: (cents / 100).toFixed(2),
    businessType,
  }));
  const createdAt = { seconds: NOW - days * DAY };
  const input = parseInput(SaleInput, { chatId: id, paymentMode: "CARD", createdAt, lines });
  const documents = await storeSale(context(), input);
  sales.set(id, documents[0]?.id ?? "");
}

interface Stored {
  chats: { id: string; created_at: number }[];
  answers: { chat_id: string; ms: number }[];
  documents: {
    chat_id: string;
    kind: string;
    source: string;
    business_type: string;
    day: string;
    total_cents: number;
  }[];
}

async function stored(): Promise<Stored> {
  const all = async <T>(query: string) => (await env.DB.prepare(query).all<T>()).results;
  return {
    chats: await all("SELECT id, created_at FROM chats"),
    answers: await all("SELECT chat_id, answered_at - asked_at AS ms FROM chat_first_answers"),
    documents: await all("SELECT chat_id, kind, source, business_type, day, total_cents FROM documents"),
  };
}

/** Counts anew what the dashboard reads from sums. */
function recounted({ chats, answers, documents }: Stored, from: string, to: string, only: Business | null) {
  const isWithin = (day: string) => day >= from && day <= to;
  const ids = new Set(chats.filter((one) => isWithin(localDay(one.created_at, ZONE))).map(({ id }) => id));
  const own = documents.filter((one) => only === null || one.business_type === only);
  const sold = new Set(
    own.filter((one) => one.kind === "sale" && ids.has(one.chat_id)).map((one) => one.chat_id),
  );
  const times = answers.filter((one) => ids.has(one.chat_id)).map(({ ms }) => ms);
  times.sort((a, b) => a - b);
  const median = times[Math.ceil(times.length / 2) - 1];
  const paid = own.filter((one) => one.source === "chat" && isWithin(one.day));
  return {
    begun: ids.size,
    sold: sold.size,
    answered: times.length,
    answerSeconds: median === undefined ? null : Math.ceil(median / 1000),
    revenueCents: paid.reduce((sum, one) => sum + one.total_cents, 0),
  };
}

async function compare(): Promise<void> {
  const rows = await stored();
  for (const name of PERIODS.slice(1)) {
    const { days } = resolvePeriod(name, TODAY);
    const span = reportSpan({ now: NOW, settings: context().settings }, name);
    for (const only of [null, "EMPORIA", "LASER"] as const)
      expect(await findChatFigures(context().db, span, TODAY, only), `${name} ${only}`).toMatchObject(
        recounted(rows, days?.from ?? "", days?.to ?? "", only),
      );
  }
}

it(`counts chats, sales, revenue and medians as recounted, over ${HISTORIES} random histories`, {
  timeout: 180_000,
}, async () => {
  const histories = fc.sample(fc.array(step, { minLength: 10, maxLength: 20 }), {
    numRuns: HISTORIES,
    seed: 31,
  });
  for (const history of histories) {
    for (const each of history)
      await run(each).catch((error) => {
        // Sales of unknown chats, and second credit notes.
        if (!(error instanceof AppError)) throw error;
      });
    await compare();
  }
  for (const [name, query] of Object.entries(SALE_CHECKS))
    expect((await env.DB.prepare(query).all()).results, name).toEqual([]);
  await backfilled();
});

/** Empties each table of sums, and fills it again by the migration's own statements. */
async function backfilled(): Promise<void> {
  const { MIGRATIONS } = env as Env & { MIGRATIONS: { name: string; queries: string[] }[] };
  const migration = MIGRATIONS.find(({ name }) => name.startsWith("0034"));
  for (const table of ["chat_sums", "chat_answers", "chat_medians"]) {
    // A sum that became 0 has a row, and none in a new table.
    const rows = async () =>
      (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results.filter(({ total }) => total !== 0);
    const before = await rows();
    expect(before.length).toBeGreaterThan(10);
    await env.DB.exec(`DELETE FROM ${table}`);
    const statement = new RegExp(`^INSERT INTO ${table} `, "m");
    for (const query of migration?.queries ?? [])
      if (statement.test(query)) await env.DB.prepare(query).run();
    expect(await rows()).toEqual(before);
  }
}
