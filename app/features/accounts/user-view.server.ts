import { timestamp } from "~/http/fields";
import type { CurrentUser } from "~/session/caller.server";
import { roleName } from "./users/schema";

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

/** Converts a user to the profile data of /account; `memberSince` is a month in the shop's time zone. */
export function profileView(user: CurrentUser, timezone: string) {
  const { firstName, lastName, email, phoneNumber } = user;
  const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: timezone });
  const memberSince = month.format(user.createdAt * 1000);
  return { firstName, lastName, email, phoneNumber, role: roleName(user), memberSince };
}
export type ProfileView = ReturnType<typeof profileView>;
