import { timestamp } from "~/http/fields";
import type { CurrentUser } from "~/session/caller.server";
import type { ProfileView } from "./Account";

/** Converts a user to the API's format, without the password hash. */
export function userView(user: CurrentUser) {
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    phoneNumber: user.phoneNumber,
    isManager: user.isManager,
    isAdmin: user.isAdmin,
    isUser: user.isUser,
    photoURL: user.photoUrl,
    createdAt: timestamp(user.createdAt),
  };
}
export type UserView = ReturnType<typeof userView>;

/** Highest role of a user (docs/product.md, 1). */
function displayedRole({ isAdmin, isManager }: Pick<CurrentUser, "isAdmin" | "isManager">): string {
  return isAdmin ? "Admin" : isManager ? "Manager" : "User";
}

/** Converts a user to the profile data of /account. */
export function profileView(user: CurrentUser, timezone: string): ProfileView {
  const { firstName, lastName, email, phoneNumber } = user;
  const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: timezone });
  const memberSince = month.format(user.createdAt * 1000);
  return { firstName, lastName, email, phoneNumber, role: displayedRole(user), memberSince };
}
