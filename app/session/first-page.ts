import type { CurrentUser, StaffFlags } from "./caller.server";
import type { ShopCookies } from "./cookies.server";

/** Page that shows what waits. */
export const TODAY_PATH = "/admin/today";

/** Returns the page with which the back office opens for a member of staff on this device; sellers have no dashboard. */
export const firstPageOf = (
  { id, isAdmin, isManager }: Pick<CurrentUser, "id"> & Omit<StaffFlags, "isSeller">,
  { todayFirst }: Pick<ShopCookies, "todayFirst">,
): string => (todayFirst.includes(id) || !(isAdmin || isManager) ? TODAY_PATH : "/admin");
