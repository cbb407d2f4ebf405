import { timestamp } from "~/http/fields";
import type { CurrentUser } from "~/session/current-user";

/**
 * A user as the API tells it (spec 3, User): nothing of its password.
 *
 * @param user a stored row, or the caller
 */
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
