import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { costOf } from "../support/cost";
import { manager } from "../support/people";
import { json, numberFrom, type Refusal, sold } from "../support/sales";
import { addProduct, call, insert } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

interface Sent {
  path: string;
  body: Record<string, unknown>;
  /** Fields of another request with the id. */
  other: Record<string, unknown>;
}

const quoted = (amount: number) => [{ description: "Sign", quantity: 1, amount }];
const credited = (quantity: number) => [{ line: 1, quantity }];

const REQUESTS: [name: string, request: () => Promise<Sent>, stored: string, refusal: string][] = [
  [
    "hold",
    async () => {
      const lines = [{ productId: await addProduct({ stock: 9 }), quantity: 2 }];
      const until = Math.floor(Date.now() / 1000) + 3600;
      return { path: "hold", body: { until, lines }, other: { until: until + 60 } };
    },
    "SELECT count(*) AS n FROM hold_lines WHERE hold_id = ?",
    "Another hold was placed with this id.",
  ],
  [
    "quote",
    async () => {
      const { chatId } = await startChat({ initialMessage: "Could you make a sign?" });
      return {
        path: "quote",
        body: { chatId, title: "Sign", lines: quoted(5) },
        other: { lines: quoted(6) },
      };
    },
    "SELECT count(*) AS n FROM quotes WHERE id = ?",
    "Another quote was sent with this id.",
  ],
  [
    "customer",
    async () => ({ path: "customer", body: { name: "Wren Ito" }, other: { notes: "Paints" } }),
    "SELECT count(*) AS n FROM customers WHERE id = ?",
    "Another customer was added with this id.",
  ],
  [
    "product",
    async () => {
      const body = { name: "Repeated bowl", price: 5, stock: 3, category: "OTHERS", imageUrls: [] };
      return { path: "product", body, other: { stock: 4 } };
    },
    "SELECT count(*) AS n FROM stock_movements WHERE product_id = ?",
    "A product has been added by this form already. Open it anew for another one.",
  ],
  [
    "credit",
    async () => {
      const [sale] = await sold(token, { lines: [{ description: "Tray", quantity: 3, amount: 30 }] });
      const body = { paymentMode: "CARD", lines: credited(1) };
      return { path: `sale/${sale?.id}/credit`, body, other: { lines: credited(2) } };
    },
    "SELECT count(*) AS n FROM documents WHERE request_id = ?",
    "Another document was issued with this id.",
  ],
];

describe.each(REQUESTS)("requests for a %s with one id", (name, request, stored, refusal) => {
  it("have one effect and one answer, at once and one after another", async () => {
    const { path, body } = await request();
    const id = `at-once-${name}`;
    const send = () => call(`/api/${path}`, { token, json: { ...body, id } });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [first, ...others] = await Promise.all(answers.map((answer) => json(answer)));
    for (const answer of others) expect(answer).toEqual(first);
    expect(await numberFrom(stored, id)).toBe(1);
  });

  it("are refused with another content, which changes nothing", async () => {
    const { path, body, other } = await request();
    const id = `other-${name}`;
    const send = (content: object) => call(`/api/${path}`, { token, json: { ...body, ...content, id } });
    const first = await json(send({}));
    const refused = await send(other);
    expect([refused.status, (await json<Refusal>(refused)).message]).toEqual([409, refusal]);
    expect(await json(send({}))).toEqual(first);
    expect(await numberFrom(stored, id)).toBe(1);
  });
});

const deleteBy = (path: string) => async (id: string) => {
  expect((await call(`/api/${path}/${id}`, { method: "DELETE", token })).status).toBe(200);
};

async function merge(id: string) {
  const { id: kept } = await json<{ id: string }>(
    await call("/api/customer", { token, json: { name: "Wren I." } }),
  );
  const merged = await call(`/api/customer/${kept}/merge`, { token, json: { id } });
  expect(merged.status).toBe(200);
}

const REMOVALS: [name: string, path: string, body: object, remove: (id: string) => Promise<void>][] = [
  [
    "product",
    "product",
    { name: "Deleted bowl", price: 5, stock: 3, category: "OTHERS", imageUrls: [] },
    deleteBy("product"),
  ],
  [
    "invoice",
    "invoice",
    {
      businessType: "EMPORIA",
      category: "OTHERS",
      description: "Bowl",
      quantity: 1,
      amount: 5,
      paymentMode: "CASH",
    },
    deleteBy("invoice"),
  ],
  ["customer", "customer", { name: "Wren Ito" }, merge],
];

describe.each(REMOVALS)("a request for a %s with the id of a deleted one", (name, path, body, remove) => {
  it("is refused, however late it is repeated", async () => {
    const id = `deleted-${name}`;
    const send = () => call(`/api/${path}`, { token, json: { ...body, id } });
    expect((await send()).status).toBe(201);
    await remove(id);
    await env.DB.prepare("DELETE FROM deleted_entries").run();
    const refused = await send();
    expect([refused.status, (await json<Refusal>(refused)).message]).toEqual([
      409,
      `This ${name} was deleted.`,
    ]);
    expect(await numberFrom(`SELECT count(*) AS n FROM ${name}s WHERE id = ?`, id)).toBe(0);
  });
});

it("a chat stays without customer when that of its request was deleted", async () => {
  const { chatId } = await startChat({ initialMessage: "Could you make a sign?" });
  const send = (content: object) =>
    call("/api/customer", { token, json: { name: "Wren Ito", id: "gone-of-chat", ...content } });
  await send({});
  await merge("gone-of-chat");
  expect((await send({ chatId })).status).toBe(409);
  expect(await numberFrom("SELECT count(*) AS n FROM chat_customers WHERE chat_id = ?", chatId)).toBe(0);
});

describe("with a long log of changes", () => {
  beforeAll(async () => {
    const objects = ["product", "invoice", "customer"];
    await insert(
      "audit_log",
      Array.from({ length: 3000 }, (_, at) => ({
        at: 1_790_000_000 + at,
        author_kind: "staff",
        action: at % 2 === 0 ? "created" : "deleted",
        object: objects[at % 3],
        object_id: `logged-${at}`,
        changes: "{}",
      })),
    );
  });

  it.each(REMOVALS)("a new %s reads a few rows", async (_, path, body) => {
    const answer = await call(`/api/${path}`, { token, json: { ...body, id: `few-${path}` } });
    expect([answer.status, costOf(answer).rowsRead < 100]).toEqual([201, true]);
  });

  it("a question about a product that never was reads a few rows", async () => {
    const json = { initialMessage: "Is it oiled?", productId: "never-was" };
    const answer = await call("/api/chat/create", { json });
    expect([answer.status, costOf(answer).rowsRead < 100]).toEqual([404, true]);
  });
});
