import type { ShopCookies } from "./cookies.server";

/** Page that shows what waits. */
export const TODAY_PATH = "/admin/today";

/** Returns the page with which the back office opens for a member of staff on this device. */
export const firstPageOf = (userId: string, { todayFirst }: Pick<ShopCookies, "todayFirst">): string =>
  todayFirst.includes(userId) ? TODAY_PATH : "/admin";
