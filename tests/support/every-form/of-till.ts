import { line, newId, post, sale, staff } from "./shop.ts";

/** Forms of corrections and of the cash drawer. */
export const TILL = [
  staff("correct correct", async (shop) => {
    const saleId = await sale(shop);
    const changed = { description: "Tray", quantity: "3", price: "9.00", businessType: "EMPORIA" };
    return {
      path: `/admin/sales/new?correct=${saleId}`,
      fields: { id: newId(), saleId, credits: "0", paymentMode: "CARD", ...line(changed) },
    };
  }),
  staff("drawer open", async () => ({
    path: "/admin/sales/drawer?business=LASER",
    fields: { id: newId(), businessType: "LASER", float: "50.00" },
  })),
  staff("drawer close", async (shop) => {
    const { id } = await post<{ id: string }>(shop, "drawer", { businessType: "EMPORIA", float: 50 });
    return {
      path: "/admin/sales/drawer?business=EMPORIA",
      fields: { id, businessType: "EMPORIA", counted: "50.00", reason: "Change was short" },
    };
  }),
  staff("drawer reopen", async (shop) => {
    const business = { businessType: "EMPORIA" };
    // The business has one drawer a day, which another form may have opened and closed.
    const asked = await shop.call("/api/drawer?businessType=EMPORIA", { token: shop.admin });
    const found = asked.ok
      ? ((await asked.json()) as { id: string; closedAt: { seconds: number } | null })
      : await post<{ id: string; closedAt: null }>(shop, "drawer", { ...business, float: 50 });
    const { id } = found;
    const closed = found.closedAt
      ? found
      : await post<{ closedAt: { seconds: number } }>(shop, "drawer/close", {
          ...business,
          counted: 50,
          reason: "Short",
        });
    return {
      path: "/admin/sales/drawer?business=EMPORIA",
      fields: { id, ...business, closedAt: String(closed.closedAt?.seconds), reason: "One note was missed" },
    };
  }),
];
