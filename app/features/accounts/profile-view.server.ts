import type { CurrentUser } from "~/session/current-user";
import type { ProfileView } from "./Profile";

/** The role that is displayed: Admin, else Manager, else User (spec 6). */
function roleOf({ isAdmin, isManager }: Pick<CurrentUser, "isAdmin" | "isManager">): string {
  return isAdmin ? "Admin" : isManager ? "Manager" : "User";
}

/**
 * What /account shows of a user.
 *
 * @param timezone SHOP_TIMEZONE
 */
export function profileView(user: CurrentUser, timezone: string): ProfileView {
  const { firstName, lastName, email, phoneNumber } = user;
  const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: timezone });
  const memberSince = month.format(user.createdAt * 1000);
  return { firstName, lastName, email, phoneNumber, role: roleOf(user), memberSince };
}
