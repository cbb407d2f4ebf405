import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { localDay } from "~/domain/days";
import { startChat } from "../support/chat";
import { loaderData } from "../support/loader-data";
import { manager } from "../support/people";
import { sold } from "../support/sales";
import { call, insert } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

/** Reads the figures of the dashboard's chats. */
async function figures(query = ""): Promise<Record<string, number>> {
  return (await loaderData<{ chats: Record<string, number> }>(`/admin?${query}`, { token })).chats;
}
const pageOf = async (path: string) => (await call(path, { token })).text();
/** Returns the text of a page without tags. */
const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

describe("chats of the month", () => {
  const free = (amount: number, businessType = "EMPORIA") => ({
    description: "Lamp",
    amount,
    quantity: 1,
    businessType,
  });
  const listed = async (query: string) => {
    const answer = await call(`/api/chat?${query}`, { token });
    return ((await answer.json()) as { id: string }[]).map(({ id }) => id).sort();
  };
  let [first, second, third, old] = ["", "", "", ""];

  beforeAll(async () => {
    await env.DB.exec("DELETE FROM chats");
    const begun = await Promise.all([1, 2, 3, 4].map(() => startChat({ initialMessage: "Do you have it?" })));
    [first, second, third, old] = begun.map(({ chatId }) => chatId) as [string, string, string, string];
    await sold(token, { chatId: first, lines: [free(10)] });
    await sold(token, { chatId: second, lines: [free(7, "LASER")] });
    // Sold in this month, in a chat that was begun before it.
    await sold(token, { chatId: old, lines: [free(5)] });
    await env.DB.exec("DELETE FROM chat_first_answers");
    const answers = { [first]: 60_000, [second]: 300_000, [old]: 5_000 };
    await insert(
      "chat_first_answers",
      Object.entries(answers).map(([chat_id, ms]) => ({
        chat_id,
        asked_at: 1_000_000,
        answered_at: 1_000_000 + ms,
      })),
    );
    const row = await env.DB.prepare("SELECT * FROM chats WHERE id = ?").bind(old).first();
    const createdAt = Number(row?.created_at) - 70 * 86_400;
    await env.DB.prepare("DELETE FROM chats WHERE id = ?").bind(old).run();
    const month = localDay(createdAt, "America/Toronto").slice(0, 7);
    await insert("chats", [{ ...row, created_at: createdAt, month }]);
  });

  it("each figure leads to exactly the chats it counts", async () => {
    expect(await figures()).toMatchObject({
      begun: 3,
      sold: 2,
      answered: 2,
      answerSeconds: 60,
      revenueCents: 2200,
    });
    expect(await listed("report=begun")).toEqual([first, second, third].sort());
    expect(await listed("report=sold")).toEqual([first, second].sort());
    expect(await listed("report=answered")).toEqual([first, second].sort());
    expect(await listed("report=paid")).toEqual([first, second, old].sort());
    expect(await listed("report=paid&period=last-month")).toEqual([]);
  });

  it("the list of a figure stays when one of its chats is changed", async () => {
    const html = await (await call(`/admin/chat?chat=${first}&report=sold`, { token })).text();
    const lists = [...html.matchAll(/name="list" value="([^"]*)"/g)].map(([, list]) => list);
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) expect(list).toContain("report=sold");
  });

  it("sales and revenue are those of the chosen business, chats belong to none", async () => {
    expect(await figures("business=LASER")).toMatchObject({
      begun: 3,
      sold: 1,
      answered: 2,
      revenueCents: 700,
    });
    expect(await listed("report=sold&business=LASER")).toEqual([second]);
    expect(await listed("report=paid&business=LASER")).toEqual([second]);
  });

  it("the links of the figures open these lists, the documents with the same sum", async () => {
    const html = await pageOf("/admin?business=LASER&period=this-month");
    const links = [...html.matchAll(/href="(\/admin\/(?:chat|documents)\?[^"]*)"/g)].map(([, to = ""]) =>
      to.replaceAll("&amp;", "&"),
    );
    const chatLinks = links.filter((to) => to.includes("report="));
    expect(chatLinks.map((to) => new URLSearchParams(to.split("?")[1]).get("report"))).toEqual([
      "begun",
      "sold",
      "begun",
      "paid",
      "answered",
    ]);
    const paid = await pageOf(chatLinks[3] ?? "");
    expect(textOf(paid)).toContain("With receipts, this month, Laser Craft");
    const [documents = ""] = links.filter((to) => to.startsWith("/admin/documents?"));
    expect(documents).toContain("source=chat");
    expect(textOf(await pageOf(documents))).toMatch(/1 document.*\$7\.00/);
  });

  it.each(["report=none", "report=sold&business=X", "report=sold&period=never"])(
    "%s is a 400",
    async (query) => {
      expect((await call(`/api/chat?${query}`, { token })).status).toBe(400);
    },
  );
});
