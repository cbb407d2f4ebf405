import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { DAY_MS, epochSeconds } from "~/domain/durations";
import {
  maintainAuditLog,
  STEP_LIMITS as SEAL_LIMITS,
  sealAuditLog,
} from "~/features/audit/operations.server";
import { MAX_DESCRIPTION_LENGTH } from "~/features/catalogue/product";
import {
  folderOfDay,
  removeOrphanFiles,
  STEP_LIMITS as SWEEP_LIMITS,
} from "~/features/chat/operations/stored-files.server";
import { MAX_ROWS } from "~/features/health/search-forms.queries.server";
import { completeSearchForms } from "~/features/health/search-forms.server";
import { deliverQueue, MAX_CLAIMED } from "~/features/integrations/delivery.server";
import { findDueWebhooks } from "~/features/integrations/queries.server";
import {
  STEP_LIMITS as ERASE_LIMITS,
  eraseDue,
  mailPlanned,
  STEP_MAILS,
} from "~/features/privacy/deletion.server";
import { deliverDue, MAX_ENTRIES } from "~/features/sales/delivery.server";
import { removeUnusedImages, SCAN_LIMITS } from "~/features/storage/operations/objects.server";
import { JOBS, watch } from "../../workers/nightly";
import { startChat } from "../support/chat";
import { type D1Most, measuredD1 } from "../support/measured-d1";
import { measuredSteps } from "../support/nightly";
import { manager } from "../support/people";
import { addChatRows, planErasures } from "../support/personal-data";
import { sold } from "../support/sales";
import { addProduct, addUser, insert } from "../support/shop";
import { expectStated, STATED } from "./stated";

/** Texts in need of a form for the search, 18 times as long as they are. */
const TEXT_OF_LARGE_FORM = "ﷺ".repeat(MAX_DESCRIPTION_LENGTH);
/** Tables whose texts have forms for the search. */
const TABLES_WITH_FORMS = 3;

beforeEach(() => void vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" }));

const accounts = async (length: number) =>
  (await Promise.all(Array.from({ length }, () => addUser()))).map(({ id }) => id);

/** Measures what work asks of D1. */
async function measured(work: (bindings: Env) => Promise<unknown>): Promise<D1Most> {
  const { database, most } = measuredD1(env.DB);
  await work({ ...env, DB: database });
  return most;
}

describe("half of D1's limits is enough for a step of the night that does as much as it may", () => {
  it("asks a room for each file of a page of the chats' files", async () => {
    const pageSize = 40;
    const folder = folderOfDay(epochSeconds());
    const keyOf = (chat: number) => `${folder}chat-${chat}/${"a".repeat(32)}-${"0".repeat(16)}`;
    const uploads = pageSize + 1;
    for (let i = 0; i < uploads; i++) await env.BUCKET.put(keyOf(i), "x");
    const now = Date.now() + DAY_MS + 60_000;
    const { result, steps } = await measuredSteps((bindings, cursor) =>
      removeOrphanFiles(bindings, cursor, now, { ...SWEEP_LIMITS, pageSize }),
    );
    expect(result).toBe(uploads);
    expect(steps.map(({ rooms }) => rooms).filter(Boolean)).toEqual([pageSize, 1]);
    const besides = Math.max(...steps.map(({ rooms, subrequests }) => subrequests - rooms));
    expect(besides + SWEEP_LIMITS.pageSize).toBeLessThanOrEqual(STATED.nightSubrequests);
  }, 60_000);

  it(`deletes ${ERASE_LIMITS.chats} chats of a person, and ${ERASE_LIMITS.people} people`, async () => {
    const [id = "", ...others] = await accounts(1 + 2 * ERASE_LIMITS.people);
    await addChatRows(id, "of-one", ERASE_LIMITS.chats + 1);
    await planErasures([id, ...others], 100);
    const { result, steps } = await measuredSteps((bindings, cursor) =>
      eraseDue(bindings, Date.now(), cursor),
    );
    expect(result).toBe(1 + others.length);
    expect(Math.max(...steps.map(({ rooms }) => rooms))).toBe(ERASE_LIMITS.chats);
    for (const { d1 } of steps) expectStated(d1);
  }, 120_000);

  it(`sends ${STEP_MAILS} mails about deletions`, async () => {
    const people = await accounts(STEP_MAILS + 1);
    await planErasures(people, epochSeconds() + 1000);
    const { result, steps } = await measuredSteps(mailPlanned);
    expect(result).toBe(people.length);
    expect(steps.map(({ mails }) => mails)).toEqual([STEP_MAILS, 1]);
    for (const { d1 } of steps) expectStated(d1);
  }, 60_000);

  it(`checks ${SCAN_LIMITS.maxPages} pages of images`, async () => {
    for (let i = 0; i < 6; i++) await env.BUCKET.put(`products/${i}.png`, "x");
    const pages = 3;
    const { steps } = await measuredSteps(async (bindings) => {
      await removeUnusedImages(bindings, Date.now() + 2 * DAY_MS, { pageSize: 2, maxPages: pages });
    });
    const [{ queries = 0, objects = 0 } = {}] = steps;
    // Besides the pages: the place at which the last night ended.
    expect([queries, objects]).toEqual([2 * pages, 2 * pages + 1]);
    expect(2 * SCAN_LIMITS.maxPages).toBeLessThanOrEqual(STATED.queries);
    expect(4 * SCAN_LIMITS.maxPages + 2).toBeLessThanOrEqual(STATED.nightSubrequests);
  });

  it(`seals and verifies ${SEAL_LIMITS.chunks} chunks of the audit log`, async () => {
    await measured((bindings) => sealAuditLog(bindings));
    const chunks = 3;
    const row = {
      at: epochSeconds(),
      author_kind: "system",
      action: "changed",
      object: "product",
      changes: "{}",
    };
    await insert(
      "audit_log",
      Array.from({ length: chunks * SEAL_LIMITS.rows }, (_, i) => ({ ...row, object_id: `product-${i}` })),
    );
    const most = await measured((bindings) => sealAuditLog(bindings));
    expectStated(most);
    const state = 2;
    expect(most.queries).toBe(state + 2 * chunks);
    const [first, verify] = (await measuredSteps(maintainAuditLog)).steps;
    // The night seals before and after it deletes old rows.
    expect((first?.queries ?? 0) + 4 * SEAL_LIMITS.chunks).toBeLessThanOrEqual(STATED.queries);
    expect((verify?.queries ?? 0) + SEAL_LIMITS.chunks).toBeLessThanOrEqual(STATED.queries);
  }, 60_000);

  it(`completes ${MAX_ROWS} of the longest texts of each table, each with a query of its own`, async () => {
    for (let i = 0; i <= MAX_ROWS; i++)
      await addProduct({ searchText: i < 3 ? TEXT_OF_LARGE_FORM : `ﬁne ${i}` });
    const { steps } = await measuredSteps(completeSearchForms);
    const ofProducts = MAX_ROWS + 1;
    expect(steps[0]?.queries).toBe(ofProducts + TABLES_WITH_FORMS - 1);
    expect(TABLES_WITH_FORMS * ofProducts).toBeLessThanOrEqual(STATED.queries);
    for (const { d1 } of steps) expectStated(d1);
  }, 60_000);
});

describe("half of D1's limits is enough for each step of a quiet night", () => {
  it.each(Object.entries(JOBS))("%s", async (_, job) => {
    for (const { d1 } of (await measuredSteps(job)).steps) expectStated(d1);
  });
});

describe("half of D1's limits is enough for an outbox that is full", () => {
  let document: string;
  beforeAll(async () => {
    const { token } = await manager();
    const { chatId } = await startChat({ userEmail: "ann@mail.example" });
    const [made] = await sold(token, { chatId, lines: [{ description: "Tray", quantity: 1, amount: 5 }] });
    document = made?.id ?? "";
  });

  it(`of ${MAX_ENTRIES} receipts`, async () => {
    await insert(
      "sale_outbox",
      Array.from({ length: MAX_ENTRIES + 1 }, (_, i) => ({
        ...{ id: `receipt-${i}`, kind: "mail", recipient: "ann@mail.example", document_id: document },
        ...{ due_at: 1, created_at: 1, created_by: "Pat" },
      })),
    );
    expectStated(await measured(deliverDue));
    expect(env.MAIL.send).toHaveBeenCalledTimes(MAX_ENTRIES);
  });

  it(`of ${MAX_CLAIMED} deliveries to a webhook`, async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null));
    const hook = {
      id: "till",
      url: "https://till.example.com/",
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    };
    await insert("webhooks", [{ ...hook, events: '["sale.recorded"]', low_stock: 5, created_at: 1 }]);
    await insert(
      "webhook_deliveries",
      Array.from({ length: MAX_CLAIMED + 1 }, (_, i) => ({
        ...{ id: `msg_${i}`, webhook_id: hook.id, event: "sale.recorded", subject: document, data: "" },
        ...{ due_at: 1, created_at: 1 },
      })),
    );
    const [stored] = await findDueWebhooks(openDb(env.DB).db, epochSeconds());
    if (stored) expectStated(await measured((bindings) => deliverQueue(bindings, stored)));
    expect(fetched).toHaveBeenCalledTimes(MAX_CLAIMED);
  });
});

it("half of D1's limits is enough for the run of every 15 minutes, which does a step of several jobs", async () => {
  const most = await measured(watch);
  expectStated(most);
  // Each of these jobs at its most, and all others as measured now.
  const ofForms = TABLES_WITH_FORMS * MAX_ROWS;
  expect(most.queries + 2 * SEAL_LIMITS.chunks + ofForms).toBeLessThanOrEqual(STATED.queries);
});
