import { addProduct, type FormShop, hold, newId, quote, staff, startChat } from "./shop.ts";

/** Makes a quote that its visitor accepts. */
async function acceptedQuote(shop: FormShop): Promise<string> {
  const { chatId, by } = await startChat(shop, {});
  const id = await quote(shop, chatId);
  await shop.call(`/api/quote/${id}`, { method: "PATCH", json: { state: "accepted" }, ...by });
  return id;
}

/** Forms of the page of what waits, and of the lists of holds and quotes. */
export const WAITING = [
  ...["today", "holds"].flatMap((page) =>
    ["release", "extend"].map((act) =>
      staff(`${page} ${act}`, async (shop) => ({
        path: `/admin/${page}`,
        fields: { holdId: await hold(shop, {}) },
      })),
    ),
  ),
  ...["today", "holds"].map((page) =>
    staff(`${page} holdAgain`, async (shop) => {
      const id = await hold(shop, {});
      await shop.call(`/api/hold/${id}`, { method: "DELETE", token: shop.admin });
      return { path: `/admin/${page}`, fields: { id } };
    }),
  ),
  staff("today addStock", async (shop) => ({
    path: "/admin/today",
    fields: { unitId: await addProduct(shop), pieces: "3", change: newId() },
  })),
  ...["ready", "notReady"].map((act) =>
    staff(`today ${act}`, async (shop) => ({
      path: "/admin/today",
      fields: { quoteId: await acceptedQuote(shop) },
    })),
  ),
  staff("today closeFirstRun", async () => ({ path: "/admin/today", fields: {} })),
  staff("today firstPage", async () => ({ path: "/admin/today", fields: { isFirst: "true" } })),
  staff("search presence", async () => ({ path: "/admin/search", fields: { isOnline: "true" } })),
];
