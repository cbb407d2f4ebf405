import { timestamp } from "~/http/fields";
import type { CurrentUser } from "~/session/caller.server";
import { roleName } from "./users/schema";
import { USER } from "./users/user";

/** Converts a user to the API's format. */
export function userView(user: CurrentUser) {
  return {
    id: user.id,
    ...USER.apiValues(user),
    photoURL: user.photoUrl,
    createdAt: timestamp(user.createdAt),
  };
}
export type UserView = ReturnType<typeof userView>;

/** Converts a user to the profile data of /account; `memberSince` is a month in the shop's time zone, `May 2026`. */
export function profileView(user: CurrentUser, timezone: string) {
  const { firstName, lastName, email, phoneNumber } = user;
  const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: timezone });
  const memberSince = month.format(user.createdAt * 1000);
  return { firstName, lastName, email, phoneNumber, role: roleName(user), memberSince };
}
export type ProfileView = ReturnType<typeof profileView>;
